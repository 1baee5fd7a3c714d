//! The fault table: each operation of a run's store and each provider fails, before and after its effect, once and for
//! ever.

use std::collections::BTreeMap;

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation, ProcessEnd};
use domain::Plan;
use futures::{FutureExt as _, StreamExt as _};
use serde_json::Value;

use crate::observed::ObservedRun;

use super::crashes::check_recovered;
use super::example::{Example, SLOW};
use super::invariants::{
    GEMINI, GOOGLE, IMAGE, REKOGNITION, SENDS, STORE, check_honest, check_nothing_lost, check_once,
};

/// Where in the undisturbed run it begins, among operations of its kind.
#[derive(Debug, Clone, Copy)]
enum Place {
    First,
    Middle,
    Last,
}
use Place::{First, Last, Middle};

const GOOGLE_DOWN: &str = "error provider_down google";
const REKOGNITION_DOWN: &str = "error provider_down rekognition";

/// Permanent failures: what fails and from where on, the endings of the both-ends and the one-sided run, and words said
/// in both.
const FOR_EVER: [(Operation, Place, [&str; 2], &str); 21] = [
    (Operation::Keep, First, ["unkept"; 2], "Nothing is lost"),
    (Operation::Keep, Middle, ["unkept"; 2], "Nothing is lost"),
    // The last event is out: there is nothing to report.
    (Operation::Keep, Last, ["unkept"; 2], ""),
    (Operation::Publish, First, ["unkept"; 2], "Nothing is lost"),
    (Operation::Publish, Middle, ["unkept"; 2], "Nothing is lost"),
    (Operation::Publish, Last, ["unkept"; 2], "Nothing is lost"),
    (Operation::Put, First, ["final"; 2], "could not be written"),
    // The last writes of the both-ends run: the last event is out.
    (Operation::Put, Middle, ["final"; 2], ""),
    (Operation::Put, Last, ["final"; 2], ""),
    (GOOGLE, First, [GOOGLE_DOWN; 2], "later"),
    (GOOGLE, Middle, [GOOGLE_DOWN; 2], "later"),
    (GOOGLE, Last, [GOOGLE_DOWN; 2], "later"),
    (IMAGE, First, ["no_path no_readable_photos"; 2], "photo"),
    // Nobody with the second name has been seen by then.
    (
        IMAGE,
        Middle,
        ["no_path search_budget", "no_path unknown_person"],
        "photo",
    ),
    (IMAGE, Last, ["no_path search_budget", "final"], ""),
    (REKOGNITION, First, [REKOGNITION_DOWN; 2], "later"),
    (REKOGNITION, Middle, [REKOGNITION_DOWN; 2], "later"),
    (REKOGNITION, Last, [REKOGNITION_DOWN; 2], "later"),
    (GEMINI, First, ["final"; 2], "the ranking decides"),
    (GEMINI, Middle, ["final"; 2], "the ranking decides"),
    (GEMINI, Last, ["final"; 2], "the ranking decides"),
];

fn trouble(
    reference: &ObservedRun,
    at: Operation,
    place: Place,
    when: FaultTiming,
    kind: FaultKind,
) -> InjectedFault {
    // Without a failure each call is sent once, the needed ones first: those in flight at the end may fail unnoticed.
    let asked = match at {
        GOOGLE => Some("search"),
        IMAGE => Some("fetch"),
        REKOGNITION => Some("recognise"),
        GEMINI => Some("plan"),
        _ => None,
    };
    let count = match asked {
        Some(asked) => {
            let answers = reference.told_answers();
            answers
                .filter(|one| one["asked"][asked].is_object())
                .count()
        }
        None => reference
            .conducted
            .operations
            .iter()
            .filter(|known| **known == at)
            .count(),
    };
    let number = match place {
        First => 1,
        Middle => count.div_ceil(2),
        Last => count,
    };
    InjectedFault {
        at: Some(at),
        number: u32::try_from(number).unwrap(),
        when,
        kind,
    }
}

/// Returns the example for a failing operation. Only failures of the planner are tested with one, since each retry
/// changes the remaining budget and so its advice.
fn example(plan: Plan, at: Operation) -> Example {
    Example {
        has_planner: at == GEMINI,
        latency: SLOW,
        ..Example::new(plan)
    }
}

