//! Replays the committed set: every ending of both plans. A change of behaviour fails here; if it is intended,
//! `UPDATE_SEALED=1 cargo test --test all sealed::` renews the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use domain::Plan;
use serde_json::Value;
use visual_degrees::sealed::{Origin, ReplayLimits, Verdict, replay};

use super::runs::{endings, key};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/sealed/runs")
}

/// Returns a file's ending: `final`, `no_path-search_budget`, `error-provider_down`.
fn ending(file: &str) -> String {
    let file: Value = serde_json::from_str(file).unwrap();
    let last = file["body"]["events"].as_array().unwrap().last().unwrap();
    let more = ["reason", "code"].map(|name| last[name].as_str().unwrap_or(""));
    let parts = [last["type"].as_str().unwrap(), more[0], more[1]];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

#[test]
fn every_committed_run_runs_as_it_ran() {
    let is_renewed = std::env::var_os("UPDATE_SEALED").is_some();
    let mut expected = BTreeSet::new();
    for plan in Plan::ALL {
        for (name, setup) in endings(plan) {
            let file_name = format!("{}-{name}.json", plan.as_str());
            let path = folder().join(&file_name);
            if is_renewed {
                fs::write(&path, setup.sealed() + "\n").unwrap();
            }
            let file = fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{file_name}: {error}; UPDATE_SEALED=1 makes it"));
            assert_eq!(ending(&file), name, "{file_name} ends otherwise");
            let report = replay(&file, Some(&key()), ReplayLimits::SERVER).unwrap();
            assert_eq!(
                report.result,
                Verdict::Identical,
                "{file_name}: {}",
                report.says
            );
            assert_eq!(report.origin, Origin::ThisServer, "{file_name}");
            expected.insert(file_name);
        }
    }
    let names = fs::read_dir(folder()).unwrap();
    let found: BTreeSet<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, expected, "the set is what this test makes");
}
