//! A crash at every single operation of a run: before it took effect, and after.

use std::collections::{BTreeMap, BTreeSet};

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, ProcessEnd};
use domain::{Name, Plan, WordUse};
use sandbox::{World, own_world};
use serde_json::Value;

use crate::crash_points::crash_at_every;
use crate::observed::ObservedRun;

use super::example::{Example, SLOW};
use super::invariants::needed;

/// Returns the requests of the lost calls: `(provider, attempts)`.
fn lost(run: &ObservedRun, what: &str) -> [u64; 3] {
    let mut lost = [0; 3];
    for input in run.entries("input") {
        let calls = input["given"]["resumed"]["lost"].as_array().cloned();
        for call in calls.unwrap_or_default() {
            // It is requested again under its number.
            let again: Vec<&Value> = run
                .entries("answer")
                .filter(|answer| answer["command"] == call["command"])
                .collect();
            // A free call may be in flight when the end is decided, and is not awaited then.
            if again.is_empty() && call["nanoUsd"] == 0 {
                continue;
            }
            assert_eq!(
                again.len(),
                1,
                "{what}: what was lost is answered once: {call}"
            );
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

/// Searches, recognitions, planner calls.
fn attempts(calls: &[Value]) -> [u64; 3] {
    ["search", "recognition", "plan"].map(|kind| {
        let of_kind = calls.iter().filter(|call| call["kind"] == kind);
        of_kind.map(|call| call["attempts"].as_u64().unwrap()).sum()
    })
}

/// Returns the paid calls that were used. Which others are in flight at the end is a matter of timing.
fn paid_and_used(run: &ObservedRun) -> BTreeMap<(String, String), u64> {
    let used: BTreeSet<u64> = run
        .told_answers()
        .map(|answer| answer["command"].as_u64().unwrap())
        .collect();
    let in_vain: BTreeSet<String> = run
        .recorded()
        .iter()
        .filter(|call| !used.contains(&call["command"].as_u64().unwrap()))
        .map(|call| call["key"].as_str().unwrap().to_owned())
        .collect();
    let mut paid = run.paid_calls();
    paid.retain(|(_, key), _| !in_vain.contains(key));
    paid
}

pub fn check_recovered(reference: &ObservedRun, recovered: &ObservedRun, what: &str) {
    for (position, pair) in recovered.story().iter().zip(reference.story()).enumerate() {
        assert_eq!(
            pair.0, pair.1,
            "{what}: event {position} tells something else"
        );
    }
    assert_eq!(
        recovered.conducted.events.len(),
        reference.conducted.events.len(),
        "{what}: more or fewer events"
    );
    assert_eq!(
        recovered.conducted.seen, recovered.conducted.events,
        "{what}: a viewer missed something"
    );
    let numbers: Vec<u32> = recovered
        .conducted
        .events
        .iter()
        .map(|event| event.number)
        .collect();
    let expected: Vec<u32> = (1..).take(numbers.len()).collect();
    assert_eq!(numbers, expected, "{what}: numbers");
    let lost = lost(recovered, what);
    let told = recovered.spent();
    let on_the_way = reference.spent().len() - 1;
    for (before, after) in reference.spent().iter().zip(&told).take(on_the_way) {
        for kind in 0..3 {
            let range = before[kind]..=before[kind] + lost[kind];
            assert!(
                range.contains(&after[kind]),
                "{what}: {after:?} for {before:?} with {lost:?} lost"
            );
        }
    }
    assert_eq!(
        needed(recovered),
        needed(reference),
        "{what}: other answers"
    );
    assert_eq!(
        *told.last().unwrap(),
        attempts(&recovered.recorded()),
        "{what}: every attempt counts, the lost ones as well"
    );
    // Only calls in flight are bought twice; and a lost one may not have been sent at all.
    let paid = paid_and_used(recovered);
    let once: BTreeSet<_> = paid_and_used(reference).into_keys().collect();
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
    assert_eq!(
        recovered.entries("closed").count(),
        1,
        "{what}: closed once"
    );
}

/// Crashes a run at every `step`th of its points, with and without each operation's effect. Returns the number of
/// crashes.
fn check_points(example: &Example, step: usize) -> usize {
    let (end, reference) = example.run(Vec::new());
    assert_eq!(end, ProcessEnd::Done);
    let paid = reference.paid_calls();
    assert!(paid.values().all(|count| *count == 1), "one run asks once");
    let operations = reference.conducted.operations.len();
    let plan = example.request.limits.plan.as_str();
    let run = example.simulation(Vec::new());
    let events = reference.events.clone();
    let crashes = crash_at_every(step, &run, move |number, left| {
        let what = format!("{plan}, crash point {number}");
        assert_eq!(left.conduct_to_end(), Ok(ProcessEnd::Done), "{what}");
        let recovered = ObservedRun::of(left);
        check_recovered(&reference, &recovered, &what);
    });
    assert_eq!(ObservedRun::of(&run).events, events, "it was not disturbed");
    println!("{plan}: {crashes} crashes at {operations} operations");
    // Only writes take time here, and nothing happens meanwhile.
    assert_eq!(crashes, (operations + 1) / step, "each effect is a point");
    crashes
}

fn check_every_point(example: &Example) {
    let crashes = check_points(example, 1);
    assert!(crashes > 100, "{crashes} crashes");
}

/// Crashes a run at every `step`th of its operations. Returns the number of its operations.
pub fn check_crashes(example: &Example, step: usize) -> u32 {
    let (end, reference) = example.run(Vec::new());
    let plan = example.request.limits.plan;
    assert_eq!(end, ProcessEnd::Done);
    let paid = reference.paid_calls();
    assert!(paid.values().all(|count| *count == 1), "one run asks once");
    let operations = u32::try_from(reference.conducted.operations.len()).unwrap();
    let (mut crashes, mut interrupted) = (0, 0);
    for number in (1..=operations).step_by(step) {
        for when in FaultTiming::ALL {
            let what = format!("{} {when:?} operation {number}", plan.as_str());
            let kind = FaultKind::Crash;
            let crash = InjectedFault {
                at: None,
                number,
                when,
                kind,
            };
            let (end, recovered) = example.run(vec![crash]);
            assert_eq!(end, ProcessEnd::Done, "{what}");
            check_recovered(&reference, &recovered, &what);
            crashes += 1;
            interrupted += u32::from(recovered.conducted.processes == 2);
        }
    }
    // The very last write is the run's last operation: nothing is left to resume.
    assert_eq!(interrupted, crashes, "every crash was one");
    println!(
        "{}: {interrupted} crashes at {operations} operations",
        plan.as_str()
    );
    operations
}

#[test]
fn a_both_ends_run_survives_a_crash_at_every_place() {
    check_every_point(&Example::new(Plan::BothEnds));
}

#[test]
fn a_run_that_reads_captions_survives_a_crash_at_every_place() {
    let mut example = Example::new(Plan::BothEnds);
    example.request.limits.words = WordUse::Hints;
    check_every_point(&example);
}

#[test]
fn a_run_that_confirms_its_chain_survives_crashes() {
    let mut example = Example::new(Plan::BothEnds);
    example.request.limits.confirm_searches_max = 2;
    assert!(check_points(&example, 3) > 100);
}

#[test]
fn a_run_whose_photos_are_converted_survives_crashes() {
    // Each of its photos has six megabytes, which every run hashes.
    let mut example = Example::new(Plan::BothEnds).between("Elizabeth Bennet", "Charlotte Lucas");
    example.converts = true;
    example.request.limits.converts_photos = true;
    assert!(check_crashes(&example, 5) > 40);
}

/// The number of points between two crashes of a run: if calls take time, there are half again as many points as
/// operations.
const CRASH_EVERY: usize = 18;

#[test]
fn what_was_lost_changes_no_choice() {
    let world = own_world().unwrap();
    let pairs = world.connected_pairs_among(&everybody(&world), 1, 8, |_, pair| pair.hops > 2);
    let mut crashes = 0;
    for pair in pairs {
        let name = |person: usize| Name::parse(&world.people[person].name).unwrap();
        let mut example = Example::new(Plan::BothEnds);
        example.latency = SLOW;
        example.request.person_a = name(pair.from).into();
        example.request.person_b = name(pair.to).into();
        let limits = &mut example.request.limits;
        limits.words = WordUse::Hints;
        // The run continues for as long as before, whatever is lost.
        limits.searches_max = 90;
        limits.recognitions_max = 300;
        let (_, reference) = example.run(Vec::new());
        let run = example.simulation(Vec::new());
        let person_a = example.request.person_a.clone();
        crashes += crash_at_every(CRASH_EVERY, &run, move |number, left| {
            assert_eq!(left.conduct_to_end(), Ok(ProcessEnd::Done));
            let recovered = ObservedRun::of(left);
            let [told, expected] =
                [&recovered, &reference].map(|run| &run.story()[..run.decided().events]);
            assert_eq!(told, expected, "{person_a:?}, crash point {number}");
        });
    }
    println!("{crashes} crashes");
    assert!(crashes > 100, "{crashes} crashes");
}

fn everybody(world: &World) -> Vec<usize> {
    (0..world.people.len()).collect()
}

#[test]
fn a_one_sided_run_survives_a_crash_at_every_place() {
    check_every_point(&Example::short_one_sided());
}

#[test]
#[ignore = "takes half a minute"]
fn a_long_one_sided_run_survives_a_crash_at_every_place() {
    assert!(check_crashes(&Example::new(Plan::OneSided), 1) > 400);
}
