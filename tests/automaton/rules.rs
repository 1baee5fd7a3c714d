//! The rules of the dialect `netgent-be8a03a`, one test or more for each.

use automaton::machine::{Dialect, Settings};
use domain::page::{ActionFailure, Signals};
use serde_json::json;

use super::scene::{CLICK, KEY, Scene, at, showing, state};

fn failed() -> ActionFailure {
    ActionFailure::Failed("no such element".to_owned())
}

#[test]
fn rule_1_has_its_defaults() {
    let settings = Settings::of(Dialect::NetgentBe8a03a);
    let periods = (settings.transition_period_ms, settings.action_period_ms);
    let timeouts = (settings.state_timeout_ms, settings.no_states_timeout_ms);
    assert_eq!((periods, timeouts), ((3_000, 1_000), (30_000, 60_000)));
    assert_eq!(
        (settings.recursion_limit, settings.allows_multiple_states),
        (10, false)
    );
}

#[test]
fn rule_1_waits_before_each_look_and_each_action() {
    let states = [state("A", "u", &[CLICK, "wait(2)", KEY], "done")];
    let click = "click(by='css selector', selector='#go')";
    assert_eq!(
        Scene::original(&states, &[(0, at("u"))]).run(),
        [
            "0 start 1",
            "0 wait 3000 Transition",
            "3000 look [0] run",
            "3000 enter 0 A",
            "3000 wait 1000 Spacing",
            &format!("4000 do 0:1 {click}"),
            "4000 done 0:1",
            "4000 wait 1000 Spacing",
            "5000 do 0:2 wait(seconds=2)",
            "5000 wait 2000 Wanted",
            "7000 wait 1000 Spacing",
            "8000 do 0:3 press_key(key='enter')",
            "8000 done 0:3",
            "8000 leave 0",
            "8000 end completed \"done\"",
        ]
    );
}

#[test]
fn rule_2_compares_as_text() {
    let passes = |check: serde_json::Value, signals: Signals| {
        let mut state = state("A", "", &[], "done");
        state["checks"] = json!([check]);
        let mut scene = Scene::original(&[state], &[(0, signals)]);
        scene.order.settings.no_states_timeout_ms = 0;
        scene.decisions()[0].clone()
    };
    let check = |kind: &str, value: &str| json!({"type": kind, "value": value});
    let page = || {
        showing(
            "chrome://new-tab-page/",
            &[("Sign in", "a.b"), ("x", "span")],
        )
    };
    for (kind, value, passed) in [
        ("url", "chrome://new-tab-page/", true),
        ("url", "chrome://new-tab-page", false),
        ("url", "chrome://newtab/", false),
        ("url", "about:blank", false),
        ("text", "Sign in", true),
        ("text", "x", true),
        ("text", "sign in", false),
        ("text", " Sign in", false),
        ("text", "Sign", false),
        ("text", "", false),
        ("element", "a.b", true),
        ("element", "a", false),
        ("element", "a.b ", false),
    ] {
        let told = if passed {
            "3000 look [0] run"
        } else {
            "3000 look [] end"
        };
        assert_eq!(passes(check(kind, value), page()), told, "{kind} {value}");
    }
    // What is no text equals nothing.
    for value in [json!(null), json!(5), json!(["Sign in"])] {
        let told = passes(json!({"type": "text", "value": value}), page());
        assert_eq!(told, "3000 look [] end");
    }
}

#[test]
fn rule_2_has_checks_that_always_pass_and_checks_that_break_the_run() {
    let none = json!({"name": "A", "checks": [], "end_state": "done"});
    let absent = json!({"name": "A", "end_state": "done"});
    for state in [none, absent] {
        let mut scene = Scene::original(&[state], &[(0, Signals::default())]);
        assert_eq!(
            scene.decisions(),
            ["3000 look [0] run", "3000 end completed \"done\""]
        );
    }
    let unknown = json!({"name": "A", "checks": [{"type": "title", "value": "x"}]});
    let page = [(0, at("u")), (5_000, showing("u", &[("x", "a")]))];
    let mut scene = Scene::original(std::slice::from_ref(&unknown), &page);
    let told = ["3000 look [] wait", "6000 look [] crash", "6000 end crash"];
    assert_eq!(scene.decisions(), told);
    // A check before it that does not hold keeps the run whole.
    let mut guarded = unknown;
    guarded["checks"] = json!([{"type": "url", "value": "v"}, {"type": "title", "value": "x"}]);
    let mut scene = Scene::original(&[guarded], &page);
    assert_eq!(
        scene.decisions().last().unwrap(),
        "66000 end no_states_timeout"
    );
}

