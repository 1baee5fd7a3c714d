//! Countdowns that begin runs of every engine, and are begun by another run.

use countdown::{CountdownEngine, PRICE_NANO_USD};
use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault};
use engine::budget::Amount;
use serde_json::{Value, json};
use visual_degrees::run_object::spent_of;
use visual_degrees::sealed::{ReplayLimits, Verdict, replay};

use crate::workflow::table::{node, workflow};

use super::bench::{begun, conducted, events, numbers_asked, sealed, simulation, story};

fn child_line(body: &Value) -> String {
    let run = conducted(body, Vec::new());
    assert_eq!(run.children(), 1, "{:#?}", story(&run));
    let told = events(&run);
    assert_eq!(told.last().unwrap()["type"], "landed", "{told:#?}");
    let report = replay(&sealed(&run), None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Identical, "{}", report.says);
    let child = told.iter().find(|event| event["type"] == "child");
    child.unwrap()["message"].as_str().unwrap().to_owned()
}

#[test]
fn it_begins_a_run_of_its_own_kind() {
    let line = child_line(&json!({"countdown": 2, "then": {"countdown": 3}}));
    assert_eq!(line, r#"The countdown is over. {"landed":true}"#);
}

#[test]
fn it_begins_a_search_for_a_chain() {
    let people = json!({"personA": "Ann", "personB": "Bob"});
    let line = child_line(&json!({"countdown": 1, "then": people}));
    assert_eq!(
        line,
        r#"A chain of 2 hops was found. {"path":["Ann","Xia","Bob"]}"#
    );
}

#[test]
fn it_begins_a_graph_of_tools() {
    let people = json!({"a": "Ann", "b": "Bob"});
    let workflow = workflow(&[node(1, "Chain", "Investigation", people)], &[]);
    let line = child_line(&json!({"countdown": 1, "then": {"workflow": workflow}}));
    assert_eq!(line, r#"The workflow was completed. {"completed":true}"#);
}

#[test]
fn what_a_child_asks_wrongly_is_told_in_words() {
    let body = json!({"countdown": 1, "then": {"personA": "Ann"}});
    let run = conducted(&body, Vec::new());
    let last = events(&run).pop().unwrap();
    assert_eq!(last["type"], "failed");
    assert!(
        last["message"].as_str().unwrap().contains("personB"),
        "{last}"
    );
    assert_eq!(run.children(), 0);
}

#[test]
fn a_child_has_what_money_its_parent_has_left() {
    let budget = 4 * PRICE_NANO_USD;
    let body = json!({"countdown": 2, "budgetNanoUsd": budget, "then": {"countdown": 9}});
    let run = conducted(&body, Vec::new());
    let last = events(&run).pop().unwrap();
    assert_eq!(
        last["message"],
        "The money does not last for one more number."
    );
    assert!(
        last["spent"]["nanoUsd"].as_u64().unwrap() <= budget,
        "{last}"
    );
}

#[test]
fn a_child_is_begun_once_wherever_the_process_dies() {
    let body = json!({"countdown": 1, "then": {"countdown": 2}});
    let reference = conducted(&body, Vec::new());
    let operations = u32::try_from(reference.conducted().operations.len()).unwrap();
    for number in 1..=operations {
        for when in FaultTiming::ALL {
            let crash = InjectedFault {
                at: None,
                number,
                when,
                kind: FaultKind::Crash,
            };
            let run = conducted(&body, vec![crash]);
            assert_eq!(run.children(), 1, "{number} {when:?}");
            assert_eq!(story(&run), story(&reference), "{number} {when:?}");
            assert!(numbers_asked(&run) <= 4, "{number} {when:?}");
        }
    }
}

#[test]
fn a_stopped_parent_stops_its_child() {
    let body = json!({"countdown": 1, "then": {"countdown": 90}});
    let simulation = begun(simulation(Vec::new()).stopped_after(1), &body, None);
    assert_eq!(events(&simulation).pop().unwrap()["type"], "stopped");
    assert!(numbers_asked(&simulation) < 80);
}

#[test]
fn what_a_child_spent_is_counted_once() {
    let body = json!({"countdown": 2, "then": {"countdown": 3}});
    let run = conducted(&body, Vec::new()).conducted();
    let last = run.events.last().map(|event| event.json.as_str());
    let spent = spent_of::<CountdownEngine>(&run.journal, last, Amount::default());
    assert_eq!(
        spent.nano_usd,
        2 * PRICE_NANO_USD,
        "the child tells its own"
    );
    let told: Value = serde_json::from_str(last.unwrap()).unwrap();
    assert_eq!(
        told["spent"]["nanoUsd"],
        5 * PRICE_NANO_USD,
        "and the parent both"
    );
}