/// The examples' runs without failures, conducted when first needed.
#[derive(Default)]
struct References(BTreeMap<(&'static str, bool), ObservedRun>);

impl References {
    fn of(&mut self, example: &Example) -> &ObservedRun {
        let key = (example.request.limits.plan.as_str(), example.has_planner);
        let run = || example.run(Vec::new()).1;
        self.0.entry(key).or_insert_with(run)
    }
}

/// The run's store fails permanently: nothing more is sent. Once it works again, the run continues.
fn check_store_gone(reference: &ObservedRun, example: &Example, trouble: InjectedFault) {
    let what = format!("{trouble:?}");
    let simulation = example.simulation(vec![trouble]);
    let viewer = Box::pin(simulation.view(0).unwrap());
    assert_eq!(
        simulation.run_process().unwrap(),
        ProcessEnd::Unkept,
        "{what}"
    );
    let told: Vec<Vec<u8>> = viewer
        .collect()
        .now_or_never()
        .expect("nobody waits for ever");
    let told = String::from_utf8(told.concat()).unwrap();
    let end = told.trim_end().rsplit("\n\n").next().unwrap();
    let broken = ObservedRun::of(&simulation);
    // If the last event is out, there is nothing to report.
    let is_ended = end.starts_with("id: ") && end.contains("event: final\n");
    // Not a last event but a comment, so that the client reconnects.
    let is_sorry = end.starts_with(": ") && end.contains("Nothing is lost");
    assert!(is_ended || is_sorry, "{what}: {end}");
    let alike = broken.conducted.operations.iter().enumerate();
    let mut alike = alike.filter(|(_, known)| Some(**known) == trouble.at);
    let (failure, _) = alike.nth(trouble.number as usize - 1).unwrap();
    let is_sent = broken.conducted.operations[failure..]
        .iter()
        .any(|known| SENDS.contains(known));
    assert!(!is_sent, "{what}: something was sent after the failure");
    check_nothing_lost(&broken, &what);
    simulation.clear_faults();
    assert_eq!(
        simulation.conduct_to_end().unwrap(),
        ProcessEnd::Done,
        "{what}"
    );
    let recovered = ObservedRun::of(&simulation);
    check_recovered(reference, &recovered, &what);
    assert!(
        recovered
            .conducted
            .events
            .starts_with(&broken.conducted.seen),
        "{what}: told otherwise"
    );
    check_nothing_lost(&recovered, &what);
}

fn check_for_ever(
    example: &Example,
    reference: &ObservedRun,
    trouble: InjectedFault,
    words: &str,
) -> String {
    let what = format!("{} {trouble:?}", example.request.limits.plan.as_str());
    let (at, when) = (trouble.at.unwrap(), trouble.when);
    if matches!(at, Operation::Keep | Operation::Publish) {
        check_store_gone(reference, example, trouble);
        return "unkept".to_owned();
    }
    let simulation = example.simulation(vec![trouble]);
    let end = simulation.conduct_to_end().unwrap();
    let run = ObservedRun::of(&simulation);
    check_honest(&run, when, &what);
    assert!(run.says(words), "{what}: {words}");
    if at == Operation::Put {
        // Until documents can be written again, the run's own events have everything.
        assert_eq!(end, ProcessEnd::Unwritten, "{what}");
        simulation.clear_faults();
        assert_eq!(
            simulation.conduct_to_end().unwrap(),
            ProcessEnd::Done,
            "{what}"
        );
        check_nothing_lost(&ObservedRun::of(&simulation), &what);
    } else {
        assert_eq!(end, ProcessEnd::Done, "{what}");
        check_nothing_lost(&run, &what);
    }
    if at == IMAGE {
        let unfetchable = run.last()["spent"]["photos"]["unfetchable"].as_u64();
        let is_unfetched =
            |one: &&Value| one["outcome"]["fetched"]["failed"]["unfetchable"].is_string();
        let told = run.told_answers().filter(is_unfetched).count();
        assert_eq!(unfetchable, Some(told as u64), "{what}: photos counted");
        assert!(told > 0, "{what}: photos that are not counted");
    }
    run.ending()
}

fn check_fails_once(example: &Example, reference: &ObservedRun, trouble: InjectedFault) {
    let what = format!("{} {trouble:?}", example.request.limits.plan.as_str());
    let (end, run) = example.run(vec![trouble]);
    assert_eq!(end, ProcessEnd::Done, "{what}");
    assert_eq!(run.ending(), "final", "{what}");
    check_once(reference, &run, trouble.at.unwrap(), trouble.when, &what);
}

fn print_row(at: Operation, place: Place, how: &str, endings: [&str; 2], words: &str) {
    let row = format!("{at:?} from the {place:?} on, {how}").to_lowercase();
    println!("{row:<46} {:<51} {words}", endings.join(" | "));
}

#[test]
fn what_fails_for_ever_is_told_and_loses_nothing() {
    let mut references = References::default();
    let mut unexpected = Vec::new();
    for (at, place, endings, words) in FOR_EVER {
        for (plan, expected) in [Plan::BothEnds, Plan::OneSided].into_iter().zip(endings) {
            for when in FaultTiming::ALL {
                let what = format!("{} {at:?} {place:?} {when:?}", plan.as_str());
                let example = example(plan, at);
                let reference = references.of(&example);
                let trouble = trouble(reference, at, place, when, FaultKind::FailForever);
                let found = check_for_ever(&example, reference, trouble, words);
                if found != expected {
                    unexpected.push(format!("{what}: {found}, not {expected}"));
                }
            }
        }
        print_row(at, place, "for ever", endings, words);
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}

#[test]
fn a_store_that_is_gone_from_any_place_on_loses_nothing() {
    let example = Example::new(Plan::BothEnds);
    let (_, reference) = example.run(Vec::new());
    for at in [Operation::Keep, Operation::Publish] {
        let alike = reference
            .conducted
            .operations
            .iter()
            .filter(|known| **known == at);
        for (number, _) in (1..).zip(alike) {
            for when in FaultTiming::ALL {
                let (at, kind) = (Some(at), FaultKind::FailForever);
                let trouble = InjectedFault {
                    at,
                    number,
                    when,
                    kind,
                };
                check_store_gone(&reference, &example, trouble);
            }
        }
    }
}

#[test]
fn what_fails_once_is_done_again() {
    let mut references = References::default();
    for at in STORE.into_iter().chain(SENDS) {
        for place in [First, Middle, Last] {
            for plan in Plan::ALL {
                for when in FaultTiming::ALL {
                    let example = example(plan, at);
                    let reference = references.of(&example);
                    let trouble = trouble(reference, at, place, when, FaultKind::FailOnce);
                    check_fails_once(&example, reference, trouble);
                }
            }
            print_row(at, place, "once", ["final"; 2], "");
        }
    }
}
