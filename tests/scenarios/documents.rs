//! The documents of a run, and the record that is read from them.

use serde_json::Value;
use visual_degrees::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation};
use visual_degrees::sandbox::Latency;
use visual_degrees::store::{Keys, WRITES_MAX, record};

use super::scenario::Scenario;
use crate::observed::ObservedRun;

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
    assert!(puts.len() <= WRITES_MAX as usize, "{} writes", puts.len());
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

/// What the record says once the first `count` documents have arrived.
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
