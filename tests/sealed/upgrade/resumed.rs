//! Runs that continue.

use devtools::rehearsal::ProcessEnd;
use sandbox::SandboxProvider;

use super::stored::{RunOf030, StoredRun, runs_of_0_3_0};

/// The most calls in flight when a run's process ends: they are repeated.
const CALLS_UNDER_WAY_MAX: usize = 5;

/// Returns the type of the last event, its reason and its path.
fn ending(json: &str) -> [serde_json::Value; 3] {
    let event: serde_json::Value = serde_json::from_str(json).unwrap();
    ["type", "reason", "path"].map(|member| event[member].clone())
}

fn check_goes_on(run: &RunOf030, stored: &StoredRun) {
    let what = format!("{} after {} entries", run.name, stored.entries.len());
    let simulation = run.setup.simulation();
    simulation.take_over(&stored.entries, &stored.events);
    let end = simulation.conduct_to_end().unwrap();
    assert_eq!(end, ProcessEnd::Done, "{what}");
    let conducted = simulation.conducted();
    let (told, newly) = conducted.events.split_at(stored.events.len());
    assert_eq!(told, stored.events, "{what}: what was told stays");
    assert_eq!(newly.is_empty(), stored.has_ended(), "{what}");
    let last = &conducted.events.last().unwrap().json;
    let before = &run.whole().events.last().unwrap().json;
    assert_eq!(ending(last), ending(before), "{what}");
    // Answered calls are not repeated.
    let left = run.whole().answers() - stored.answers();
    let answered = stored.queries();
    let (searches, others): (Vec<_>, Vec<_>) = (conducted.calls.iter())
        .partition(|(provider, ..)| provider == SandboxProvider::Google.name());
    for (_, query, _) in searches {
        assert!(!answered.contains(query), "{what}: {query} again");
    }
    // This version asks further questions where 0.3.0 had none, but recognises no more.
    let left = left - (run.whole().queries().len() - answered.len());
    let calls = others.len();
    assert!(
        calls <= left + CALLS_UNDER_WAY_MAX,
        "{what}: {calls} calls where {left} answers were left"
    );
}

#[test]
fn a_run_that_0_3_0_began_is_resumed_while_all_that_it_told_is_told_alike() {
    let mut moments = 0;
    for run in runs_of_0_3_0() {
        for stored in run
            .moments
            .iter()
            .filter(|stored| !stored.tells_otherwise())
        {
            check_goes_on(&run, stored);
            moments += 1;
        }
    }
    assert!(moments > 500, "{moments}");
}
