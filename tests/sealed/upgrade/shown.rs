//! Stored runs, as shown by this version.

use std::rc::Rc;

use domain::RunToken;
use engine::Tools as _;
use engine::run::EventLog;
use engine::store::{Keys, record};
use futures::{FutureExt as _, StreamExt as _};
use investigation::wire::InvestigationEngine;
use serde_json::Value;
use visual_degrees::engines::{EngineName, OpenedRun};

use super::stored::{StoredRun, runs_of_0_3_0};

/// Returns the run's first entry, as its object reads it after the upgrade.
fn opened(stored: &StoredRun) -> OpenedRun {
    OpenedRun::of_first_entry(&stored.entries[0]).unwrap()
}

/// Returns the log that a run's object makes of its events.
fn log(stored: &StoredRun) -> Rc<EventLog> {
    let log = EventLog::of(opened(stored).run());
    stored.events.iter().for_each(|event| log.show(event));
    Rc::new(log)
}

/// Returns what a viewer gets who has seen the events up to `after`, as `(id, data)`.
fn viewed(stored: &StoredRun, after: u32) -> Vec<(String, String)> {
    let log = log(stored);
    // An unfinished run would continue; so the stream is cut after the stored events.
    if !log.is_ended() {
        log.break_off();
    }
    let bytes = log.view(after, |_| std::future::pending(), || false);
    let bytes = bytes.collect::<Vec<_>>().now_or_never().unwrap().concat();
    let text = String::from_utf8(bytes).unwrap();
    let frames = text.split("\n\n").filter_map(|frame| {
        let line = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
        Some((line("id: ")?.to_owned(), line("data: ")?.to_owned()))
    });
    frames.collect()
}

#[test]
fn a_run_that_0_3_0_began_is_shown_as_it_was_told_from_any_event_on() {
    for run in runs_of_0_3_0() {
        let whole = run.whole();
        for after in 0..u32::try_from(whole.events.len()).unwrap() {
            let seen = usize::try_from(after).unwrap();
            let expected = whole.events[seen..].iter().map(|event| {
                let id = format!("{}.{}", event.run, event.number);
                (id, event.json.clone())
            });
            let viewed = viewed(whole, after);
            assert!(
                viewed.into_iter().eq(expected),
                "{} after {after}",
                run.name
            );
        }
        for stored in &run.moments {
            let told: Vec<String> = viewed(stored, 0)
                .into_iter()
                .map(|(_, data)| data)
                .collect();
            let events = stored.events.iter().map(|event| &event.json);
            assert!(told.iter().eq(events), "{}", run.name);
        }
    }
}

#[test]
fn a_run_that_0_3_0_began_is_shown_with_its_version_and_by_its_last_event() {
    for run in runs_of_0_3_0() {
        for stored in &run.moments {
            let opened = opened(stored);
            assert_eq!(opened.engine(), EngineName::Investigation);
            assert_eq!(opened.program_version(), "0.3.0");
            assert_eq!(opened.host(), None, "0.3.0 noted none");
            let Some(last) = stored.events.last() else {
                continue;
            };
            assert_eq!(opened.run(), last.run);
            let of_engine = opened.as_engine::<InvestigationEngine>().unwrap();
            let outline =
                InvestigationEngine::outline(&of_engine, &log(stored).jsons(), stored.has_ended());
            let event: Value = serde_json::from_str(&last.json).unwrap();
            assert_eq!(outline["run"], event["runId"]);
            assert_eq!(outline["state"], event["state"]);
            assert_eq!(outline["spent"], event["spent"]);
            let ended = if last.is_last {
                event["type"].clone()
            } else {
                Value::Null
            };
            assert_eq!(outline["meta"]["endedWith"], ended, "{}", run.name);
            let because = &outline["meta"]["endedBecause"];
            assert_eq!(because.as_str(), last.because().as_deref(), "{}", run.name);
        }
    }
}

/// Returns the record from a run's documents in KV, if any.
fn record_of(stored: &StoredRun) -> Option<Value> {
    let opened = opened(stored);
    let token = RunToken::parse(opened.run()).unwrap();
    let keys = Keys::new(token.session(), token.run());
    let documents: Vec<_> = stored.documents.clone().into_iter().collect();
    assert!(
        documents
            .iter()
            .all(|(key, _)| key.starts_with(keys.prefix()))
    );
    record(opened.run(), &keys, &documents)
}

#[test]
fn a_run_that_0_3_0_ended_is_shown_by_the_record_that_it_wrote() {
    for run in runs_of_0_3_0() {
        let read = |json: &str| -> Value { serde_json::from_str(json).unwrap() };
        let (file, whole) = (read(&run.sealed), run.whole());
        let last = read(&whole.events.last().unwrap().json);
        let record = record_of(whole).unwrap();
        assert_eq!(record["meta"]["version"], 1, "{}", run.name);
        assert_eq!(record["meta"]["personA"], file["body"]["order"]["personA"]);
        assert_eq!(record["meta"]["endedWith"], last["type"], "{}", run.name);
        assert_eq!(record["meta"]["endedBecause"], last["reason"]);
        assert_eq!(record["spent"]["searchCalls"], last["spent"]["searchCalls"]);
        assert_eq!(
            record["decisions"], file["body"]["decisions"],
            "{}",
            run.name
        );
        if last["type"] == "final" {
            assert_eq!(record["path"], last["path"], "{}", run.name);
            let confidences = |edges: &Value| -> Vec<Value> {
                let edges = edges.as_array().unwrap().iter();
                edges.map(|edge| edge["edgeConfidence"].clone()).collect()
            };
            assert_eq!(confidences(&record["edges"]), confidences(&last["edges"]));
        }
        let searched = last["spent"]["searchCalls"].as_u64().unwrap();
        let queries = record["queries"].as_array().unwrap().len();
        assert_eq!(u64::try_from(queries).unwrap(), searched, "{}", run.name);
        assert!(
            run.moments.iter().filter_map(record_of).count() > 5,
            "{}",
            run.name
        );
    }
}
