//! Runs that cannot continue: their viewers were shown something else than this version emits.

use devtools::rehearsal::ProcessEnd;
use domain::RunToken;
use engine::journal::{answers_to_inherit, read_entries};
use engine::store::{Keys, interrupted_meta};
use investigation::machine::Request;
use serde_json::Value;

use crate::observed::ObservedRun;
use crate::search_forms::Fork;

use super::stored::{RunOf030, StoredRun, runs_of_0_3_0};

/// The message to viewers of a run that cannot continue.
const WORDS: &str = "The run was interrupted on the server and can't go on; what was verified until \
                     then is above, and a fork of it pays for nothing twice. Start it again.";

/// Returns the moments of unfinished runs at which this version cannot continue.
fn refused(run: &RunOf030) -> impl Iterator<Item = &StoredRun> {
    let moments = run.moments.iter();
    moments.filter(|stored| stored.tells_otherwise() && !stored.has_ended())
}

fn spent(json: &str) -> Option<Value> {
    let event: Value = serde_json::from_str(json).unwrap();
    event.get("spent").cloned()
}

fn check_is_refused(run: &RunOf030, stored: &StoredRun) {
    let what = format!("{} after {} events", run.name, stored.events.len());
    let simulation = run.setup.simulation();
    simulation.take_over(&stored.entries, &stored.events);
    let end = simulation.conduct_to_end().unwrap();
    let conducted = simulation.conducted();
    assert!(conducted.calls.is_empty(), "{what}: nothing more is paid");
    let (last, told) = conducted.events.split_last().unwrap();
    assert_eq!(told, stored.events, "{what}: what was told stays");
    assert_eq!(end, ProcessEnd::Interrupted(last.json.clone()), "{what}");
    let event: Value = serde_json::from_str(&last.json).unwrap();
    assert_eq!(event["type"], "error", "{what}");
    assert_eq!(event["code"], "internal", "{what}");
    assert_eq!(event["message"], WORDS, "{what}");
    assert_eq!(event["retryable"], true, "{what}");
    let spent_before = stored
        .events
        .iter()
        .rev()
        .find_map(|event| spent(&event.json));
    assert_eq!(event.get("spent"), spent_before.as_ref(), "{what}");
    // Its record says so, too.
    let meta = interrupted_meta(&meta_of_run_under_way(run), &last.json).unwrap();
    let meta: Value = serde_json::from_str(&meta).unwrap();
    assert_eq!(meta["endedWith"], "error", "{what}");
    assert_eq!(meta["endedBecause"], "internal", "{what}");
}

/// Returns the first document about the run as a whole.
fn meta_of_run_under_way(run: &RunOf030) -> String {
    let token = RunToken::parse(&run.whole().events[0].run).unwrap();
    let key = Keys::new(token.session(), token.run()).plain("meta");
    let mut metas = run
        .moments
        .iter()
        .filter_map(|stored| stored.documents.get(&key));
    metas.next().unwrap().clone()
}

#[test]
fn a_run_that_0_3_0_began_is_refused_in_plain_words_once_it_told_something_otherwise() {
    let mut refusals = Vec::new();
    for run in runs_of_0_3_0() {
        refused(&run).for_each(|stored| check_is_refused(&run, stored));
        if refused(&run).next().is_some() {
            refusals.push(run.name);
        }
    }
    let expected = ["final", "no_path-no_candidates", "no_path-unknown_person"];
    assert_eq!(refusals, expected.map(|name| format!("both-ends-{name}")));
}

/// Forks a stored run, and conducts the fork.
fn forked(run: &RunOf030, stored: &StoredRun, request: &Request) -> ObservedRun {
    let mut simulation = run.setup.simulation();
    let fork = Fork {
        run: stored.events[0].run.clone(),
        answers: answers_to_inherit(read_entries(&stored.entries).unwrap(), None),
    };
    simulation.open(request, Some(fork)).unwrap();
    simulation.conduct_to_end().unwrap();
    ObservedRun::of(&simulation)
}

fn paid(run: &ObservedRun) -> usize {
    let calls = run.conducted.calls.iter();
    calls.filter(|(name, ..)| name != "image").count()
}

#[test]
fn a_fork_of_a_run_that_0_3_0_began_and_that_is_refused_pays_for_nothing_twice() {
    let runs = runs_of_0_3_0();
    let run = runs
        .iter()
        .find(|run| run.name == "both-ends-final")
        .unwrap();
    let request = run.setup.request();
    let alone = {
        let mut simulation = run.setup.simulation();
        simulation.open(&request, None).unwrap();
        simulation.conduct_to_end().unwrap();
        ObservedRun::of(&simulation)
    };
    let end: Value = serde_json::from_str(&run.whole().events.last().unwrap().json).unwrap();
    let mut left = Vec::new();
    for stored in refused(run) {
        let fork = forked(run, stored, &request);
        assert_eq!(fork.last()["type"], "final");
        assert_eq!(fork.last()["path"], end["path"]);
        let answered = stored.queries();
        for (_, key, _) in &fork.conducted.calls {
            assert!(!answered.contains(key), "{key} is paid again");
        }
        left.push(paid(&fork));
    }
    let (first, last) = (left[0], left[left.len() - 1]);
    assert!(left.is_sorted_by(|one, next| one >= next), "{left:?}");
    assert!(first < paid(&alone), "{first} of {}", paid(&alone));
    assert_eq!(last, 0, "every answer was there");
}
