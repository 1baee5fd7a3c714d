//! Files of states, in both formats.

use std::fs;
use std::path::Path;

use automaton::machine::Parameters;
use automaton::machine::actions::{BrowserAction, Step};
use automaton::machine::states::{
    Automaton, Check, CheckKind, Line, Prompt, ReadError, STATES_MAX,
};
use automaton::machine::validation::check;
use domain::page::{Area, By, Condition, Fallback, Query};
use serde_json::{Value, json};

fn read(json: &Value) -> Result<Automaton, ReadError> {
    Automaton::parse(json.to_string().as_bytes())
}

#[test]
fn a_state_of_the_old_format_is_read() {
    let automaton = read(&json!([{
        "name": "A", "description": "d", "terminate": "x", "save_html_dom": "",
        "checks": [
            {"type": "url", "value": "u"}, {"type": "text", "value": "t"},
            {"type": "element", "value": "e"}, {"type": "title", "value": "x"},
            {"type": "text", "value": 5},
        ],
        "actions": ["wait(2)", "nobody()", "terminate('x')"],
        "end_state": "done", "config": {"continous": 1},
    }]));
    let state = &automaton.unwrap().states[0];
    assert_eq!(
        (state.name.as_str(), state.end.as_deref()),
        ("A", Some("done"))
    );
    let signal = |kind, value: Option<&str>| Check::Signal {
        kind,
        value: value.map(str::to_owned),
    };
    let expected = [
        signal(CheckKind::Url, Some("u")),
        signal(CheckKind::Text, Some("t")),
        signal(CheckKind::Element, Some("e")),
        signal(CheckKind::Unknown, Some("x")),
        signal(CheckKind::Text, None),
    ];
    assert_eq!(state.checks, expected);
    assert!(matches!(
        &state.lines[0],
        Line::Call {
            step: Ok(Step::Wait { ms: 2_000 }),
            ..
        }
    ));
    assert!(matches!(&state.lines[1], Line::Unread(unread) if unread.error().byte == 0));
    assert!(matches!(&state.lines[2], Line::Terminate { is_call: true }));
    assert_eq!(state.continuity.misspelt, Some(true));
    assert!(!state.is_later_format);
}

#[test]
fn a_state_of_the_later_format_is_read() {
    let automaton = read(&json!({"state_repository": [{
        "name": "A",
        "checks": [
            {"type": "url", "params": {"url": "u"}},
            {"type": "text", "params": {"text": "t", "timeout": 2}},
            {"type": "text", "params": {"text": "it's", "check_visibility": false}},
            {"type": "element", "params": {"by": "css selector", "selector": "video", "timeout": 5}},
        ],
        "actions": [
            {"type": "navigate", "params": {"url": "https://a"}},
            {"type": "click", "params": {"by": "css selector", "selector": "#a", "x": 3.5, "y": 4}},
            {"type": "scroll", "params": {"pixels": 250, "direction": "down"}},
            {"type": "start_stats_logging", "params": {"out_path": "x"}},
            {"type": "terminate", "params": {"reason": "r"}},
            {"type": "fly", "params": {}},
            {"type": "wait", "params": {"seconds": [1]}},
            7,
        ],
        "executed": [{"name": 5, "checks": "wrong"}],
        "config": {"continuous": true},
    }]}));
    let state = &automaton.unwrap().states[0];
    assert!(state.is_later_format && state.continuity.holds());
    let query = |by, selector: &str, is_visible, timeout_ms| {
        Check::Query(Query {
            by,
            selector: selector.to_owned(),
            condition: if is_visible {
                Condition::Visible
            } else {
                Condition::Present
            },
            timeout_ms,
        })
    };
    assert_eq!(
        state.checks[2..],
        [
            query(
                By::XPath,
                "//*[normalize-space(text())=\"it's\"]",
                false,
                100
            ),
            query(By::CssSelector, "video", true, 5_000),
        ]
    );
    let Line::Call {
        step: Ok(Step::Act(BrowserAction::Click { target, .. })),
        ..
    } = &state.lines[1]
    else {
        panic!("{:?}", state.lines[1]);
    };
    let point = Area {
        x: 3.5,
        y: 4.0,
        width: 0.0,
        height: 0.0,
    };
    assert_eq!(target.fallback, Some(Fallback::Taken(point)));
    let third = format!("{:?}", state.lines[2]);
    assert!(third.contains("notches: 2.5"), "{third}");
    assert!(matches!(&state.lines[3], Line::PassedOver(_)));
    assert!(matches!(
        &state.lines[4],
        Line::Terminate { is_call: false }
    ));
    for line in &state.lines[5..] {
        assert!(matches!(line, Line::Unread(_)), "{line:?}");
    }
}

