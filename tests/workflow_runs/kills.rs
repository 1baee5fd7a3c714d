//! The process of a workflow dies at each of its operations, before and after the effect.

use devtools::rehearsal::simulation::{FaultKind, FaultTiming, InjectedFault, SimulatedRun};
use serde_json::{Value, json};

use crate::workflow::table::{edge, node};

use super::bench::{Bench, example, last};

/// Ten calls: some look, some act.
fn workflow() -> Value {
    let click = |number, name: &str, y: f64| {
        let place = json!({"x": 140.0, "y": y, "button": "Left", "click_count": 1});
        node(number, name, "Click", place)
    };
    let words =
        |number, name: &str, text: &str| node(number, name, "TypeText", json!({"text": text}));
    let find = |number, name: &str, text: &str| {
        node(
            number,
            name,
            "FindText",
            json!({"search_text": text, "match_mode": "Contains"}),
        )
    };
    let nodes = [
        click(1, "Field", 75.0),
        words(2, "Words", "Pencils"),
        find(3, "Look", "Name"),
        node(4, "Key", "PressKey", json!({"key": "Tab", "modifiers": []})),
        words(5, "Number", "12.5"),
        node(6, "Windows", "ListWindows", json!({})),
        click(7, "Store", 155.0),
        find(8, "First look", "Amount"),
        find(9, "Second look", "Clear"),
    ];
    let edges: Vec<Value> = (1..9).map(|from| edge(from, from + 1, "")).collect();
    json!({
        "id": "00000000-0000-4000-8000-0000000000ff", "name": "kills", "nodes": nodes, "edges": edges,
    })
}

/// Returns the content of each event, without times.
fn story(run: &SimulatedRun) -> Vec<String> {
    let events = run.events.iter().map(|event| {
        let mut json: Value = serde_json::from_str(&event.json).unwrap();
        json["timestamp"] = Value::Null;
        if let Some(spent) = json.pointer_mut("/payload/spent") {
            *spent = Value::Null;
        }
        json.to_string()
    });
    events.collect()
}

fn acts(call: &str) -> bool {
    ["click", "type_text", "press_key"]
        .iter()
        .any(|tool| call.starts_with(tool))
}

/// Crashes at this operation; returns the run, and the calls really executed.
fn killed(
    era: &str,
    is_trusted: bool,
    number: u32,
    when: FaultTiming,
) -> (SimulatedRun, Vec<String>) {
    let crash = InjectedFault {
        at: None,
        number,
        when,
        kind: FaultKind::Crash,
    };
    let bench = Bench::new(&format!("/mcp/desk?eras={era}"), is_trusted);
    let mut bench = bench.with_faults(vec![crash]);
    let run = bench.conduct(&workflow(), &json!({}));
    let executed = bench.executed();
    (run, executed)
}

#[test]
fn no_call_is_doubled_and_none_is_lost_wherever_the_process_dies() {
    for era in ["modern", "legacy"] {
        let mut bench = Bench::new(&format!("/mcp/desk?eras={era}"), true);
        let reference = bench.conduct(&workflow(), &json!({}));
        let expected = bench.executed();
        assert_eq!(last(&reference)["type"], "completed");
        let (mut whole, mut unknown) = (0, 0);
        for number in 1..=u32::try_from(reference.operations.len()).unwrap() {
            for when in FaultTiming::ALL {
                for is_trusted in [false, true] {
                    let what = format!("{era}, {number} {when:?}, trusted {is_trusted}");
                    let (run, executed) = killed(era, is_trusted, number, when);
                    check_calls(&expected, &executed, is_trusted, &what);
                    if last(&run)["type"] == "completed" {
                        assert!(story(&run) == story(&reference), "{what}: another story");
                        whole += 1;
                    } else {
                        check_unknown(&run, &executed, &what);
                        unknown += 1;
                    }
                }
            }
        }
        println!(
            "{era}: {whole} runs went on to the same end, {unknown} stopped with an unknown outcome"
        );
        assert!(whole > unknown, "{whole} {unknown}");
        assert!(unknown > 0);
    }
}

#[test]
fn a_second_death_before_the_answer_makes_no_call_again() {
    let mut bench = Bench::new("/mcp/desk?eras=modern", true);
    let reference = bench.conduct(&workflow(), &json!({}));
    let expected = bench.executed();
    let operations = u32::try_from(reference.operations.len()).unwrap();
    let (mut whole, mut unknown) = (0, 0);
    for first in 1..=operations {
        for later in 1..=5 {
            let crash = |number, when| InjectedFault {
                at: None,
                number,
                when,
                kind: FaultKind::Crash,
            };
            let what = format!("{first}, and {later} later");
            let faults = vec![
                crash(first, FaultTiming::After),
                crash(first + later, FaultTiming::After),
            ];
            let mut bench = Bench::new("/mcp/desk?eras=modern", true).with_faults(faults);
            let run = bench.conduct(&workflow(), &json!({}));
            let executed = bench.executed();
            check_calls(&expected, &executed, true, &what);
            if last(&run)["type"] == "completed" {
                whole += 1;
            } else {
                check_unknown(&run, &executed, &what);
                unknown += 1;
            }
        }
    }
    println!("{whole} runs went on to the same end, {unknown} stopped with an unknown outcome");
    assert!(whole > unknown && unknown > 0, "{whole} {unknown}");
}

