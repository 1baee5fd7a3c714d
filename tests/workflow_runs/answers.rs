//! Large, late or empty answers of tools: what a run stores of them, and what it reports about the rest.

use devtools::rehearsal::simulation::SimulatedRun;
use serde_json::{Value, json};

use crate::workflow::table::{edge, equals, id, node};

use super::bench::{Bench, last};

const ERAS: [&str; 2] = ["modern", "legacy"];

/// A desktop server with this fault at calls with these numbers.
fn desk(era: &str, fault: &str, calls: std::ops::RangeInclusive<usize>) -> Bench {
    let faults: Vec<_> = calls.map(|n| format!("&fault={fault}@{n}")).collect();
    Bench::new(&format!("/mcp/desk?eras={era}{}", faults.concat()), false)
}

/// Returns nodes that call this tool, one after the other.
fn calls(count: usize, tool: &str) -> Value {
    let call = json!({"tool_name": tool, "arguments": {}});
    let nodes: Vec<_> = (1..=count)
        .map(|n| node(n, &format!("Call {n}"), "McpToolCall", call.clone()))
        .collect();
    let edges: Vec<_> = (1..count).map(|from| edge(from, from + 1, "")).collect();
    json!({"id": id(0), "name": "answers", "nodes": nodes, "edges": edges})
}

/// Returns the payloads of the events of this type.
fn payloads(run: &SimulatedRun, kind: &str) -> Vec<Value> {
    let events = run.events.iter().filter(|event| event.kind == kind);
    let events = events.map(|event| serde_json::from_str::<Value>(&event.json).unwrap());
    events.map(|event| event["payload"].clone()).collect()
}

fn message(run: &SimulatedRun) -> String {
    let last = last(run);
    last["payload"]["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_picture_that_is_not_kept_is_counted_and_told() {
    for era in ERAS {
        let mut bench = desk(era, "large-picture", 1..=18);
        let run = bench.conduct(&calls(18, "list_apps"), &json!({}));
        assert_eq!(last(&run)["type"], "completed", "{}", message(&run));
        let results = payloads(&run, "tool_result");
        let counts: Vec<_> = results
            .iter()
            .map(|payload| &payload["image_count"])
            .collect();
        assert_eq!(counts, [&json!(1); 18], "{era}");
        let kept = results
            .iter()
            .filter(|payload| payload["images"] != json!([]));
        assert_eq!(kept.count(), 16, "24 MiB have room for 16 of them");
        let warnings = payloads(&run, "warning");
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        let says = warnings[0]["message"].as_str().unwrap();
        for part in ["list_apps", "a picture", "1500000 bytes", "25165824"] {
            assert!(says.contains(part), "{part}: {says}");
        }
    }
}

#[test]
fn a_picture_that_cannot_be_read_is_counted_and_told() {
    let mut bench = desk("modern", "broken-picture", 1..=1);
    let run = bench.conduct(&calls(1, "list_apps"), &json!({}));
    assert_eq!(payloads(&run, "tool_result")[0]["image_count"], 1);
    let warnings = payloads(&run, "warning");
    let says = warnings[0]["message"].as_str().unwrap();
    assert!(says.contains("base64"), "{says}");
}

#[test]
fn an_answer_that_is_too_long_names_its_length_and_the_limit() {
    for era in ERAS {
        let mut bench = desk(era, "huge-picture", 1..=1);
        let run = bench.conduct(&calls(1, "list_apps"), &json!({}));
        let says = message(&run);
        for part in ["8000000 bytes", "a picture of 6 MB"] {
            assert!(says.contains(part), "{era}: {part}: {says}");
        }
    }
}

#[test]
fn a_value_without_words_is_a_value_in_both_dialects() {
    for dialect in ["seed", "clickweave"] {
        for era in ERAS {
            let mut bench = desk(era, "structured-alone", 1..=1);
            let mut workflow = calls(2, "list_apps");
            let condition = equals("call_1.name", json!("Ledger"));
            workflow["nodes"][1] = node(2, "Is it", "If", json!({"condition": condition}));
            for (n, name) in [(3, "Yes"), (4, "No")] {
                let call = json!({"tool_name": "list_apps", "arguments": {}});
                let nodes = workflow["nodes"].as_array_mut().unwrap();
                nodes.push(node(n, name, "McpToolCall", call));
            }
            workflow["edges"] =
                json!([edge(1, 2, ""), edge(2, 3, "IfTrue"), edge(2, 4, "IfFalse")]);
            let run = bench.conduct(&workflow, &json!({"dialect": dialect}));
            let branches = payloads(&run, "branch_evaluated");
            assert_eq!(branches[0]["result"], true, "{dialect} {era}: {branches:?}");
            let told = payloads(&run, "tool_result");
            assert!(
                told[0]["text"].as_str().unwrap().contains("Ledger"),
                "{told:?}"
            );
        }
    }
}

#[test]
fn a_tool_that_tells_progress_is_waited_for_longer() {
    for era in ERAS {
        let mut bench = desk(era, "long-progress", 1..=1);
        let run = bench.conduct(&calls(1, "list_apps"), &json!({}));
        assert_eq!(last(&run)["type"], "completed", "{era}: {}", message(&run));
        assert!(last(&run)["payload"]["spent"]["runtime_ms"].as_u64() >= Some(80_000));
    }
}

/// Returns the duration of a run whose only call has this fault, and its final message.
fn waited(fault: &str, options: &Value) -> (u64, String) {
    let mut bench = desk("legacy", fault, 1..=1);
    let run = bench.conduct(&calls(1, "list_apps"), options);
    assert_eq!(last(&run)["payload"]["reason"], "unknown_outcome");
    let runtime_ms = last(&run)["payload"]["spent"]["runtime_ms"].as_u64();
    (runtime_ms.unwrap(), message(&run))
}

#[test]
fn no_tool_is_waited_for_without_end_and_the_option_is_named() {
    // Silence: the answer, or progress, must come within `callMs`.
    let (runtime_ms, says) = waited("never", &json!({"callMs": 7000}));
    assert!((7_000..8_000).contains(&runtime_ms), "{runtime_ms}");
    assert!(
        says.contains("7000 ms") && says.contains("callMs"),
        "{says}"
    );
    // Endless progress: five times as long.
    let (runtime_ms, says) = waited("endless-progress", &json!({"callMs": 7000}));
    assert!((35_000..37_000).contains(&runtime_ms), "{runtime_ms}");
    assert!(
        says.contains("35000 ms") && says.contains("callMs"),
        "{says}"
    );
    // No longer than the run.
    let options = json!({"callMs": 60_000, "runtimeMs": 20_000});
    let (runtime_ms, says) = waited("endless-progress", &options);
    assert!((20_000..22_000).contains(&runtime_ms), "{runtime_ms}");
    assert!(
        says.contains("20000 ms") && says.contains("runtimeMs"),
        "{says}"
    );
}