#[test]
fn what_is_no_file_of_states_is_refused_with_its_place() {
    for (json, says) in [
        (json!(5), "the states must be a list"),
        (json!({"states": []}), "the states must be a list"),
        (json!([5]), "state 1: a state must be an object"),
        (json!([{}]), "state 1: `name` is missing"),
        (
            json!([{"name": "A"}, {"name": 5}]),
            "state 2: `name` must be a text",
        ),
        (
            json!([{"name": "A", "checks": null}]),
            "state 1: `checks` must be a list",
        ),
        (
            json!([{"name": "A", "checks": [5]}]),
            "state 1: a check must be an object",
        ),
        (
            json!([{"name": "A", "checks": [{"value": "x"}]}]),
            "state 1: `type` is missing",
        ),
        (
            json!([{"name": "A", "checks": [{"type": "url"}]}]),
            "state 1: `value` is missing",
        ),
        (
            json!([{"name": "A", "actions": "wait(1)"}]),
            "state 1: `actions` must be a list",
        ),
        (
            json!([{"name": "A", "end_state": 5}]),
            "state 1: `end_state` must be a text",
        ),
        (
            json!([{"name": "A", "config": 5}]),
            "state 1: `config` must be an object",
        ),
        (
            json!([{"name": "A", "checks": [{"type": "element", "params": {"by": "eye", "selector": "a"}}]}]),
            "state 1: `by` is no way to find an element",
        ),
    ] {
        assert_eq!(read(&json).unwrap_err().to_string(), says, "{json}");
    }
    let broken = Automaton::parse(b"[\n {\"name\": \"A\",}]").unwrap_err();
    assert_eq!((broken.byte, broken.state), (Some(16), None));
}

#[test]
fn files_are_bounded() {
    let many = vec![json!({"name": "A"}); STATES_MAX + 1];
    let large = format!("[{}]", " ".repeat(1_000_000));
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let heavy = format!("[{}0]", "[],".repeat(300_000));
    let long = json!([{"name": "x".repeat(20_001)}]).to_string();
    let lines = json!([{"name": "A", "actions": vec!["wait(1)"; 1_001]}]).to_string();
    let element =
        |at: usize| json!({"type": "element", "params": {"by": "id", "selector": at.to_string()}});
    let elements = (0..6).map(|state| {
        let checks: Vec<Value> = (0..100).map(|at| element(state * 100 + at)).collect();
        json!({"name": "A", "checks": checks})
    });
    let elements = Value::from(elements.collect::<Vec<_>>());
    let parts = vec![json!({"name": "A", "actions": vec!["wait(1)"; 1_000]}); 21];
    let parts = Value::from(parts);
    let checks = json!([{"name": "A", "checks": vec![json!({"type": "url", "value": ""}); 201]}]);
    for text in [
        Value::from(many).to_string(),
        large,
        deep,
        heavy,
        long,
        lines,
        checks.to_string(),
        elements.to_string(),
        parts.to_string(),
    ] {
        let error = Automaton::parse(text.as_bytes()).unwrap_err();
        assert!(error.to_string().len() < 100, "{error}");
    }
    let action = format!("press_key('{}')", "x".repeat(20_000));
    let automaton = read(&json!([{"name": "A", "actions": [action]}])).unwrap();
    assert!(matches!(&automaton.states[0].lines[0], Line::Unread(_)));
}

#[test]
fn prompts_are_read() {
    let prompts = Prompt::read_all(&json!([
        {"name": "A", "description": "d", "triggers": ["t"], "actions": ["a", "b"]},
        {"name": "B", "end_state": "done"},
    ]));
    let prompts = prompts.unwrap();
    assert_eq!(
        (prompts[0].actions.len(), prompts[0].end_state.as_str()),
        (2, "")
    );
    assert_eq!(
        (prompts[1].triggers.len(), prompts[1].end_state.as_str()),
        (0, "done")
    );
    for (json, says) in [
        (json!({}), "the prompts must be a list"),
        (
            json!([{"name": "A"}, {"name": "B", "triggers": [5]}]),
            "state 2: `triggers` must be a text",
        ),
        (json!([{"description": "d"}]), "state 1: `name` is missing"),
    ] {
        assert_eq!(Prompt::read_all(&json).unwrap_err().to_string(), says);
    }
}

#[test]
fn every_real_file_beside_the_project_is_read_and_the_broken_one_is_refused_at_its_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/automata");
    if !folder.is_dir() {
        eprintln!("skipped: there are no files of states beside the project");
        return;
    }
    let mut refused = Vec::new();
    let files = ["old", "new"].map(|format| fs::read_dir(folder.join(format)).unwrap());
    for file in files.into_iter().flatten() {
        let path = file.unwrap().path();
        let automaton = Automaton::parse(&fs::read(&path).unwrap()).unwrap();
        let mut parameters = Parameters::default();
        for name in automaton.parameters() {
            parameters.open.insert(name.to_owned());
        }
        if let Err(finding) = check(&automaton, &parameters) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            refused.push((name, finding.state, finding.line, finding.byte));
        }
    }
    let broken = ("cisco-webex.json".to_owned(), Some(1), Some(7), Some(171));
    assert_eq!(refused, [broken]);
}
