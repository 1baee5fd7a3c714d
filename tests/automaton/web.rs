//! What reaches beyond the specification: further actions and checks, and states that go through elements.

use automaton::machine::Parameters;
use automaton::machine::states::Automaton;
use automaton::machine::validation::check;
use domain::page::Signals;
use serde_json::{Value, json};

use super::scene::{Scene, at, state};

fn read(checks: Value, actions: Value) -> Automaton {
    let state = json!([{"name": "A", "checks": checks, "actions": actions, "end_state": ""}]);
    Automaton::from_json(&state).unwrap()
}

/// Returns why an action cannot be executed; `None` if it can.
fn refused(action: Value) -> Option<String> {
    let parameters = Parameters {
        open: ["OPEN".to_owned()].into(),
        secret: ["KEY".to_owned()].into(),
    };
    let automaton = read(json!([]), json!([action]));
    check(&automaton, &parameters).err().map(|it| it.message)
}

#[test]
fn actions_are_read_in_both_forms_and_written_back() {
    for (call, structured) in [
        (
            "double_click(by='id', selector='a')",
            json!({"type": "double_click", "params": {"by": "id", "selector": "a"}}),
        ),
        (
            "hover(by='id', selector='a')",
            json!({"type": "move", "params": {"by": "id", "selector": "a"}}),
        ),
        (
            "drag(by='id', selector='a', to_by='text', to_selector='Here')",
            json!({"type": "drag", "params": {"by": "id", "selector": "a", "to_by": "text", "to_selector": "Here"}}),
        ),
        (
            "select(by='id', selector='a', option='One\\nTwo')",
            json!({"type": "select", "params": {"by": "id", "selector": "a", "option": "One\nTwo"}}),
        ),
        (
            "uncheck(by='role', selector='checkbox[name=\"a\"]')",
            json!({"type": "uncheck", "params": {"by": "role", "selector": "checkbox[name=\"a\"]"}}),
        ),
        (
            "press(key='ctrl+a', times=3)",
            json!({"type": "press", "params": {"key": "ctrl+a", "times": 3}}),
        ),
        ("go_back()", json!({"type": "go_back"})),
        (
            "switch_to(tab=2)",
            json!({"type": "switch_to", "params": {"tab": 2}}),
        ),
        (
            "extract(name='N', by='id', selector='a', all=True)",
            json!({"type": "extract", "params": {"name": "N", "by": "id", "selector": "a", "all": true}}),
        ),
    ] {
        assert_eq!(refused(json!(call)), None, "{call}");
        let (old, new) = (
            read(json!([]), json!([call])),
            read(json!([]), json!([structured])),
        );
        assert_eq!(old.states[0].lines, new.states[0].lines, "{call}");
        assert_eq!(old.to_json()[0]["actions"], json!([call]));
    }
}

#[test]
fn arguments_that_make_no_sense_are_refused_in_words() {
    for (call, words) in [
        ("drag('id', 'a')", "where to"),
        ("press('a', hold=100)", "`hold` is at most 60 seconds"),
        ("press('a', times=0)", "from 1 to 200"),
        ("press('a', by='id')", "`selector` must be a text"),
        ("switch_to(tab=0)", "`tab` must be"),
        ("switch_to(tab='old')", "`tab` must be"),
        ("extract('a b', 'id', 'x')", "`name` must be"),
        ("extract(parameters['OPEN'], 'id', 'x')", "`name` must be"),
        ("type('id', 'a', one_time_code('OPEN'))", "is no secret"),
        ("type('id', 'a', one_time_code('NONE'))", "no parameter"),
        ("investigate(one_time_code('KEY'), 'b')", "is a secret"),
        ("navigate_to(one_time_code('KEY'))", "must begin with http"),
    ] {
        let refused = refused(json!(call)).unwrap_or_default();
        assert!(refused.contains(words), "{call}: {refused}");
    }
    let code = "type(by='id', selector='a', text='1' + one_time_code('KEY'))";
    assert_eq!(refused(json!(code)), None);
    let automaton = read(json!([]), json!([code]));
    assert_eq!(automaton.to_json()[0]["actions"], json!([code]));
}

#[test]
fn checks_are_read_in_both_forms_and_written_back() {
    for (old, new) in [
        (
            json!({"type": "role", "value": "button[name=\"Say \\\"a\\\"\"]"}),
            json!({"type": "role", "params": {"role": "button", "name": "Say \"a\""}}),
        ),
        (
            json!({"type": "page_text", "value": "a"}),
            json!({"type": "page_text", "params": {"text": "a"}}),
        ),
        (
            json!({"type": "enabled", "value": "#a"}),
            json!({"type": "enabled", "params": {"by": "css selector", "selector": "#a"}}),
        ),
        (
            json!({"type": "checked", "value": "#a", "not": true}),
            json!({"type": "checked", "params": {"by": "css selector", "selector": "#a"}, "not": true}),
        ),
        (
            json!({"type": "url_pattern", "value": "**/a"}),
            json!({"type": "url_pattern", "params": {"pattern": "**/a"}}),
        ),
        (
            json!({"type": "text", "value": "a", "not": true}),
            json!({"type": "text", "params": {"text": "a"}, "not": true}),
        ),
    ] {
        let (old, new) = (read(json!([old]), json!([])), read(json!([new]), json!([])));
        assert_eq!(old.states[0].checks, new.states[0].checks);
        for automaton in [old, new] {
            let again = Automaton::from_json(&automaton.to_json()).unwrap();
            assert!(again == automaton, "{}", automaton.to_json());
        }
    }
    let value = json!({"type": "value", "params": {"by": "id", "selector": "a", "value": "1", "timeout": 2}});
    let automaton = read(json!([value]), json!([]));
    assert_eq!(automaton.to_json()[0]["checks"], json!([value]));
    for bad in [
        json!({"type": "role", "value": 3}),
        json!({"type": "value", "params": {"by": "id", "selector": "a"}}),
        json!({"type": "enabled", "params": {"by": "nothing", "selector": "a"}}),
        json!({"type": "text", "value": "a", "not": "yes"}),
    ] {
        let state = json!([{"name": "A", "checks": [bad], "actions": [], "end_state": ""}]);
        assert!(Automaton::from_json(&state).is_err(), "{bad}");
    }
}

