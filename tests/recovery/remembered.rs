//! Runs that use earlier runs' recognitions, interrupted and without their database.

use devtools::in_memory::InMemoryPhotos;
use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation, ProcessEnd};
use domain::{MemoryUse, Plan, Sha256Digest};

use crate::observed::ObservedRun;

use super::crashes::check_crashes;
use super::example::Example;

const DAY_MS: u64 = 86_400_000;

/// The example run, with a memory.
pub fn example(memory: InMemoryPhotos) -> Example {
    let mut example = Example::new(Plan::BothEnds);
    example.has_planner = false;
    example.request.limits.memory = MemoryUse::On;
    example.memory = Some(memory);
    example
}

/// Returns the first `photos` recognitions of the example run.
pub fn known(photos: usize) -> InMemoryPhotos {
    let simulation = example(InMemoryPhotos::default()).simulation(Vec::new());
    assert_eq!(simulation.conduct_to_end().unwrap(), ProcessEnd::Done);
    let mut known = InMemoryPhotos::default();
    let all = simulation.memory();
    let earlier = all.photos().take(photos).cloned().map(|mut photo| {
        photo.answer.at_ms -= DAY_MS;
        photo
    });
    known.remember(earlier.collect());
    known
}

#[test]
fn what_one_run_has_paid_for_another_has_for_nothing() {
    let all = known(usize::MAX);
    assert!(all.len() > 3, "{}", all.len());
    let (end, run) = example(all.clone()).run(Vec::new());
    assert_eq!(end, ProcessEnd::Done);
    let last = run.last();
    assert_eq!(last["type"], "final");
    assert_eq!(last["spent"]["rekognitionCalls"], 0);
    assert_eq!(last["spent"]["searchCalls"], 0);
    assert_eq!(
        last["spent"]["photos"]["remembered"],
        last["spent"]["photos"]["looked"]
    );
}

/// The example run by the recogniser that looks only for those whom it is told.
fn by_portraits(memory: InMemoryPhotos) -> Example {
    Example {
        settings: vec![("RECOGNISER", "references")],
        ..example(memory)
    }
}

fn remembered_of(example: &Example) -> (InMemoryPhotos, ObservedRun) {
    let simulation = example.simulation(Vec::new());
    assert_eq!(simulation.conduct_to_end().unwrap(), ProcessEnd::Done);
    let mut earlier = InMemoryPhotos::default();
    let kept = simulation.memory();
    let photos = kept.photos().cloned().map(|mut photo| {
        photo.answer.at_ms -= DAY_MS;
        photo
    });
    earlier.remember(photos.collect());
    (earlier, ObservedRun::of(&simulation))
}

#[test]
fn an_answer_about_some_people_is_reused_where_nobody_else_is_looked_for() {
    let (known, first) = remembered_of(&by_portraits(InMemoryPhotos::default()));
    assert_eq!(first.last()["type"], "final");
    assert!(known.photos().all(
        |photo| photo.answer.candidates.is_some() && photo.answer.by.recogniser == "references"
    ));
    let (_, again) = by_portraits(known.clone()).run(Vec::new());
    assert_eq!(again.last()["path"], first.last()["path"]);
    let remembered = &again.last()["spent"]["photos"]["remembered"];
    assert!(remembered.as_u64() > Some(0), "{remembered}");
    // One photo makes no chain, so it is found by a search, and others are looked for in it than before.
    for (candidates, is_reused) in [(None, true), (Some(Vec::new()), false)] {
        let mut one = known.photos().next().unwrap().clone();
        one.answer.candidates = candidates;
        let mut memory = InMemoryPhotos::default();
        memory.remember(vec![one]);
        let (_, run) = by_portraits(memory).run(Vec::new());
        let remembered = run.last()["spent"]["photos"]["remembered"].as_u64();
        assert_eq!(remembered.is_some(), is_reused, "{remembered:?}");
    }
}

