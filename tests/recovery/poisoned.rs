//! An answer that crashes its reader: it is tried once more, and then skipped.

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation, ProcessEnd};
use domain::Plan;
use serde_json::{Value, json};

use crate::observed::ObservedRun;

use super::example::{Example, run};

const WORDS: &str = "reading it ended the program twice";

/// Returns the positions of matching journal entries.
fn positions(run: &ObservedRun, is_it: impl Fn(&Value) -> bool) -> Vec<u32> {
    let journal = (0..).zip(&run.conducted.journal);
    let entries = journal.map(|(at, entry)| (at, serde_json::from_str(entry).unwrap()));
    let like_this = entries.filter(|(_, entry)| is_it(entry));
    like_this.map(|(at, _)| at).collect()
}

fn crash(number: u32, when: FaultTiming) -> InjectedFault {
    InjectedFault {
        at: Some(Operation::Keep),
        number,
        when,
        kind: FaultKind::Crash,
    }
}

/// The process dies when it reads the first answer of this kind, and again at the second attempt.
fn check(kind: &str) {
    let (_, reference) = run(Plan::BothEnds, Vec::new());
    // The first entry exists before a process writes one.
    let first = positions(&reference, |entry| {
        entry["answer"]["asked"][kind].is_object()
    });
    let first = crash(first[0], FaultTiming::Before);
    let (_, once) = run(Plan::BothEnds, vec![first]);
    assert_eq!(once.conducted.processes, 2);
    let asked = reference.entries("answer");
    let mut asked = asked.filter(|answer| answer["asked"][kind].is_object());
    let command = asked.next().unwrap()["command"].clone();
    // A photo is fetched and read again before it is recognised; the last reading is of its faces.
    let mark = json!({ "reading": { "command": command } });
    let marks = positions(&once, |entry| *entry == mark);
    // The entry that the dying process did not store counts as well.
    let second = marks
        .last()
        .expect("what was under way is read with a mark")
        + 1;
    let second = crash(second, FaultTiming::After);
    let (end, poisoned) = run(Plan::BothEnds, vec![first, second]);
    assert_eq!(end, ProcessEnd::Done);
    assert_eq!(poisoned.conducted.processes, 3);
    poisoned.check_told_once(kind);
    let answers = poisoned.entries("answer");
    let answers: Vec<_> = answers
        .filter(|answer| answer["command"] == command)
        .collect();
    let [answer] = answers[..] else {
        panic!("{kind}: {} answers", answers.len());
    };
    assert_eq!(answer["attempts"], 0, "{kind} was asked for again");
    assert!(answer.to_string().contains(WORDS), "{answer}");
    let sent = poisoned.entries("intent");
    let sent = sent.filter(|intent| intent["command"] == command && intent["attempt"] == 1);
    assert_eq!(sent.count(), 2, "{kind}");
    assert!(!poisoned.ending().contains("interrupted"), "{kind}");
}

#[test]
fn a_search_whose_answer_ends_the_program_is_passed_over() {
    check("search");
}

#[test]
fn a_photo_that_ends_the_program_is_passed_over() {
    check("fetch");
}

#[test]
fn a_recognition_whose_answer_ends_the_program_is_passed_over() {
    check("recognise");
}

#[test]
fn a_plan_whose_answer_ends_the_program_is_passed_over() {
    check("plan");
}

#[test]
fn a_run_in_which_more_answers_end_the_program_is_ended() {
    let simulation = Example::new(Plan::BothEnds).simulation(Vec::new());
    let opened = simulation.conducted().journal;
    let ended = |commands: u32| {
        let simulation = Example::new(Plan::BothEnds).simulation(Vec::new());
        let one = |command: u32| {
            let mark = format!(r#"{{"reading":{{"command":{command}}}}}"#);
            [mark, r#"{"woken":{"now":1}}"#.to_owned()]
        };
        let entries = opened.iter().cloned().chain((1..=commands).flat_map(one));
        simulation.take_over(&entries.collect::<Vec<_>>(), &[]);
        simulation.run_process().unwrap()
    };
    assert_eq!(ended(2), ProcessEnd::Done);
    assert!(matches!(ended(3), ProcessEnd::Interrupted(_)));
}
