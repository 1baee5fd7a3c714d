//! Replays the committed runs of workflows. A change of behaviour fails here; if it is intended, `UPDATE_SEALED=1 cargo
//! test --test all workflow_runs::` renews the files.

use std::fs;
use std::path::PathBuf;

use devtools::rehearsal::simulation::SimulatedRun;
use serde_json::json;
use visual_degrees::sealed::{ReplayLimits, Verdict, replay, seal};

use crate::sealed::runs::key;

use super::bench::{Bench, example, last};

fn sealed(run: &SimulatedRun) -> String {
    let events: Vec<&str> = run.events.iter().map(|event| &*event.json).collect();
    seal(&run.journal, &events, Some(&key())).unwrap()
}

/// The example, and a run with a call whose outcome is unknown.
fn runs() -> [(&'static str, &'static str, &'static str); 2] {
    [
        ("clickweave", "/mcp/desk?eras=modern", "completed"),
        ("unknown-outcome", "/mcp/desk?fault=error-500@6", "failed"),
    ]
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/sealed/workflow_runs")
}

#[track_caller]
fn check_replay(name: &str, file: &str) {
    let report = replay(file, None, ReplayLimits::SERVER).unwrap();
    assert_eq!(report.result, Verdict::Identical, "{name}: {}", report.says);
}

#[test]
fn every_committed_run_runs_as_it_ran() {
    let folder = folder();
    let is_renewed = std::env::var_os("UPDATE_SEALED").is_some();
    for (name, server, ending) in runs() {
        let path = folder.join(format!("{name}.json"));
        let run = Bench::new(server, false).conduct(&example(), &json!({"dialect": "clickweave"}));
        assert_eq!(last(&run)["type"], ending, "{name}: {}", last(&run));
        let made = sealed(&run) + "\n";
        if is_renewed {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &made).unwrap();
        }
        let file = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{name}: {error}; UPDATE_SEALED=1 makes it"));
        assert!(file == made, "{name} is made otherwise");
        check_replay(name, &file);
    }
}

/// No new run has this dialect; 0.17.0 made the file.
#[test]
fn a_committed_run_of_the_strict_dialect_runs_as_it_ran() {
    let file = fs::read_to_string(folder().join("strict.json")).unwrap();
    check_replay("strict", &file);
}