#[test]
fn rule_2_breaks_where_the_page_script_fails_and_only_where_it_is_asked() {
    let broken = Signals {
        url: Some("u".to_owned()),
        ..Signals::default()
    };
    let text = json!({"name": "A", "checks": [{"type": "text", "value": "x"}]});
    let mut scene = Scene::original(&[text], &[(0, broken.clone())]);
    let (told, ending) = scene.conduct();
    assert_eq!(told.last().unwrap(), "3000 end crash");
    assert!(format!("{ending:?}").contains("page's script, which has failed"));
    let mut scene = Scene::original(&[state("A", "u", &[], "done")], &[(0, broken)]);
    assert_eq!(scene.decisions()[0], "3000 look [0] run");
    // An address that cannot be read is no address.
    let mut scene = Scene::original(&[state("A", "u", &[], "done")], &[(0, Signals::default())]);
    assert_eq!(scene.decisions()[0], "3000 look [] wait");
}

#[test]
fn rule_3_counts_from_the_first_look_at_which_none_passes() {
    let states = [state("A", "u", &[CLICK], "")];
    let mut scene = Scene::original(&states, &[(0, at("x"))]);
    scene.order.settings.no_states_timeout_ms = 6_000;
    assert_eq!(
        scene.decisions(),
        [
            "3000 look [] wait",
            "6000 look [] wait",
            "9000 look [] wait",
            "12000 look [] end",
            "12000 end no_states_timeout",
        ]
    );
    // A state that passes stops the timer, also where it only repeats.
    let page = [
        (0, at("u")),
        (5_000, at("x")),
        (12_000, at("u")),
        (14_000, at("x")),
    ];
    let mut scene = Scene::original(&states, &page);
    scene.order.settings.no_states_timeout_ms = 6_000;
    let told = scene.decisions();
    assert_eq!(told[4], "16000 look [] wait");
    assert_eq!(told.last().unwrap(), "25000 end no_states_timeout");
}

#[test]
fn rule_3_fails_at_once_without_a_limit_and_counts_no_look() {
    let states = [state("A", "u", &[], "")];
    let mut scene = Scene::original(&states, &[(0, at("x"))]);
    scene.order.settings.no_states_timeout_ms = 0;
    assert_eq!(
        scene.decisions(),
        ["3000 look [] end", "3000 end no_states_passed"]
    );
    let mut scene = Scene::original(&states, &[(0, at("x")), (20_000, at("u"))]);
    scene.order.settings.recursion_limit = 1;
    let told = scene.decisions();
    assert_eq!(
        told[6..],
        ["21000 look [0] run", "21000 end recursion_limit"]
    );
}

#[test]
fn rule_4_names_several_states_or_takes_the_first() {
    let states = [
        state("A", "u", &[CLICK], ""),
        state("B", "v", &[], ""),
        state("C", "u", &[KEY], "done"),
    ];
    let mut scene = Scene::original(&states, &[(0, at("u"))]);
    let told = scene.run();
    assert_eq!(told[2], "3000 look [0, 2] end");
    assert_eq!(told[3], "3000 end multiple_states");
    assert!(scene.acted.is_empty());
    scene.order.settings.allows_multiple_states = true;
    assert_eq!(
        scene.run()[2..4],
        ["3000 look [0, 2] run", "3000 enter 0 A"]
    );
}

#[test]
fn rule_5_repeats_by_name_and_through_gaps() {
    let states = [
        state("A", "u", &[CLICK], ""),
        state("A", "v", &[KEY], "done"),
    ];
    let page = [(0, at("u")), (5_000, at("x")), (8_000, at("v"))];
    let mut scene = Scene::original(&states, &page);
    scene.order.settings.state_timeout_ms = 3_000;
    let told = [
        "3000 look [0] run",
        "7000 look [] wait",
        "10000 look [1] repeat",
        "13000 look [1] repeat",
        "16000 look [1] end",
        "16000 end state_timeout",
    ];
    assert_eq!(scene.decisions(), told);
    assert_eq!(scene.acted.len(), 1);
}

#[test]
fn rule_5_lets_the_timer_go_on_through_gaps_and_another_state_stop_it() {
    let states = [state("A", "u", &[], ""), state("B", "v", &[], "")];
    let page = [(0, at("u")), (7_000, at("x")), (13_000, at("u"))];
    let mut scene = Scene::original(&states, &page);
    scene.order.settings.state_timeout_ms = 8_000;
    // The first repeat is at 6 s.
    let told = scene.decisions();
    assert_eq!(told[1], "6000 look [0] repeat");
    assert_eq!(told.last().unwrap(), "15000 end state_timeout");
    let page = [(0, at("u")), (7_000, at("v")), (10_000, at("u"))];
    let mut scene = Scene::original(&states, &page);
    scene.order.settings.state_timeout_ms = 8_000;
    // The timer begins anew at 15 s, after the other state ran at 9 s.
    assert_eq!(scene.decisions().last().unwrap(), "24000 end state_timeout");
}

