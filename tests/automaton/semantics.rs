//! How files are executed, including surprising ones.

use automaton::machine::grammar::Cause;
use domain::page::{ActionFailure, Signals};
use serde_json::{Value, json};

use super::scene::{CLICK, KEY, Scene, at, showing, state};

#[test]
fn a_run_looks_at_once_and_keeps_its_actions_apart() {
    let states = [
        state("A", "u", &[CLICK, KEY], ""),
        state("B", "v", &[], "done"),
    ];
    let mut scene = Scene::new(&states, &[(0, at("u")), (900, at("v"))]);
    scene.order.settings.action_period_ms = 100;
    assert_eq!(
        scene.run(),
        [
            "0 start 2",
            "0 look [0] run",
            "0 enter 0 A",
            "0 do 0:1 click(by='css selector', selector='#go')",
            "0 done 0:1",
            "0 wait 100 Spacing",
            "100 do 0:2 press_key(key='enter')",
            "100 done 0:2",
            "100 leave 0",
            "100 look [0] repeat",
            "100 wait 250 Transition",
            "350 look [0] repeat",
            "350 wait 250 Transition",
            "600 look [0] repeat",
            "600 wait 250 Transition",
            "850 look [0] repeat",
            "850 wait 250 Transition",
            "1100 look [1] run",
            "1100 enter 1 B",
            "1100 leave 1",
            "1100 end completed \"done\"",
        ]
    );
}

#[test]
fn empty_checks_never_match() {
    let free = json!({"name": "Free", "checks": [], "actions": [CLICK], "end_state": "done"});
    let mut scene = Scene::new(&[free, state("A", "u", &[], "end")], &[(0, at("u"))]);
    let told = scene.run();
    assert_eq!(told[1], "0 warning 0 it has no checks, so it never passes.");
    assert_eq!(told.last().unwrap(), "0 end completed \"end\"");
    assert!(scene.acted.is_empty());
}

#[test]
fn an_action_that_fails_is_an_error_although_the_state_has_an_end() {
    let states = [state("A", "u", &[CLICK, KEY], "done")];
    let failure = ActionFailure::Failed("no such element".to_owned());
    let mut scene = Scene::new(&states, &[(0, at("u"))]).fails(0, 1, failure);
    assert_eq!(scene.run().last().unwrap(), "0 end action");
    assert_eq!(scene.acted.len(), 1);
}

#[test]
fn a_text_is_present_whatever_the_blanks_around_its_words() {
    let long = "word ".repeat(30);
    let cut: String = long.chars().take(100).collect();
    let cut = format!("{cut}...");
    for (value, text, passes) in [
        ("Sign in", "Sign in", true),
        (" Sign\n in ", "Sign in", true),
        ("Sign in", "Please Sign in now", false),
        ("sign in", "Sign in", false),
        (long.trim(), cut.as_str(), true),
        (cut.as_str(), cut.as_str(), true),
        ("", "", false),
        (" ", "x", false),
    ] {
        let state = json!({
            "name": "A",
            "checks": [{"type": "text", "value": value}],
            "end_state": "done",
        });
        let mut scene = Scene::new(&[state], &[(0, showing("u", &[(text, "p")]))]);
        let told = if passes {
            "0 look [0] run"
        } else {
            "0 look [] wait"
        };
        assert_eq!(scene.decisions()[0], told, "{value:?} {text:?}");
    }
}

#[test]
fn an_empty_page_has_three_addresses() {
    let empty = ["chrome://new-tab-page/", "chrome://newtab/", "about:blank"];
    for written in empty {
        for shown in empty {
            let mut scene = Scene::new(&[state("A", written, &[], "done")], &[(0, at(shown))]);
            assert_eq!(scene.decisions()[0], "0 look [0] run");
        }
        let mut scene = Scene::new(&[state("A", written, &[], "d")], &[(0, at("https://a/"))]);
        assert_eq!(scene.decisions()[0], "0 look [] wait");
    }
}

#[test]
fn states_of_one_name_are_two_states() {
    let states = [
        state("A", "u", &[CLICK], ""),
        state("A", "v", &[KEY], "done"),
    ];
    let mut scene = Scene::new(&states, &[(0, at("u")), (200, at("v"))]);
    let told = scene.run();
    assert_eq!(told.last().unwrap(), "250 end completed \"done\"");
    assert_eq!(scene.acted.len(), 2);
    assert!(told[1].starts_with("0 warning 1 a state before it has its name"));
}

#[test]
fn both_spellings_of_continuous_are_read_and_the_wrong_one_is_told() {
    for (word, warnings) in [("continous", 1), ("continuous", 0)] {
        let mut state = state("A", "u", &[KEY], "");
        state["config"] = json!({word: true});
        let mut scene = Scene::new(&[state], &[(0, at("u"))]);
        scene.order.settings.recursion_limit = 3;
        let told = scene.run();
        assert_eq!(scene.acted.len(), 3, "{word}");
        let warned = told.iter().filter(|line| line.contains("warning")).count();
        assert_eq!(warned, warnings, "{word}");
    }
}

