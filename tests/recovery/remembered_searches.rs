//! Runs that reuse image searches' answers to earlier runs.

use devtools::in_memory::InMemoryPhotos;
use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault, Operation, ProcessEnd};
use domain::{MemoryUse, Plan, Sha256Digest};
use serde_json::Value;

use crate::observed::ObservedRun;

use super::crashes::check_crashes;
use super::example::Example;

const HOUR_MS: u64 = 3_600_000;

/// The example run with this image search and a memory.
fn example(search: &'static str, memory: InMemoryPhotos) -> Example {
    let mut example = Example::new(Plan::BothEnds);
    example.has_planner = false;
    example.request.limits.memory = MemoryUse::On;
    example.memory = Some(memory);
    example.settings = vec![("IMAGE_SEARCH", search)];
    example
}

/// Returns a run's stored image searches, as if made this many hours ago.
fn kept(of_run: &Example, hours: u64) -> InMemoryPhotos {
    let simulation = of_run.simulation(Vec::new());
    assert_eq!(simulation.conduct_to_end().unwrap(), ProcessEnd::Done);
    let mut kept = InMemoryPhotos::default();
    for search in simulation.memory().searches() {
        let mut search = search.clone();
        search.answer.at_ms -= hours * HOUR_MS;
        search.until_ms -= hours * HOUR_MS;
        kept.remember_search(search);
    }
    kept
}

fn commons(hours: u64) -> InMemoryPhotos {
    kept(&example("commons", InMemoryPhotos::default()), hours)
}

fn whole(run: &Example) -> ObservedRun {
    let (end, run) = run.run(Vec::new());
    assert_eq!(end, ProcessEnd::Done);
    assert_eq!(run.last()["type"], "final");
    run
}

fn searches(run: &ObservedRun) -> u64 {
    run.last()["spent"]["searchCalls"].as_u64().unwrap()
}

/// Returns the names in a run's chain.
fn chain(run: &ObservedRun) -> Vec<&Value> {
    let path = run.last()["path"].as_array().unwrap();
    path.iter().map(|person| &person["name"]).collect()
}

#[test]
fn what_was_asked_within_a_week_is_not_asked_again() {
    let first = whole(&example("commons", InMemoryPhotos::default()));
    assert!(searches(&first) > 0);
    let kept = commons(6 * 24);
    assert!(kept.searches().count() > 0);
    let again = whole(&example("commons", kept.clone()));
    assert_eq!(chain(&again), chain(&first));
    let answers = again.entries("answer");
    let answers = answers.filter(|answer| answer["asked"]["search"].is_object());
    let (given, sent): (Vec<_>, Vec<_>) = answers.partition(|answer| answer["givenMs"].is_u64());
    // Empty results are not stored, since something may be found tomorrow.
    assert!(
        given.len() > sent.len(),
        "{} of {}",
        given.len(),
        sent.len()
    );
    assert_eq!(u64::try_from(sent.len()).unwrap(), searches(&again));
    for answer in given {
        let is_kept = kept.searches().any(|search| {
            let digest = Sha256Digest::of(search.answer.body.as_bytes());
            search.answer.at_ms == answer["givenMs"] && answer["sha256"] == digest.as_str()
        });
        assert!(
            is_kept && answer["attempts"] == 0 && answer["reused"].is_null(),
            "{answer}"
        );
    }
}

#[test]
fn what_is_a_week_old_is_asked_anew() {
    let again = whole(&example("commons", commons(7 * 24 + 1)));
    assert!(searches(&again) > 0);
}

#[test]
fn the_operator_says_how_long_and_whether_at_all() {
    let with_days = |days, memory: &InMemoryPhotos| {
        let mut example = example("commons", memory.clone());
        example.settings.push(("MEMORY_SEARCH_DAYS", days));
        example
    };
    let kept = commons(6 * 24);
    let asked = |days| searches(&whole(&with_days(days, &kept)));
    assert!(asked("30") < asked("5"));
    assert_eq!(asked("5"), asked("0"));
    let nothing = with_days("0", &InMemoryPhotos::default());
    assert_eq!(self::kept(&nothing, 1).searches().count(), 0);
}

#[test]
fn answers_of_providers_whose_terms_forbid_it_are_not_kept() {
    for search in ["google", "brave", "serper", "serpapi"] {
        let kept = kept(&example(search, InMemoryPhotos::default()), 1);
        assert_eq!(kept.searches().count(), 0, "{search}");
    }
    let kept = kept(&example("openverse", InMemoryPhotos::default()), 1);
    assert!(kept.searches().count() > 0);
}

#[test]
fn a_run_to_the_letter_and_one_without_memory_ask_everything() {
    let kept = commons(1);
    let mut without = example("commons", kept.clone());
    without.request.limits.memory = MemoryUse::Off;
    assert!(searches(&whole(&without)) > 0);
    let to_the_letter = |memory| {
        let mut example = example("commons", memory);
        example.request.limits.plan = Plan::OneSided;
        example
    };
    let (_, with) = to_the_letter(kept).run(Vec::new());
    let (_, without) = to_the_letter(InMemoryPhotos::default()).run(Vec::new());
    assert_eq!(searches(&with), searches(&without));
    let nothing = to_the_letter(InMemoryPhotos::default());
    assert_eq!(self::kept(&nothing, 1).searches().count(), 0);
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_anew() {
    let mut broken = InMemoryPhotos::default();
    for search in commons(1).searches() {
        let mut search = search.clone();
        search.answer.body.truncate(40);
        broken.remember_search(search);
    }
    let again = whole(&example("commons", broken));
    assert!(searches(&again) > 0);
}

#[test]
fn a_run_with_remembered_searches_survives_a_crash_at_every_fifth_place() {
    let short = |memory| example("commons", memory).between("Stamp Proctor", "Anna Scherer");
    let memory = kept(&short(InMemoryPhotos::default()), 1);
    assert!(check_crashes(&short(memory), 5) > 100);
}

#[test]
#[ignore = "takes minutes"]
fn a_run_with_remembered_searches_survives_a_crash_at_every_place() {
    let crashes = check_crashes(&example("commons", commons(1)), 1);
    println!("{crashes} crashes");
    assert!(crashes > 250);
}

#[test]
fn a_database_that_fails_costs_the_searches_that_it_would_have_saved() {
    let kept = commons(1);
    for kind in [FaultKind::FailForever, FaultKind::HangForever] {
        let fault = InjectedFault {
            at: Some(Operation::Recall),
            number: 1,
            when: FaultTiming::Before,
            kind,
        };
        let (end, run) = example("commons", kept.clone()).run(vec![fault]);
        assert_eq!(end, ProcessEnd::Done);
        assert_eq!(run.last()["type"], "final");
        assert!(searches(&run) > 0);
    }
}
