//! Replays the committed runs of automata. A change of behaviour fails here; if it is intended, `UPDATE_SEALED=1 cargo
//! test --test all automaton_runs::` renews the files.

use std::fs;
use std::path::PathBuf;

use devtools::rehearsal::{
    FaultKind, FaultTiming, InjectedFault, Operation, PageWorld, Simulation,
};
use serde_json::{Value, json};
use visual_degrees::sealed::{ReplayLimits, Verdict, replay, seal};

use crate::sealed::runs::key;

use super::bench::{conducted, last, request, shop};

fn sealed(simulation: &Simulation) -> String {
    let run = simulation.conducted();
    let events: Vec<&str> = run.events.iter().map(|event| &*event.json).collect();
    seal(&run.journal, &events, Some(&key())).unwrap()
}

/// The buyer's run, one that waits for a page that never comes, and one with a click whose outcome is unknown.
fn runs() -> [(
    &'static str,
    Value,
    PageWorld,
    Vec<InjectedFault>,
    &'static str,
); 3] {
    let lost = InjectedFault {
        at: Some(Operation::Browser),
        number: 6,
        when: FaultTiming::After,
        kind: FaultKind::FailOnce,
    };
    let mut brief = request(3);
    brief["options"] = json!({"noStatesTimeoutMs": 2_000});
    let elsewhere = PageWorld::default();
    [
        ("strict", request(3), shop(3), Vec::new(), "completed"),
        (
            "no-state",
            brief,
            elsewhere,
            Vec::new(),
            "no_states_timeout",
        ),
        (
            "unknown-outcome",
            request(3),
            shop(3),
            vec![lost],
            "unknown_outcome",
        ),
    ]
}

#[test]
fn every_committed_run_runs_as_it_ran() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/sealed/automaton_runs");
    let is_renewed = std::env::var_os("UPDATE_SEALED").is_some();
    for (name, body, world, faults, ending) in runs() {
        let path = folder.join(format!("{name}.json"));
        let run = conducted(&body, world, faults);
        let last = last(&run);
        let found = last["payload"]["reason"].as_str().or(last["type"].as_str());
        assert_eq!(found, Some(ending), "{name}: {last}");
        let made = sealed(&run) + "\n";
        if is_renewed {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &made).unwrap();
        }
        let file = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{name}: {error}; UPDATE_SEALED=1 makes it"));
        assert!(file == made, "{name} is made otherwise");
        let report = replay(&file, None, ReplayLimits::SERVER).unwrap();
        assert_eq!(report.result, Verdict::Identical, "{name}: {}", report.says);
    }
}

#[test]
fn an_older_run_of_another_dialect_is_no_longer_executed_and_the_reason_is_told() {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = PathBuf::from(root).join("tests/sealed/automaton_runs/netgent.json");
    let file = fs::read_to_string(path).unwrap();
    let error = replay(&file, None, ReplayLimits::SERVER).unwrap_err();
    let says = "its dialect is no longer executed; every automaton runs as the seed's text says";
    assert_eq!(
        error.to_string(),
        format!("The file's question is not valid: {says}.")
    );
}
