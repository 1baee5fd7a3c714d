//! The rules of the loop: which state runs, which one repeats, and what ends a run.

use automaton::machine::Settings;
use domain::page::Signals;
use serde_json::{Value, json};

use super::scene::{CLICK, KEY, Scene, at, showing, state};

#[test]
fn settings_have_their_defaults() {
    let settings = Settings::default();
    let periods = (settings.transition_period_ms, settings.action_period_ms);
    let timeouts = (settings.state_timeout_ms, settings.no_states_timeout_ms);
    assert_eq!((periods, timeouts), ((250, 0), (30_000, 60_000)));
    assert_eq!(
        (settings.recursion_limit, settings.allows_multiple_states),
        (50, false)
    );
    let expected = Settings {
        no_states_timeout_ms: 10_000,
        ..settings
    };
    assert_eq!(Settings::with_prompts(), expected);
}

#[test]
fn a_wait_that_a_state_wants_comes_beside_the_time_between_two_actions() {
    let states = [state("A", "u", &[CLICK, "wait(2)", KEY], "done")];
    let click = "click(by='css selector', selector='#go')";
    let mut scene = Scene::new(&states, &[(0, at("u"))]);
    scene.order.settings.action_period_ms = 1_000;
    assert_eq!(
        scene.run(),
        [
            "0 start 1",
            "0 look [0] run",
            "0 enter 0 A",
            &format!("0 do 0:1 {click}"),
            "0 done 0:1",
            "0 wait 1000 Spacing",
            "1000 do 0:2 wait(seconds=2)",
            "1000 wait 2000 Wanted",
            "3000 wait 1000 Spacing",
            "4000 do 0:3 press_key(key='enter')",
            "4000 done 0:3",
            "4000 leave 0",
            "4000 look [0] end",
            "4000 end completed \"done\"",
        ]
    );
}

#[test]
fn a_check_compares_with_the_whole_text_selector_or_address() {
    let page = showing("https://a/", &[("Sign in", "a.b"), ("x", "span")]);
    for (kind, value, passes) in [
        ("url", "https://a/", true),
        ("url", "https://a", false),
        ("url", "https://A/", false),
        ("text", "Sign in", true),
        ("text", "x", true),
        ("text", "Sign", false),
        ("text", "a.b", false),
        ("element", "a.b", true),
        ("element", "a", false),
        ("element", "a.b ", false),
        ("element", "Sign in", false),
        ("element", "", false),
    ] {
        let mut state = state("A", "", &[], "done");
        state["checks"] = json!([{"type": kind, "value": value}]);
        let mut scene = Scene::new(&[state], &[(0, page.clone())]);
        let told = if passes {
            "0 look [0] run"
        } else {
            "0 look [] wait"
        };
        assert_eq!(scene.decisions()[0], told, "{kind} {value}");
    }
}

#[test]
fn an_address_is_compared_where_the_page_script_fails_and_none_is_no_address() {
    let states = [state("A", "u", &[], "done")];
    let broken = Signals {
        url: Some("u".to_owned()),
        ..Signals::default()
    };
    let mut scene = Scene::new(&states, &[(0, broken)]);
    assert_eq!(scene.decisions()[0], "0 look [0] run");
    let mut scene = Scene::new(&states, &[(0, Signals::default())]);
    assert_eq!(scene.decisions()[0], "0 look [] wait");
}

#[test]
fn the_time_without_a_state_counts_from_the_first_look_at_which_none_passes() {
    let states = [state("A", "u", &[CLICK], "")];
    let mut scene = paced(&states, &[(0, at("x"))]);
    scene.order.settings.no_states_timeout_ms = 6_000;
    assert_eq!(
        scene.decisions()[..5],
        [
            "0 look [] wait",
            "3000 look [] wait",
            "6000 look [] wait",
            "9000 look [] end",
            "9000 end no_states_timeout",
        ]
    );
    // A matching state stops the timer, even if it only repeats.
    let page = [
        (0, at("u")),
        (2_000, at("x")),
        (8_000, at("u")),
        (10_000, at("x")),
    ];
    let mut scene = paced(&states, &page);
    scene.order.settings.no_states_timeout_ms = 6_000;
    let told = scene.decisions();
    assert_eq!(told[3..5], ["6000 look [] wait", "9000 look [0] repeat"]);
    assert_eq!(told.last().unwrap(), "21000 end no_states_timeout");
}

#[test]
fn looks_are_not_counted_as_states() {
    let states = [state("A", "u", &[], "")];
    let mut scene = paced(&states, &[(0, at("x")), (20_000, at("u"))]);
    scene.order.settings.recursion_limit = 1;
    let told = scene.decisions();
    assert_eq!(
        told[7..],
        ["21000 look [0] run", "21000 end recursion_limit"]
    );
}

