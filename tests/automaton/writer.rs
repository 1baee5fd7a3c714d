//! Automata written back as files.

use std::fs;
use std::path::Path;

use automaton::machine::states::Automaton;
use serde_json::{Value, json};

use crate::random::XorShift64;

/// Writes a file's content, parses that, and returns what was written.
#[track_caller]
fn again(automaton: &Automaton, file: &str) -> Value {
    let written = automaton.to_json();
    let read = Automaton::parse(written.to_string().as_bytes()).unwrap();
    assert!(read == *automaton, "{file}: {written:#}");
    assert_eq!(read.to_json(), written, "{file}");
    written
}

#[track_caller]
fn written(state: Value) -> Value {
    let automaton = Automaton::from_json(&json!([state])).unwrap();
    again(&automaton, "")[0].clone()
}

#[test]
fn every_real_file_beside_the_project_is_written_back_as_the_same_automaton() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/automata");
    if !folder.is_dir() {
        eprintln!("skipped: there are no files of states beside the project");
        return;
    }
    let mut same = 0;
    for file in ["old", "new"].map(|format| fs::read_dir(folder.join(format)).unwrap()) {
        for file in file {
            let path = file.unwrap().path();
            let automaton = Automaton::parse(&fs::read(&path).unwrap()).unwrap();
            again(&automaton, &path.display().to_string());
            same += 1;
        }
    }
    assert_eq!(same, 18);
}

#[test]
fn a_state_of_the_old_format_is_written_in_it() {
    let state = json!({
        "name": "A", "description": "d",
        "checks": [{"type": "url", "value": "u"}, {"type": "element", "value": "a.b"}],
        "actions": ["wait(seconds=2)", "nobody()", "terminate()"],
        "end_state": "done", "config": {"continous": true},
    });
    assert_eq!(written(state.clone()), state);
}

#[test]
fn a_state_of_the_later_format_is_written_in_it() {
    let state = json!({
        "name": "A", "description": "",
        "checks": [
            {"type": "url", "params": {"url": "u"}},
            {"type": "text", "params": {"text": "t"}},
            {"type": "element", "params": {"by": "css selector", "selector": "video", "timeout": 5}},
            {"type": "element", "params": {
                "by": "xpath", "selector": "//a", "check_visibility": false, "timeout": 0.25,
            }},
        ],
        "actions": [
            {"type": "navigate", "params": {"url": "https://a"}},
            {"type": "click", "params": {"by": "id", "selector": "a", "x": 3.5, "y": 4}},
            {"type": "scroll", "params": {"direction": "up", "scroll_amount": 2.5}},
            {"type": "start_stats_logging", "params": {}},
            {"type": "stop_stats_logging", "params": {}},
            {"type": "fly", "params": {"far": true}},
            7,
            {"type": "terminate", "params": {}},
        ],
        "end_state": "", "config": {"continuous": false, "unproven": true},
    });
    assert_eq!(written(state.clone()), state);
}

#[test]
fn what_has_no_place_in_a_format_is_written_so_that_it_reads_the_same() {
    let call = "type(by='id', selector='a', text='x' + parameters['P'])";
    let state = written(json!({
        "name": "A",
        "checks": [
            {"type": "text", "params": {"text": "it's", "check_visibility": false}},
            {"type": "element", "value": "a"}, {"type": "url", "value": 5},
            {"type": "title", "params": {"title": "x"}}, {"type": "title", "value": "x"},
        ],
        "actions": [call, {"type": "scroll", "params": {"pixels": 250}}, "wait(1)"],
        "end_state": null,
    }));
    let selector = "//*[normalize-space(text())=\"it's\"]";
    let params = json!({"by": "xpath", "selector": selector, "check_visibility": false});
    let checks = json!([
        {"type": "element", "params": params},
        {"type": "element", "value": "a"},
        {"type": "url", "value": null},
        {"type": "unknown", "params": {}},
        {"type": "unknown", "value": "x"},
    ]);
    assert_eq!(state["checks"], checks);
    let actions = json!([
        call,
        {"type": "scroll", "params": {"scroll_amount": 2.5}},
        {"type": "wait", "params": {"seconds": 1}},
    ]);
    assert_eq!(state["actions"], actions);
}

