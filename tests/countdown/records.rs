//! What remains of a countdown: its sealed file, its forks, its record, its account.

use countdown::{CountdownEngine, PRICE_NANO_USD};
use engine::budget::Amount;
use engine::journal::{Entry, answers_to_inherit, read_entries};
use engine::{Opened, Tools as _};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use visual_degrees::engines::OpenedRun;
use visual_degrees::run_object::{DeletedRun, Fork, children_of, spent_of};
use visual_degrees::sealed::{ReplayLimits, Verdict, replay};

use super::bench::{RUN, conducted, events, forked, numbers_asked, sealed, story};

#[test]
fn its_sealed_file_is_executed_again_to_the_byte() {
    let file = sealed(&conducted(&json!({"countdown": 3}), Vec::new()));
    let report = replay(&file, None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Identical, "{}", report.says);
    let forged = file.replace("\"2!\"", "\"7!\"");
    assert_ne!(forged, file);
    let report = replay(&forged, None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Different, "{}", report.says);
}

/// Returns what a run's object passes to a fork.
fn fork_of(journal: &[String], point: Option<&str>) -> Fork<Box<RawValue>> {
    let entries: Vec<Entry<CountdownEngine>> = read_entries(journal).unwrap();
    Fork {
        run: RUN.to_owned(),
        answers: to_raw_value(&answers_to_inherit(entries, point)).unwrap(),
    }
}

#[test]
fn a_fork_asks_for_what_is_new_alone() {
    let body = json!({"countdown": 4});
    let first = conducted(&body, Vec::new());
    let journal = first.conducted().journal;
    let again = forked(&body, Some(fork_of(&journal, None)), Vec::new());
    assert_eq!(story(&again), story(&first));
    assert_eq!(numbers_asked(&again), 0);
    assert_eq!(events(&again).pop().unwrap()["spent"]["nanoUsd"], 0);
    let longer = json!({"countdown": 6});
    let longer = forked(&longer, Some(fork_of(&journal, None)), Vec::new());
    assert_eq!(numbers_asked(&longer), 2);
    let from_two = forked(&body, Some(fork_of(&journal, Some("2"))), Vec::new());
    assert_eq!(numbers_asked(&from_two), 2);
    let report = replay(&sealed(&from_two), None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Identical, "{}", report.says);
}

#[test]
fn its_record_and_its_account_are_there() {
    let run = conducted(&json!({"countdown": 3}), Vec::new());
    let conducted = run.conducted();
    let document = |name: &str| -> Value {
        let mut puts = conducted.puts.iter().rev();
        let put = puts.find(|put| put.key.ends_with(name));
        serde_json::from_str(&put.unwrap().document).unwrap()
    };
    let meta = document(":meta");
    assert_eq!(
        (&meta["engine"], &meta["endedWith"]),
        (&json!("countdown"), &json!("landed"))
    );
    let calls = document(":calls");
    let calls = calls["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 3);
    assert!(
        calls
            .iter()
            .all(|call| call["kind"] == "count" && call["state"] == "answered")
    );

    let opened = OpenedRun::of_first_entry(&conducted.journal[0]).unwrap();
    assert_eq!(opened.summary().plan, "countdown");
    let opened: Opened<CountdownEngine> = opened.as_engine().unwrap();
    let told: Vec<_> = conducted
        .events
        .iter()
        .map(|event| event.json.as_str().into())
        .collect();
    assert_eq!(
        CountdownEngine::outline(&opened, &told, true)["ended"],
        true
    );
    let no_trace = CountdownEngine::trace(&opened, &told, &|_| None).unwrap_err();
    assert_eq!(no_trace.status(), 409);
}

const RESERVED: Amount = Amount {
    searches: 0,
    recognitions: 0,
    nano_usd: 77 * PRICE_NANO_USD,
};

#[test]
fn the_budget_of_the_day_is_told_what_it_spent() {
    let run = conducted(&json!({"countdown": 3}), Vec::new()).conducted();
    let last = run.events.last().map(|event| event.json.as_str());
    let spent = spent_of::<CountdownEngine>(&run.journal, last, RESERVED);
    assert_eq!(spent.nano_usd, 3 * PRICE_NANO_USD);
    // A run that never ended counts with its whole reservation, once something may have been sent.
    let unended = spent_of::<CountdownEngine>(&run.journal, None, RESERVED);
    assert_eq!(unended, RESERVED);
    let unsent = spent_of::<CountdownEngine>(&run.journal[..2], None, RESERVED);
    assert_eq!(unsent, Amount::default());
}

#[test]
fn its_deletion_reaches_the_run_that_it_began() {
    let body = json!({"countdown": 1, "then": {"countdown": 2}});
    let run = conducted(&body, Vec::new()).conducted();
    let children = children_of::<CountdownEngine>(&run.journal);
    assert_eq!(children.len(), 1);
    let mut deleted = DeletedRun::new(RUN, 7, &[], &children, None);
    let remainders = deleted.remainders();
    assert_eq!(remainders.len(), 1);
    for remainder in &remainders {
        deleted.note_removed(remainder);
    }
    deleted.note_documents_removed();
    assert!(deleted.is_swept());
}