#[test]
fn one_recognisers_answers_are_not_taken_for_anothers() {
    let (known, _) = remembered_of(&by_portraits(InMemoryPhotos::default()));
    let (_, run) = example(known.clone()).run(Vec::new());
    assert_eq!(
        run.last()["spent"]["photos"]["remembered"],
        serde_json::Value::Null
    );
    let both = Example {
        settings: vec![("RECOGNISER", "rekognition,references")],
        ..example(known)
    };
    let (_, run) = both.run(Vec::new());
    let edges = run.last()["edges"].as_array().unwrap().iter();
    let photos = edges.flat_map(|edge| edge["evidence"].as_array().unwrap());
    for photo in photos.filter(|photo| photo["remembered"].is_object()) {
        assert_eq!(photo["recognisedBy"]["recogniser"], "references");
        assert_eq!(photo["remembered"]["recogniser"], "references");
    }
}

/// Returns the example run's recognitions, each photo with other bytes and another one's faces.
fn lies() -> InMemoryPhotos {
    let all = known(usize::MAX);
    let mut photos: Vec<_> = all.photos().cloned().collect();
    let mut faces: Vec<_> = photos.iter().map(|one| one.answer.faces.clone()).collect();
    faces.rotate_left(1);
    for (photo, faces) in photos.iter_mut().zip(faces) {
        photo.answer.faces = faces;
        photo.digest = Sha256Digest::of(photo.digest.as_str().as_bytes());
    }
    let mut lies = InMemoryPhotos::default();
    lies.remember(photos);
    lies
}

#[test]
fn a_memory_that_is_full_of_lies_makes_a_run_hardly_worse() {
    let (_, without) = Example {
        memory: None,
        ..example(InMemoryPhotos::default())
    }
    .run(Vec::new());
    let (end, run) = example(lies()).run(Vec::new());
    assert_eq!(end, ProcessEnd::Done);
    let last = run.last();
    assert_eq!(last["type"], "final");
    assert_eq!(last["path"], without.last()["path"]);
    assert_eq!(
        last["spent"]["photos"]["remembered"],
        serde_json::Value::Null
    );
    let calls = |last: &serde_json::Value, name| last["spent"][name].as_u64().unwrap();
    for name in ["searchCalls", "rekognitionCalls"] {
        let [with, without] = [last, without.last()].map(|last| calls(last, name));
        // Photos are examined in another order.
        assert!(
            with <= without + without / 10,
            "{name}: {with}, {without} without"
        );
    }
}

#[test]
fn a_run_that_remembers_a_part_survives_a_crash_at_every_fifth_place() {
    assert!(check_crashes(&example(known(4)), 5) > 50);
}

#[test]
#[ignore = "takes minutes"]
fn a_run_that_remembers_a_part_survives_a_crash_at_every_place() {
    let crashes = check_crashes(&example(known(4)), 1);
    println!("{crashes} crashes");
    assert!(crashes > 250);
}

#[test]
fn a_slow_minute_of_the_database_makes_no_run_pay_for_what_is_remembered() {
    let (_, without) = Example {
        memory: None,
        ..example(InMemoryPhotos::default())
    }
    .run(Vec::new());
    let paid = |run: &ObservedRun| run.last()["spent"]["rekognitionCalls"].as_u64().unwrap();
    assert!(paid(&without) > 20, "{}", paid(&without));
    let mut found = Vec::new();
    for memory_use in [MemoryUse::On, MemoryUse::Shown] {
        for answer_ms in [900, 1_500, 4_000, 9_000] {
            let mut example = example(known(usize::MAX));
            example.request.limits.memory = memory_use;
            let simulation = example.simulation(Vec::new()).with_memory_ms(answer_ms);
            assert_eq!(simulation.conduct_to_end(), Ok(ProcessEnd::Done));
            let run = ObservedRun::of(&simulation);
            assert_eq!(run.last()["type"], "final", "{answer_ms}");
            found.push((answer_ms, paid(&run)));
        }
    }
    // In another order, photos may arrive that nobody has paid for.
    assert!(found.iter().all(|(_, paid)| *paid <= 2), "{found:?}");
}