#[test]
fn a_box_without_a_size_is_a_point_and_every_other_one_a_box() {
    for given in [
        json!({"x": 1, "y": 2.5}),
        json!({"x": 1}),
        json!({"fallback_x": 1, "fallback_width": 2}),
        json!({"fallback_width": 0}),
        json!({"x": 1, "fallback_y": 2, "fallback_height": 0.0}),
        json!({"x": 1, "y": 2, "fallback": "always"}),
    ] {
        let mut params = json!({"by": "id", "selector": "a"});
        let members = params.as_object_mut().unwrap();
        members.extend(given.as_object().unwrap().clone());
        let action = json!({"type": "click", "params": params});
        let state = written(json!({"name": "A", "actions": [action]}));
        assert_eq!(state["actions"], json!([action]));
    }
}

fn any(chance: &mut XorShift64, values: &[Value]) -> Value {
    values[chance.below(values.len())].clone()
}

fn any_state(chance: &mut XorShift64) -> Value {
    let words = [
        json!("u"),
        json!("it's \"so\" \\ \n"),
        json!(""),
        json!("\u{1f642}"),
    ];
    let numbers = [
        json!(0),
        json!(0.0),
        json!(-3),
        json!(0.1),
        json!(1e9),
        json!(null),
        json!("x"),
        json!([1]),
    ];
    let (word, number) = (any(chance, &words), any(chance, &numbers));
    let timeout = any(
        chance,
        &[json!(0), json!(0.1), json!(0.0005), json!(59.999)],
    );
    let flag = any(chance, &[json!(true), json!(false), json!(null)]);
    let checks = [
        json!({"type": "url", "value": word}),
        json!({"type": "text", "value": number}),
        json!({"type": "text", "params": {"text": word, "check_visibility": flag, "timeout": timeout}}),
        json!({"type": "element", "params": {"by": "xpath", "selector": word, "timeout": timeout}}),
        json!({"type": "url", "params": {"url": word}}),
        json!({"type": "element", "value": word}),
        json!({"type": "odd", "value": word}),
        json!({"type": "odd", "params": number}),
    ];
    let actions = [
        json!({"type": "click", "params": {"by": "id", "selector": word, "x": number, "y": 0}}),
        json!({"type": "type", "params": {"by": "id", "selector": "a", "text": word, "y": number}}),
        json!({"type": "scroll", "params": {"pixels": number, "direction": "up"}}),
        json!({"type": "wait", "params": {"seconds": number}}),
        json!({"type": "terminate"}),
        json!({"type": "stop_stats_logging", "params": number}),
        json!(format!("press_key({word})")),
        json!("type('id', 'a', 'x' + parameters['P'], fallback_x=0)"),
        json!("terminate(parameters['P'])"),
        number.clone(),
    ];
    let checks: Vec<Value> = (0..chance.below(4)).map(|_| any(chance, &checks)).collect();
    let actions: Vec<Value> = (0..chance.below(5))
        .map(|_| any(chance, &actions))
        .collect();
    json!({
        "name": word,
        "checks": checks,
        "actions": actions,
        "end_state": any(chance, &[word, json!(null)]),
        "config": {"continous": flag, "unproven": any(chance, &[json!(true), json!(1)])},
    })
}

#[test]
fn whatever_can_be_read_is_written_back_as_the_same_automaton() {
    let mut chance = XorShift64(0xF0_06);
    let mut read = 0;
    for _ in 0..20_000 {
        let states: Vec<Value> = (0..chance.below(4))
            .map(|_| any_state(&mut chance))
            .collect();
        let states = Value::from(states);
        if let Ok(automaton) = Automaton::from_json(&states) {
            again(&automaton, &states.to_string());
            read += 1;
        }
    }
    assert!(read > 10_000, "{read}");
}
