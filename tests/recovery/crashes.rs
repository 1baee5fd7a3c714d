//! A crash at every single operation of a run: before it took effect, and after.

use std::collections::BTreeSet;

use serde_json::Value;
use visual_degrees::domain::Plan;
use visual_degrees::rehearsal::{Conducted, Kind, ProcessEnd, Trouble, When};

use super::example::{entries, paid_calls, run, spent, story};

/// What the calls that were under way asked for: `(provider, attempts)`.
fn lost(run: &Conducted) -> [u64; 3] {
    let mut lost = [0; 3];
    for input in entries(run, "input") {
        let calls = input["given"]["resumed"]["lost"].as_array().cloned();
        for call in calls.unwrap_or_default() {
            let command = &call["command"];
            let intents = entries(run, "intent");
            let intent = intents.iter().find(|intent| intent["command"] == *command);
            let request = &intent.expect("what is lost was intended")["request"];
            let again: Vec<Value> = entries(run, "answer")
                .into_iter()
                .filter(|answer| is_answer_to(run, answer, request))
                .collect();
            assert_eq!(again.len(), 1, "what was lost is answered once");
            let asked = again[0]["asked"].as_object().unwrap();
            let kind = asked.keys().next().unwrap().as_str();
            let attempts = call["attempts"].as_u64().unwrap();
            match kind {
                "search" => lost[0] += attempts,
                "recognise" => lost[1] += attempts,
                "plan" => lost[2] += attempts,
                _ => {}
            }
        }
    }
    lost
}

/// Whether an answer's own command intended the same request.
fn is_answer_to(run: &Conducted, answer: &Value, request: &Value) -> bool {
    entries(run, "intent")
        .iter()
        .any(|intent| intent["command"] == answer["command"] && intent["request"] == *request)
}

pub fn check_recovered(whole: &Conducted, recovered: &Conducted, what: &str) {
    for (position, pair) in story(recovered).iter().zip(story(whole)).enumerate() {
        assert_eq!(
            *pair.0, pair.1,
            "{what}: event {position} tells something else"
        );
    }
    assert_eq!(
        recovered.events.len(),
        whole.events.len(),
        "{what}: more or fewer events"
    );
    assert_eq!(
        recovered.seen, recovered.events,
        "{what}: a viewer missed something"
    );
    let numbers: Vec<u32> = recovered.events.iter().map(|event| event.number).collect();
    let expected: Vec<u32> = (1..).take(numbers.len()).collect();
    assert_eq!(numbers, expected, "{what}: numbers");
    let lost = lost(recovered);
    let (before, after) = (spent(whole), spent(recovered));
    for (before, after) in before.iter().zip(&after) {
        for kind in 0..3 {
            let range = before[kind]..=before[kind] + lost[kind];
            assert!(
                range.contains(&after[kind]),
                "{what}: {after:?} for {before:?}"
            );
        }
    }
    let told = after.last().unwrap();
    let honest: Vec<u64> = (0..3)
        .map(|i| before.last().unwrap()[i] + lost[i])
        .collect();
    assert_eq!(
        told[..],
        honest[..],
        "{what}: lost calls count as spent, and no others"
    );
    // Bought twice is only what was under way; and what was lost may not have been sent at all.
    let paid = paid_calls(recovered);
    let once: BTreeSet<_> = paid_calls(whole).into_keys().collect();
    assert_eq!(
        paid.keys().cloned().collect::<BTreeSet<_>>(),
        once,
        "{what}: other calls"
    );
    let again: u64 = paid.values().map(|count| count - 1).sum();
    assert!(
        again <= lost.iter().sum(),
        "{what}: an answered call was bought twice"
    );
    assert_eq!(entries(recovered, "closed").len(), 1, "{what}: closed once");
}

fn check_every_crash(plan: Plan) {
    let (end, whole) = run(plan, Vec::new());
    assert_eq!(end, ProcessEnd::Done);
    let paid = paid_calls(&whole);
    assert!(paid.values().all(|count| *count == 1), "one run asks once");
    let operations = u32::try_from(whole.operations.len()).unwrap();
    assert!(operations > 100, "{operations} places");
    let mut interrupted = 0;
    for number in 1..=operations {
        for when in When::ALL {
            let what = format!("{} {when:?} operation {number}", plan.as_str());
            let kind = Kind::Crash;
            let crash = Trouble {
                at: None,
                number,
                when,
                kind,
            };
            let (end, recovered) = run(plan, vec![crash]);
            assert_eq!(end, ProcessEnd::Done, "{what}");
            check_recovered(&whole, &recovered, &what);
            interrupted += u32::from(recovered.lives == 2);
        }
    }
    // The very last write is the run's last operation: after it nothing is left to take up.
    assert_eq!(interrupted, 2 * operations, "every crash was one");
    println!(
        "{}: {interrupted} crashes at {operations} operations",
        plan.as_str()
    );
}

#[test]
fn a_both_ends_run_survives_a_crash_at_every_place() {
    check_every_crash(Plan::BothEnds);
}

#[test]
fn a_one_sided_run_survives_a_crash_at_every_place() {
    check_every_crash(Plan::OneSided);
}
