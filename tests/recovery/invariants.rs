//! What holds for a run with a failure.

use std::collections::BTreeSet;

use devtools::rehearsal::{FaultTiming, Operation};
use sandbox::SandboxProvider;
use serde_json::Value;

use crate::observed::ObservedRun;

pub const GOOGLE: Operation = Operation::Send(SandboxProvider::Google);
pub const IMAGE: Operation = Operation::Send(SandboxProvider::Image);
pub const REKOGNITION: Operation = Operation::Send(SandboxProvider::Rekognition);
pub const GEMINI: Operation = Operation::Send(SandboxProvider::Gemini);
pub const STORE: [Operation; 3] = [Operation::Keep, Operation::Publish, Operation::Put];
pub const SENDS: [Operation; 4] = [GOOGLE, IMAGE, REKOGNITION, GEMINI];

/// Returns the requests sent to paid providers, arrived or not.
fn sends(run: &ObservedRun) -> [u64; 3] {
    [GOOGLE, REKOGNITION, GEMINI].map(|paid| {
        let sends = run
            .conducted
            .operations
            .iter()
            .filter(|known| **known == paid);
        sends.count() as u64
    })
}

/// Returns the attempts for answers that were used: searches, recognitions, planner calls. How many others were in
/// flight at the end is a matter of timing.
pub fn needed(run: &ObservedRun) -> [u64; 3] {
    let answers: Vec<&Value> = run.told_answers().collect();
    ["search", "recognise", "plan"].map(|kind| {
        let of_kind = answers.iter().filter(|one| one["asked"][kind].is_object());
        of_kind.map(|one| one["attempts"].as_u64().unwrap()).sum()
    })
}

fn ends_of(edge: &Value) -> BTreeSet<String> {
    let ends = ["from", "to"].map(|end| edge[end].as_str().unwrap().to_owned());
    ends.into()
}

/// Checks that everything emitted as proven is in the stored graph.
pub fn check_nothing_lost(run: &ObservedRun, what: &str) {
    let jsons = run
        .conducted
        .seen
        .iter()
        .map(|event| serde_json::from_str(&event.json).unwrap());
    let evidence = jsons.filter(|event: &Value| event["type"] == "evidence");
    let told: BTreeSet<_> = evidence.map(|event| ends_of(&event["edge"])).collect();
    let graph = run
        .conducted
        .puts
        .iter()
        .rfind(|put| put.key.ends_with(":graph"));
    let graph: Value = graph.map_or(Value::Null, |put| {
        serde_json::from_str(&put.document).unwrap()
    });
    let edges = graph["graph"]["edges"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let kept: BTreeSet<_> = edges.iter().map(ends_of).collect();
    assert!(told.is_subset(&kept), "{what}: {told:?} in {kept:?}");
}

/// Returns the charges for searches and recognitions, by default list prices.
fn charged_usd(run: &ObservedRun) -> f64 {
    let charged = run
        .conducted
        .calls
        .iter()
        .filter(|(.., status)| *status == 200);
    let prices = charged.map(|(provider, ..)| match provider.as_str() {
        "google" => 0.005,
        "rekognition" => 0.001,
        _ => 0.0,
    });
    prices.sum()
}

/// Checks that there is one last event, and that every attempt is counted, whatever its result.
pub fn check_honest(run: &ObservedRun, when: FaultTiming, what: &str) {
    run.check_told_once(what);
    let told = *run.spent().last().unwrap();
    assert!(
        run.last()["spent"].is_object(),
        "{what}: the end tells what was spent"
    );
    assert_eq!(told, sends(run), "{what}: every attempt counts");
    let usd = run.last()["spent"]["usd"].as_f64().unwrap();
    assert!(
        usd + 1e-9 >= charged_usd(run),
        "{what}: less is told than was charged"
    );
    if when == FaultTiming::After {
        assert_eq!(told, run.arrived(), "{what}: the providers saw as many");
    }
}

/// A single failed write has no visible effect.
fn check_unnoticed(reference: &ObservedRun, run: &ObservedRun, what: &str) {
    assert_eq!(run.story(), reference.story(), "{what}: another story");
    assert_eq!(
        run.spent(),
        reference.spent(),
        "{what}: something else spent"
    );
    assert_eq!(
        run.paid_calls(),
        reference.paid_calls(),
        "{what}: other calls"
    );
    let is_longer = run.conducted.operations.len() > reference.conducted.operations.len();
    assert!(is_longer, "{what}: it was tried again");
    check_nothing_lost(run, what);
}

/// Checks that both runs emit the same up to the decision of the end: which calls in flight were answered by then may
/// differ.
fn check_same_until_decided(reference: &ObservedRun, run: &ObservedRun, what: &str) {
    let [of_run, of_reference] = [run, reference].map(|one| &one.story()[..one.decided().events]);
    assert_eq!(of_run, of_reference, "{what}: another story");
    assert_eq!(run.ending(), reference.ending(), "{what}: another end");
    // Later answers made it no worse: fewest edges first, then the highest lowest confidence.
    let rank = |end: &Value| {
        let edges = end["edges"].as_array().map_or(0, Vec::len);
        let bottleneck = end["confidenceMap"]["bottleneck"]
            .as_f64()
            .unwrap_or_default();
        (edges, -bottleneck)
    };
    let decided = &run.decided().last;
    assert!(rank(run.last()) <= rank(decided), "{what}: {decided}");
}

/// Returns whether the failed call was one of those that decided the end, and so was made twice. One in flight besides
/// them may be dropped.
fn failed_one_was_needed(run: &ObservedRun) -> bool {
    let decided = &run.decided().answers;
    let is_needed = |call: &Value| decided.contains(&call["command"].as_u64().unwrap());
    let is_again = |call: &Value| call["attempts"].as_u64().unwrap() > 1;
    let calls = run.recorded();
    let was_needed = calls.iter().any(|call| is_again(call) && is_needed(call));
    let all_needed = calls.iter().all(is_needed);
    assert!(was_needed || !all_needed, "no call was made again");
    was_needed
}

/// A single failed call is sent again, and counts.
fn check_sent_again(reference: &ObservedRun, run: &ObservedRun, at: Operation, what: &str) {
    check_nothing_lost(run, what);
    if at == IMAGE {
        // That photo is lost, or its smaller copy is used.
        return;
    }
    check_same_until_decided(reference, run, what);
    let mut honest = needed(reference);
    let paid = [GOOGLE, REKOGNITION, GEMINI]
        .iter()
        .position(|paid| *paid == at);
    honest[paid.unwrap()] += u64::from(failed_one_was_needed(run));
    assert_eq!(needed(run), honest, "{what}: one attempt more");
}

/// Checks that the machine gets all paid answers that have arrived when the end is decided.
fn check_all_told(run: &ObservedRun, what: &str) {
    let told: BTreeSet<u64> = run
        .entries("input")
        .filter_map(|input| input["given"]["answer"].as_u64())
        .collect();
    for call in run.recorded() {
        let is_told = told.contains(&call["command"].as_u64().unwrap());
        assert_eq!(call["state"] == "answered", is_told, "{what}: {call}");
    }
}

/// Checks a run in which one operation failed once.
pub fn check_once(
    reference: &ObservedRun,
    run: &ObservedRun,
    at: Operation,
    when: FaultTiming,
    what: &str,
) {
    check_honest(run, when, what);
    check_all_told(run, what);
    if STORE.contains(&at) {
        check_unnoticed(reference, run, what);
    } else {
        check_sent_again(reference, run, at, what);
    }
}