#[test]
fn a_blank_end_is_none_and_no_limit_is_the_same_error() {
    let mut scene = Scene::new(&[state("A", "u", &[], " ")], &[(0, at("u"))]);
    assert_eq!(scene.run().last().unwrap(), "30250 end state_timeout");
    let mut scene = Scene::new(&[state("A", "u", &[], "")], &[(0, at("x"))]);
    scene.order.settings.no_states_timeout_ms = 0;
    assert_eq!(
        scene.decisions(),
        ["0 look [] end", "0 end no_states_timeout"]
    );
}

#[test]
fn nothing_holds_on_a_page_whose_script_fails() {
    let text = json!({"name": "A", "checks": [{"type": "text", "value": "x"}]});
    let broken = Signals {
        url: Some("u".to_owned()),
        ..Signals::default()
    };
    let mut scene = Scene::new(&[text], &[(0, broken)]);
    assert_eq!(
        scene.decisions().last().unwrap(),
        "60250 end no_states_timeout"
    );
}

#[test]
fn what_cannot_be_done_is_refused_before_the_run() {
    let with = |actions: &[&str]| [state("A", "u", &[], ""), state("B", "v", actions, "")];
    for (actions, line, byte, cause) in [
        (
            &[KEY, "click(selector='it's')"][..],
            2,
            Some(19),
            Cause::Syntax,
        ),
        (&["fly()"][..], 1, Some(0), Cause::UnknownName),
        (&["press_key()"][..], 1, Some(0), Cause::BadArguments),
        (
            &["press_key(parameters['NO'])"][..],
            1,
            None,
            Cause::MissingParameter,
        ),
        (
            &["navigate_to('ftp://a')"][..],
            1,
            None,
            Cause::BadArguments,
        ),
    ] {
        let finding = Scene::new(&with(actions), &[]).finding();
        assert_eq!(
            (finding.state, finding.line, finding.byte),
            (Some(1), Some(line), byte)
        );
        assert_eq!(finding.cause, Some(cause), "{finding}");
    }
    for check in [
        json!({"type": "title", "value": "x"}),
        json!({"type": "url", "value": 5}),
    ] {
        let state = json!({"name": "A", "checks": [{"type": "url", "value": "u"}, check]});
        let finding = Scene::new(&[state], &[]).finding();
        assert!(
            finding.to_string().starts_with("state 1: check 2 "),
            "{finding}"
        );
    }
}

#[test]
fn terminate_ends_the_actions_and_what_writes_a_file_is_passed_over() {
    let old = state("A", "u", &[KEY, "terminate('x')", CLICK], "done");
    let mut scene = Scene::new(&[old], &[(0, at("u"))]);
    assert_eq!(scene.run().last().unwrap(), "0 end completed \"done\"");
    assert_eq!(scene.acted.len(), 1);
    let later = json!({
        "name": "A",
        "checks": [{"type": "url", "params": {"url": "u"}}],
        "actions": [
            {"type": "start_stats_logging", "params": {"out_path": "x"}},
            {"type": "press_key", "params": {"key": "a"}},
            {"type": "terminate", "params": {"reason": ""}},
            {"type": "press_key", "params": {"key": "b"}},
        ],
        "end_state": "done",
    });
    let mut scene = Scene::new(&[later], &[(0, at("u"))]);
    let told = scene.run();
    assert_eq!(
        told[1],
        "0 warning 0 an action would write a file, and is passed over."
    );
    assert_eq!(scene.acted.len(), 1);
}

#[test]
fn the_browser_answers_the_queries_of_the_later_format() {
    let state = |name: &str, selector: &str| {
        json!({
            "name": name,
            "checks": [{"type": "element", "params": {"by": "css selector", "selector": selector}}],
            "end_state": name,
        })
    };
    let states = [state("A", "#a"), state("B", "#b"), state("C", "#a")];
    let page = |found: Vec<usize>| Signals { found, ..at("u") };
    let mut scene = Scene::new(&states[..2], &[(0, page(vec![])), (100, page(vec![1]))]);
    assert_eq!(scene.run().last().unwrap(), "250 end completed \"B\"");
    // A query is asked once, even if two states have it.
    let mut scene = Scene::new(&states, &[(0, page(vec![0]))]);
    assert_eq!(
        scene.decisions(),
        ["0 look [0, 2] end", "0 end multiple_states"]
    );
}

#[test]
fn every_surprise_is_told() {
    let surprising: [(Value, &str); 4] = [
        (
            json!({"name": "A", "checks": []}),
            "it has no checks, so it never passes.",
        ),
        (
            state("A", "u", &["terminate('x')"], ""),
            "`terminate` is no function of the old format; its actions end there.",
        ),
        (
            state("A", "u", &[], " "),
            "its end is blank, and counts as none.",
        ),
        (
            json!({
                "name": "A",
                "checks": [{"type": "url", "value": "u"}],
                "config": {"continous": true},
            }),
            "`continous` is read as `continuous`.",
        ),
    ];
    for (state, says) in surprising {
        let told = Scene::new(&[state], &[(0, at("x"))]).run();
        assert_eq!(told[1], format!("0 warning 0 {says}"));
    }
}
