//! The documents of a run, and the record read from them.

use devtools::rehearsal::{DocumentWrite, FaultKind, FaultTiming, InjectedFault, Operation};
use engine::store::{Keys, record};
use sandbox::Latency;
use serde_json::Value;
use settings::KV_WRITES_DEFAULT;

use crate::observed::ObservedRun;

use super::scenario::Scenario;

#[test]
fn kv_failing_is_said_and_the_run_goes_on() {
    for kind in [FaultKind::FailForever, FaultKind::HangForever] {
        let mut scenario = Scenario {
            troubles: vec![InjectedFault {
                at: Some(Operation::Put),
                number: 1,
                when: FaultTiming::Before,
                kind,
            }],
            ..Scenario::new()
        };
        scenario.options.latency.rekognition_ms = 9_000;
        let run = scenario.run();
        assert_eq!(run.ending(), "final");
        assert!(run.says("could not be written"));
    }
}

#[test]
fn documents_are_few_spaced_and_read_back_as_the_record() {
    let mut scenario = Scenario::new();
    scenario.options.latency = Latency {
        google_ms: 300,
        image_ms: 400,
        rekognition_ms: 500,
        gemini_ms: 900,
        ..Latency::NONE
    };
    let run = scenario.run();
    let puts = &run.conducted.puts;
    assert!(
        puts.len() <= KV_WRITES_DEFAULT as usize,
        "{} writes",
        puts.len()
    );
    for (position, put) in puts.iter().enumerate() {
        let again = puts
            .iter()
            .skip(position + 1)
            .find(|later| later.key == put.key);
        assert!(
            again.is_none_or(|later| later.at_ms - put.at_ms >= 1_000),
            "{}",
            put.key
        );
    }
    let record = record_after(&run, puts.len()).unwrap();
    assert_eq!(record["path"], run.last()["path"]);
    assert_eq!(record["edges"], run.last()["edges"]);
    assert_eq!(record["spent"], run.last()["spent"]);
    assert_eq!(record["meta"]["endedWith"], "final");
    assert!(!record["decisions"].as_array().unwrap().is_empty());
    assert!(!record["candidates"].as_array().unwrap().is_empty());
    assert!(!record["queries"].as_array().unwrap().is_empty());
}

/// Makes a run of some minutes, as with real services.
fn long_run(settings: &[(&'static str, &str)]) -> ObservedRun {
    let mut scenario = Scenario::new();
    scenario.options.latency = Latency {
        google_ms: 3_000,
        image_ms: 4_000,
        rekognition_ms: 9_000,
        ..Latency::NONE
    };
    for (name, value) in settings {
        scenario = scenario.set(name, *value);
    }
    scenario.run()
}

/// Returns a document's last content by a time.
fn kept<'run>(run: &'run ObservedRun, key: &str, by_ms: u64) -> Option<&'run str> {
    let puts = run.conducted.puts.iter().rev();
    let mut before = puts.filter(|put| put.key.ends_with(key) && put.at_ms <= by_ms);
    before.next().map(|put| &*put.document)
}

/// At any time and at its end, what viewers saw ten seconds ago is in KV.
#[test]
fn no_document_of_a_run_under_way_is_older_than_ten_seconds() {
    let run = long_run(&[]);
    let began_ms = run.event_times_ms()[0];
    let (mut frontiers, mut edges, mut searches) = (0, 0, 0);
    for (event, at_ms) in run.events.iter().zip(run.event_times_ms()) {
        let by_ms = at_ms + 10_000;
        let kept = |key| {
            let document = kept(&run, key, by_ms).unwrap_or_else(|| panic!("no {key}"));
            serde_json::from_str::<Value>(document).unwrap()
        };
        if let Some(count) = event["spent"]["searchCalls"].as_u64() {
            assert!(kept(":meta")["spent"]["searchCalls"].as_u64().unwrap() >= count);
            searches += count;
        }
        if event["type"] == "evidence" {
            let graph = kept(":graph").to_string();
            let photos = event["edge"]["evidence"].as_array().unwrap();
            for photo in photos.iter().filter_map(|photo| photo["ref"].as_str()) {
                assert!(graph.contains(photo), "{photo} is not in the graph");
            }
            edges += 1;
        }
        if event["type"] == "path_update" {
            let is_told = |put: &&DocumentWrite| {
                let document: Value = serde_json::from_str(&put.document).unwrap();
                put.key.ends_with(":path") && document["path"] == event["path"]
            };
            let put = run.conducted.puts.iter().find(is_told);
            assert!(
                put.is_some_and(|put| put.at_ms <= by_ms),
                "{}",
                event["path"]
            );
        }
        if event["state"] == "S3" {
            let of_frontiers = run.conducted.puts.iter();
            let candidates = of_frontiers.filter(|put| put.key.contains(":candidates:"));
            assert!(candidates.into_iter().any(|put| put.at_ms <= by_ms));
            frontiers += 1;
        }
    }
    let took_ms = run.event_times_ms().last().unwrap() - began_ms;
    assert!(took_ms > 60_000, "{took_ms} ms");
    assert!(frontiers > 0 && edges > 10 && searches > 0);
}

/// KV's free plan allows a thousand writes a day: the operator limits the writes of a run.
#[test]
fn with_few_writes_a_run_keeps_to_them_and_its_end_is_whole() {
    let (few, many) = (long_run(&[("KV_WRITES_PER_RUN_MAX", "40")]), long_run(&[]));
    let (few_puts, many_puts) = (few.conducted.puts.len(), many.conducted.puts.len());
    assert!(
        few_puts <= 40 && many_puts > 60,
        "{few_puts} and {many_puts}"
    );
    // Those that the record shows in full have its number.
    let last = |run: &ObservedRun, puts| {
        let mut record = record_after(run, puts).unwrap();
        for frontier in record["candidates"].as_array_mut().unwrap() {
            frontier.as_object_mut().unwrap().remove("seq");
        }
        record["meta"].as_object_mut().unwrap().remove("seq");
        record
    };
    let (few, many) = (last(&few, few_puts), last(&many, many_puts));
    for member in [
        "path",
        "edges",
        "graph",
        "candidates",
        "decisions",
        "calls",
        "meta",
    ] {
        assert!(!few[member].is_null());
        assert_eq!(few[member], many[member], "{member}");
    }
}

/// Returns the record after the first `count` documents have arrived.
pub fn record_after(run: &ObservedRun, count: usize) -> Option<Value> {
    let newest: std::collections::BTreeMap<String, String> = run.conducted.puts[..count]
        .iter()
        .map(|put| (put.key.clone(), put.document.clone()))
        .collect();
    let documents: Vec<(String, String)> = newest.into_iter().collect();
    let id = &run.conducted.events[0].run;
    let keys = Keys::new("s1", id.strip_prefix("s1.").unwrap());
    record(id, &keys, &documents)
}

#[test]
fn a_record_that_says_the_run_has_ended_is_whole() {
    for rekognition_ms in [0, 2_000] {
        let mut scenario = Scenario::new();
        scenario.options.latency.rekognition_ms = rekognition_ms;
        let run = scenario.run();
        let count = run.conducted.puts.len();
        let whole = record_after(&run, count).unwrap();
        let mut ended = 0;
        for count in 0..=count {
            let record = record_after(&run, count);
            if record.is_some_and(|record| record["meta"]["endedWith"] != Value::Null) {
                ended += 1;
                assert_eq!(
                    record_after(&run, count).unwrap(),
                    whole,
                    "after {count} puts"
                );
            }
        }
        assert!(ended > 0, "the record tells the end");
    }
}