/// Checks that no acting call was repeated, and that none was skipped before an executed one.
fn check_calls(expected: &[String], executed: &[String], is_trusted: bool, what: &str) {
    let mut wanted = expected.iter().peekable();
    let mut before: Option<&String> = None;
    for call in executed {
        let is_repeated = before == Some(call) && wanted.peek() != Some(&call);
        if is_repeated {
            assert!(is_trusted && !acts(call), "{what}: {call} was called again");
            continue;
        }
        assert_eq!(wanted.next(), Some(call), "{what}: {executed:#?}");
        before = Some(call);
    }
}

/// Checks that the run reports it, and where to look; nothing was executed after it.
fn check_unknown(run: &SimulatedRun, executed: &[String], what: &str) {
    let last = last(run);
    assert_eq!(
        last["payload"]["reason"], "unknown_outcome",
        "{what}: {last}"
    );
    let message = last["payload"]["message"].as_str().unwrap();
    assert!(
        message.contains("look at the server desk"),
        "{what}: {message}"
    );
    let answers = run
        .journal
        .iter()
        .filter(|entry| entry.starts_with("{\"answer\""));
    let tools = answers.filter(|entry| entry.contains("\"called\""));
    assert!(executed.len() <= tools.count(), "{what}");
}

#[test]
fn a_stream_that_a_dead_process_read_is_taken_up_by_the_next() {
    let server = "/mcp/desk?eras=legacy&fault=slow-progress@2";
    let mut bench = Bench::new(server, false);
    let reference = bench.conduct(&workflow(), &json!({}));
    let heard = reference
        .journal
        .iter()
        .position(|entry| entry.contains("\"heard\""));
    assert!(heard.is_some(), "{:#?}", reference.journal);
    let mut taken_up = 0;
    for number in 1..=u32::try_from(reference.operations.len()).unwrap() {
        let crash = InjectedFault {
            at: None,
            number,
            when: FaultTiming::After,
            kind: FaultKind::Crash,
        };
        let mut bench = Bench::new(server, false).with_faults(vec![crash]);
        let run = bench.conduct(&workflow(), &json!({}));
        let died_reading = {
            let woken = run
                .journal
                .iter()
                .rposition(|entry| entry.starts_with("{\"woken\""));
            let before = woken.and_then(|woken| run.journal.get(woken - 1));
            before.is_some_and(|entry| entry.contains("\"heard\""))
        };
        if died_reading {
            assert_eq!(last(&run)["type"], "completed", "{:#?}", run.journal);
            assert!(story(&run) == story(&reference), "{number}: another story");
            taken_up += 1;
        }
    }
    assert!(taken_up > 0);
}

#[test]
fn an_investigation_is_begun_once_wherever_the_process_dies() {
    let mut workflow = example();
    // Only the investigation and what depends on it.
    workflow["nodes"].as_array_mut().unwrap().retain(|node| {
        matches!(
            node["name"].as_str(),
            Some("Chain" | "Is there one?" | "Open the notes" | "Clear the form")
        )
    });
    let kept: Vec<String> = workflow["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["id"].to_string())
        .collect();
    workflow["edges"].as_array_mut().unwrap().retain(|edge| {
        kept.contains(&edge["from"].to_string()) && kept.contains(&edge["to"].to_string())
    });
    let mut bench = Bench::new("/mcp/desk", true);
    let reference = bench.conduct(&workflow, &json!({}));
    assert_eq!(last(&reference)["type"], "completed");
    for number in 1..=u32::try_from(reference.operations.len()).unwrap() {
        for when in FaultTiming::ALL {
            let crash = InjectedFault {
                at: None,
                number,
                when,
                kind: FaultKind::Crash,
            };
            let mut bench = Bench::new("/mcp/desk", true).with_faults(vec![crash]);
            // It is the only one that the run may begin, and is not begun again.
            let run = bench.conduct(&workflow, &json!({"investigations": 1}));
            assert_eq!(last(&run)["type"], "completed", "{number} {when:?}");
            assert_eq!(bench.simulation.children(), 1, "{number} {when:?}");
        }
    }
}
