//! Countdowns whose processes die, whose provider fails, and that are stopped.

use countdown::PRICE_NANO_USD;
use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation};
use sandbox::SandboxProvider;
use serde_json::json;

use super::bench::{begun, conducted, events, numbers_asked, simulation, story};

fn fault(number: u32, when: FaultTiming, kind: FaultKind) -> InjectedFault {
    InjectedFault {
        at: None,
        number,
        when,
        kind,
    }
}

#[test]
fn it_goes_on_to_the_same_end_wherever_its_process_dies() {
    let body = json!({"countdown": 4});
    let reference = conducted(&body, Vec::new());
    let whole = story(&reference);
    assert!(whole.last().unwrap().contains("landed"), "{whole:#?}");
    assert_eq!(numbers_asked(&reference), 4);
    let operations = u32::try_from(reference.conducted().operations.len()).unwrap();
    assert!(operations > 15, "{operations}");
    for number in 1..=operations {
        for when in FaultTiming::ALL {
            let run = conducted(&body, vec![fault(number, when, FaultKind::Crash)]);
            assert_eq!(story(&run), whole, "{number} {when:?}");
            assert!((4..=5).contains(&numbers_asked(&run)), "{number} {when:?}");
            // What may have been requested counts as paid.
            let last = events(&run).pop().unwrap();
            let spent = last["spent"]["nanoUsd"].as_u64().unwrap();
            let paid = u64::try_from(numbers_asked(&run)).unwrap() * PRICE_NANO_USD;
            assert!(spent >= paid, "{number} {when:?}: {spent} of {paid}");
        }
    }
}

#[test]
fn every_viewer_sees_each_event_once() {
    let run = conducted(
        &json!({"countdown": 3}),
        vec![fault(8, FaultTiming::After, FaultKind::Crash)],
    );
    let run = run.conducted();
    assert_eq!(run.processes, 2);
    let numbers: Vec<u32> = run.seen.iter().map(|event| event.number).collect();
    let expected: Vec<u32> = (1..=u32::try_from(run.events.len()).unwrap()).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn a_stop_is_its_last_event() {
    let simulation = simulation(Vec::new()).stopped_after(2);
    let simulation = begun(simulation, &json!({"countdown": 9}), None);
    let told = events(&simulation);
    assert_eq!(told.last().unwrap()["type"], "stopped");
    assert!(numbers_asked(&simulation) <= 3);
}

#[test]
fn a_provider_that_stays_away_ends_it_in_words() {
    let down = InjectedFault {
        at: Some(Operation::Send(SandboxProvider::Serper)),
        ..fault(3, FaultTiming::Before, FaultKind::FailForever)
    };
    let run = conducted(&json!({"countdown": 4}), vec![down]);
    let last = events(&run).pop().unwrap();
    assert_eq!(
        (last["type"].as_str(), last["left"].as_u64()),
        (Some("failed"), Some(2))
    );
    assert_eq!(last["message"], "Nobody counts any more.");
    assert_eq!(last["spent"]["nanoUsd"], 4 * PRICE_NANO_USD);
}

#[test]
fn its_budget_is_never_passed() {
    let body = json!({"countdown": 9, "budgetNanoUsd": 4 * PRICE_NANO_USD});
    let run = conducted(&body, Vec::new());
    let last = events(&run).pop().unwrap();
    assert_eq!(last["type"], "failed");
    assert_eq!(
        last["message"],
        "The money does not last for one more number."
    );
    assert!(last["spent"]["nanoUsd"].as_u64().unwrap() <= 4 * PRICE_NANO_USD);
}