#[test]
fn what_must_not_hold_holds_on_no_page_that_could_not_be_read() {
    let not = json!({
        "name": "Gone", "checks": [{"type": "text", "value": "Wait", "not": true}], "actions": [], "end_state": "done",
    });
    let mut scene = Scene::new(&[not], &[(0, Signals::default()), (400, at("u"))]);
    let told = scene.run();
    assert!(told.contains(&"500 enter 0 Gone".to_owned()), "{told:#?}");
}

fn rows(at_most: u32) -> Value {
    let mut state = state(
        "Rows",
        "u",
        &["click(by='css selector', selector='tr >> nth=' + parameters['ROW'])"],
        "done",
    );
    state["config"] = json!({"for_each": {
        "by": "css selector", "selector": "tr", "parameter": "ROW", "at_most": at_most,
    }});
    state
}

#[test]
fn a_state_goes_through_the_elements_that_are_there() {
    let mut scene = Scene::new(&[rows(2)], &[(0, at("u"))]);
    scene.extracted = vec!["1".to_owned(), "2".to_owned(), "3".to_owned()];
    let told = scene.run();
    let click = |row: u32| format!("0 do 0:1 click(by='css selector', selector='tr >> nth={row}')");
    let expected = [
        "0 enter 0 Rows".to_owned(),
        "0 warning 0 it goes through the first 2 of 3 elements.".to_owned(),
        "0 round 0 0 of 2".to_owned(),
        click(0),
        "0 done 0:1".to_owned(),
        "0 round 0 1 of 2".to_owned(),
        click(1),
        "0 done 0:1".to_owned(),
        "0 leave 0".to_owned(),
    ];
    assert_eq!(told[2..11], expected);
    let automaton = Automaton::from_json(&json!([rows(2)])).unwrap();
    assert_eq!(automaton.to_json()[0]["config"], rows(2)["config"]);
    assert_eq!(automaton.parameters().count(), 0);
}

#[test]
fn the_elements_may_be_those_that_a_parameter_or_an_extracted_text_tells() {
    let mut state = rows(2);
    let elements =
        "elements('css selector', '#' + parameters['TABLE'] + extracted['KIND'], 'ROW', at_most=2)";
    state["config"] = json!({"for_each": elements});
    let automaton = Automaton::from_json(&json!([state])).unwrap();
    assert_eq!(automaton.to_json()[0]["config"]["for_each"], elements);
    assert_eq!(automaton.parameters().collect::<Vec<_>>(), ["TABLE"]);
    let parameters = Parameters::default();
    let refused = check(&automaton, &parameters).unwrap_err().message;
    assert_eq!(refused, "`for_each`: the run has no parameter \"TABLE\"");
    for (call, says) in [
        (
            "elements('css selector', 'tr')",
            "`elements` needs `parameter`",
        ),
        (
            "rows('css selector', 'tr', 'ROW')",
            "only `elements` may be called here",
        ),
        (
            "elements('css selector', 'tr', 'ROW', at_most=0)",
            "from 1 to 1000",
        ),
        ("elements('css', 'tr', 'ROW')", "`by` must be a way"),
    ] {
        let mut state = rows(2);
        state["config"] = json!({"for_each": call});
        let error = Automaton::from_json(&json!([state])).unwrap_err();
        assert!(error.message.contains(says), "{error:?}");
    }
}

#[test]
fn what_is_extracted_is_a_text_of_later_actions() {
    let actions = [
        "extract('ID', 'id', 'a')",
        "click('id', 'row-' + extracted['ID'])",
        "click('id', extracted['OTHER'])",
    ];
    let mut scene = Scene::new(&[state("A", "u", &actions, "done")], &[(0, at("u"))]);
    scene.extracted = vec!["17".to_owned()];
    let told = scene.run();
    for expected in [
        "0 do 0:2 click(by='id', selector='row-17')",
        "0 failed 0:3 failed tried",
    ] {
        assert!(told.contains(&expected.to_owned()), "{told:#?}");
    }
    let navigate = json!([{"name": "A", "checks": [], "actions": ["navigate_to(extracted['URL'])"], "end_state": ""}]);
    let automaton = Automaton::from_json(&navigate).unwrap();
    assert_eq!(check(&automaton, &Parameters::default()), Ok(()));
}

#[test]
fn a_state_that_goes_through_no_element_is_left() {
    let mut scene = Scene::new(&[rows(5)], &[(0, at("u"))]);
    let told = scene.run();
    assert_eq!(
        told[3..5],
        [
            "0 warning 0 there is no element that it goes through.",
            "0 leave 0"
        ]
    );
}