#[test]
fn rule_5_runs_again_what_is_continuous() {
    for (value, runs_again) in [
        (json!(true), true),
        (json!("no"), true),
        (json!(null), true),
        (json!(false), false),
        (json!(0), false),
        (json!(0.0), false),
    ] {
        let mut state = state("A", "u", &[KEY], "");
        state["config"] = json!({"continous": value});
        let mut scene = Scene::original(&[state], &[(0, at("u"))]);
        scene.order.settings.recursion_limit = 3;
        scene.order.settings.state_timeout_ms = 3_000;
        scene.run();
        assert_eq!(scene.acted.len(), if runs_again { 3 } else { 1 }, "{value}");
    }
    // The word is spelled so; the right one is not read.
    let mut state = state("A", "u", &[KEY], "");
    state["config"] = json!({"continuous": true});
    let mut scene = Scene::original(&[state], &[(0, at("u"))]);
    scene.run();
    assert_eq!(scene.acted.len(), 1);
}

#[test]
fn rule_6_succeeds_with_an_end_even_if_an_action_failed() {
    let states = [state("A", "u", &[CLICK, KEY, CLICK], "done")];
    let mut scene = Scene::original(&states, &[(0, at("u"))]).fails(0, 2, failed());
    let told = scene.run();
    assert_eq!(told.last().unwrap(), "5000 end completed \"done\"");
    assert_eq!(scene.acted.len(), 2);
    assert!(
        told.iter()
            .any(|line| line.contains("warning 0 one of its actions failed"))
    );
    let states = [state("A", "u", &[CLICK, KEY, CLICK], "")];
    let mut scene = Scene::original(&states, &[(0, at("u"))]).fails(0, 2, failed());
    assert_eq!(scene.run().last().unwrap(), "5000 end action");
    assert_eq!(scene.acted.len(), 2);
}

#[test]
fn rule_6_notices_what_cannot_be_read_at_its_turn() {
    for (action, told) in [
        ("click(selector='it's')", "failed 0:2 syntax unread"),
        ("terminate('x')", "failed 0:2 unknown_name unread"),
        ("click('css selector')", "failed 0:2 bad_arguments unread"),
        (
            "press_key(parameters['NO'])",
            "failed 0:2 missing_parameter unread",
        ),
        (
            "click(parameters['NO'])",
            "failed 0:2 missing_parameter unread",
        ),
        ("navigate_to('ftp://a')", "failed 0:2 failed tried"),
        ("wait(-1)", "failed 0:2 failed tried"),
    ] {
        let states = [state("A", "u", &[KEY, action, KEY], "")];
        let mut scene = Scene::original(&states, &[(0, at("u"))]);
        let lines = scene.run();
        assert!(lines.contains(&format!("5000 {told}")), "{lines:#?}");
        assert_eq!(scene.acted.len(), 1);
    }
}

#[test]
fn rule_6_counts_states_that_ran_and_blank_ends() {
    let states = [state("A", "u", &[], "")];
    let mut scene = Scene::original(&states, &[(0, at("u"))]);
    scene.order.settings.recursion_limit = 0;
    assert_eq!(scene.run(), ["0 start 1", "0 end recursion_limit"]);
    let mut scene = Scene::original(&[], &[(0, at("u"))]);
    assert_eq!(scene.run(), ["0 start 0", "0 end no_states_provided"]);
    let states = [state("A", "u", &[], " ")];
    let told = Scene::original(&states, &[(0, at("u"))]).run();
    assert_eq!(told.last().unwrap(), "3000 end completed \" \"");
}

#[test]
fn rules_3_and_5_take_a_limit_below_zero_for_one_that_is_over() {
    let states = [state("A", "u", &[], "")];
    let mut scene = Scene::original(&states, &[(0, at("x"))]);
    scene.order.settings.no_states_timeout_ms = -1;
    assert_eq!(
        scene.decisions(),
        ["3000 look [] end", "3000 end no_states_timeout"]
    );
    let mut scene = Scene::original(&states, &[(0, at("u"))]);
    scene.order.settings.state_timeout_ms = -1;
    assert_eq!(
        scene.decisions()[1..],
        ["6000 look [0] end", "6000 end state_timeout"]
    );
}

#[test]
fn rule_6_takes_what_is_false_for_no_end() {
    for end in [
        json!(null),
        json!(false),
        json!(0),
        json!(""),
        json!([]),
        json!({}),
    ] {
        let mut state = state("A", "u", &[], "");
        state["end_state"] = end;
        let mut scene = Scene::original(&[state], &[(0, at("u"))]);
        scene.order.settings.recursion_limit = 1;
        assert_eq!(scene.run().last().unwrap(), "3000 end recursion_limit");
    }
}