#[test]
fn a_database_that_never_answers_is_waited_for_no_longer_than_is_bounded() {
    let mut example = example(known(usize::MAX));
    example.request.limits.runtime_ms_max = 300_000;
    let took = |answer_ms| {
        let simulation = example.simulation(Vec::new()).with_memory_ms(answer_ms);
        assert_eq!(simulation.conduct_to_end(), Ok(ProcessEnd::Done));
        let run = ObservedRun::of(&simulation);
        assert_eq!(run.last()["type"], "final");
        run.conducted.took_ms
    };
    let took_ms = took(1_000_000);
    assert!(took_ms < 45_000, "{took_ms}");
}

#[test]
fn what_is_kept_is_kept_once_whatever_was_interrupted() {
    check_kept_once(23);
}

#[test]
#[ignore = "takes minutes"]
fn what_is_kept_is_kept_once_wherever_it_was_interrupted() {
    check_kept_once(1);
}

/// Crashes at every `step`th operation of a run that stores everything.
fn check_kept_once(step: usize) {
    let whole = example(InMemoryPhotos::default()).simulation(Vec::new());
    whole.conduct_to_end().unwrap();
    let operations = u32::try_from(whole.conducted().operations.len()).unwrap();
    for number in (1..=operations).step_by(step) {
        let crash = InjectedFault {
            at: None,
            number,
            when: FaultTiming::After,
            kind: FaultKind::Crash,
        };
        let run = example(InMemoryPhotos::default()).simulation(vec![crash]);
        run.conduct_to_end().unwrap();
        let memory = run.memory();
        let paid: Vec<_> = whole
            .memory()
            .photos()
            .map(|photo| photo.digest.clone())
            .collect();
        for photo in memory.photos() {
            assert!(paid.contains(&photo.digest), "operation {number}");
        }
        assert!(memory.len() <= paid.len());
    }
}

#[test]
fn a_database_that_fails_in_any_form_costs_nothing_but_what_it_would_have_saved() {
    let (_, without) = Example {
        memory: None,
        ..example(InMemoryPhotos::default())
    }
    .run(Vec::new());
    let all = known(usize::MAX);
    let (_, with) = example(all.clone()).run(Vec::new());
    let asked = |at| {
        let operations = with.conducted.operations.iter();
        operations.filter(|operation| **operation == at).count()
    };
    let asked = |at| u32::try_from(asked(at)).unwrap();
    assert!(asked(Operation::Recall) > 4);
    for at in [Operation::Recall, Operation::Remember] {
        for kind in [
            FaultKind::FailForever,
            FaultKind::HangForever,
            FaultKind::FailOnce,
        ] {
            for number in 1..=asked(at) {
                let fault = InjectedFault {
                    at: Some(at),
                    number,
                    when: FaultTiming::Before,
                    kind,
                };
                let (end, run) = example(all.clone()).run(vec![fault]);
                assert_eq!(end, ProcessEnd::Done, "{at:?} {kind:?} {number}");
                let last = run.last();
                assert_eq!(last["type"], "final", "{at:?} {kind:?} {number}");
                let told = run.conducted.events.iter();
                let told = told.filter(|event| event.json.contains("What earlier runs"));
                let told = told.count();
                assert!(told <= 1, "{at:?} {kind:?} {number}: told {told} times");
                if at == Operation::Recall && number == 1 && kind != FaultKind::FailOnce {
                    assert_eq!(told, 1);
                    let calls = |last: &serde_json::Value| last["spent"]["searchCalls"].clone();
                    assert_eq!(calls(last), calls(without.last()));
                }
            }
        }
    }
}