#[test]
fn several_states_that_pass_are_named_or_the_first_is_taken() {
    let states = [
        state("A", "u", &[CLICK], ""),
        state("B", "v", &[], ""),
        state("C", "u", &[KEY], "done"),
    ];
    let mut scene = Scene::new(&states, &[(0, at("u"))]);
    let told = scene.run();
    assert_eq!(told[1], "0 look [0, 2] end");
    assert_eq!(told[2], "0 end multiple_states");
    assert!(scene.acted.is_empty());
    scene.order.settings.allows_multiple_states = true;
    assert_eq!(scene.run()[1..3], ["0 look [0, 2] run", "0 enter 0 A"]);
}

#[test]
fn a_state_repeats_through_a_gap_and_its_timer_goes_on() {
    let states = [state("A", "u", &[CLICK], "")];
    let page = [(0, at("u")), (4_000, at("x")), (10_000, at("u"))];
    let mut scene = paced(&states, &page);
    scene.order.settings.state_timeout_ms = 11_000;
    let told = [
        "0 look [0] run",
        "0 look [0] repeat",
        "3000 look [0] repeat",
        "6000 look [] wait",
        "9000 look [] wait",
        "12000 look [0] end",
        "12000 end state_timeout",
    ];
    assert_eq!(scene.decisions()[..7], told);
    assert_eq!(scene.acted.len(), 1);
}

#[test]
fn a_state_that_comes_again_after_a_gap_is_a_surprise_that_is_told_once() {
    let page = [(0, at("u")), (100, at("x")), (1_000, at("u"))];
    let told = Scene::new(&[state("A", "u", &[], "")], &page).run();
    let surprises = told.iter().filter(|line| line.contains("it comes again"));
    // Its first repeat was before the gap.
    assert_eq!(surprises.count(), 0, "{told:#?}");
    let states = [state("A", "u", &["wait(0.2)"], "")];
    let told = Scene::new(&states, &page).run();
    let surprises = told.iter().filter(|line| line.contains("it comes again"));
    assert_eq!(surprises.count(), 1, "{told:#?}");
}

#[test]
fn another_state_stops_the_timer() {
    let states = [state("A", "u", &[], ""), state("B", "v", &[], "")];
    let page = [(0, at("u")), (7_000, at("v")), (10_000, at("u"))];
    let mut scene = paced(&states, &page);
    scene.order.settings.state_timeout_ms = 8_000;
    // The timer restarts at 12 s, after the other state ran at 9 s.
    assert_eq!(scene.decisions().last().unwrap(), "21000 end state_timeout");
}

#[test]
fn a_continuous_state_runs_again() {
    for (value, runs_again) in [
        (json!(true), true),
        (json!("no"), true),
        (json!(null), true),
        (json!(false), false),
        (json!(0), false),
        (json!(0.0), false),
    ] {
        let mut state = state("A", "u", &[KEY], "");
        state["config"] = json!({"continuous": value});
        let mut scene = Scene::new(&[state], &[(0, at("u"))]);
        scene.order.settings.recursion_limit = 3;
        scene.order.settings.state_timeout_ms = 3_000;
        scene.run();
        assert_eq!(scene.acted.len(), if runs_again { 3 } else { 1 }, "{value}");
    }
}

#[test]
fn a_run_without_states_or_that_may_run_none_ends_at_once() {
    let states = [state("A", "u", &[], "")];
    let mut scene = Scene::new(&states, &[(0, at("u"))]);
    scene.order.settings.recursion_limit = 0;
    assert_eq!(scene.run(), ["0 start 1", "0 end recursion_limit"]);
    let mut scene = Scene::new(&[], &[(0, at("u"))]);
    assert_eq!(scene.run(), ["0 start 0", "0 end no_states_provided"]);
}

#[test]
fn a_limit_below_zero_is_one_that_is_over() {
    let states = [state("A", "u", &[], "")];
    let mut scene = Scene::new(&states, &[(0, at("x"))]);
    scene.order.settings.no_states_timeout_ms = -1;
    assert_eq!(
        scene.decisions(),
        ["0 look [] end", "0 end no_states_timeout"]
    );
    let mut scene = Scene::new(&states, &[(0, at("u"))]);
    scene.order.settings.state_timeout_ms = -1;
    assert_eq!(
        scene.decisions()[1..],
        ["0 look [0] end", "0 end state_timeout"]
    );
}

#[test]
fn what_is_false_is_no_end() {
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
        let mut scene = Scene::new(&[state], &[(0, at("u"))]);
        scene.order.settings.recursion_limit = 1;
        assert_eq!(scene.run().last().unwrap(), "0 end recursion_limit");
    }
}

/// A scene that looks at the page every three seconds.
fn paced(states: &[Value], page: &[(u64, Signals)]) -> Scene {
    let mut scene = Scene::new(states, page);
    scene.order.settings.transition_period_ms = 3_000;
    scene
}
