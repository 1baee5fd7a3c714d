//! Runs that 0.3.0 made, kept as it made them: this version goes on with their journals, and reads,
//! executes and tells of their sealed files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use visual_degrees::domain::Plan;
use visual_degrees::rehearsal::ProcessEnd;
use visual_degrees::sealed::{Origin, ReplayLimits, Verdict, replay};

use super::runs::{RunSetup, endings, key};

/// Where a run that was stopped, or whose processes died, would end is not in its journal alone.
const BY_ITSELF: [&str; 3] = ["final", "no_path-search_budget", "no_path-no_candidates"];

/// The file that 0.3.0 made of a plan's ending.
fn kept(plan: Plan, name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sealed/runs_of_0_3_0");
    fs::read_to_string(root.join(format!("{}-{name}.json", plan.as_str()))).unwrap()
}

/// The first entry, as 0.3.0 wrote it, and the others.
fn journal_of(file: &Value) -> Vec<String> {
    let body = &file["body"];
    let opened = json!({"opened": {
        "version": 2, "engine": "0.3.0", "run": body["run"], "order": body["order"],
        "expiresMs": 1_795_257_120_000_u64,
    }});
    let entries = body["journal"].as_array().unwrap().iter();
    std::iter::once(&opened)
        .chain(entries)
        .map(Value::to_string)
        .collect()
}

fn last(events: &[Value]) -> [&Value; 3] {
    let last = events.last().unwrap();
    ["type", "reason", "path"].map(|member| &last[member])
}

fn check_goes_on(name: &str, file: &Value, setup: &RunSetup, entries: &[String]) {
    let what = format!("{name} after {} entries", entries.len());
    let simulation = setup.simulation();
    simulation.take_over(entries);
    assert_eq!(
        simulation.conduct_to_end().unwrap(),
        ProcessEnd::Done,
        "{what}"
    );
    let run = simulation.conducted();
    let events = run.events.iter();
    let events: Vec<Value> = events
        .map(|event| serde_json::from_str(&event.json).unwrap())
        .collect();
    let before = file["body"]["events"].as_array().unwrap();
    assert_eq!(last(&events), last(before), "{what}");
    // What was answered is not asked again.
    let is_answer = |entry: &&String| entry.starts_with(r#"{"answer""#);
    let answers = entries.iter().filter(is_answer).count();
    let all = journal_of(file).iter().filter(is_answer).count();
    assert!(
        run.calls.len() <= all - answers + 5,
        "{what}: {} calls",
        run.calls.len()
    );
}

#[test]
fn a_run_of_0_3_0_goes_on_from_every_place() {
    let mut places = 0;
    for plan in Plan::ALL {
        for (name, setup) in endings(plan) {
            if !BY_ITSELF.contains(&name) {
                continue;
            }
            let file: Value = serde_json::from_str(&kept(plan, name)).unwrap();
            assert_eq!(
                file["body"]["engine"], "0.3.0",
                "the set is of that version"
            );
            let journal = journal_of(&file);
            for until in 1..=journal.len() {
                check_goes_on(name, &file, &setup, &journal[..until]);
                places += 1;
            }
        }
    }
    println!("{places} places");
    assert!(places > 100);
}

/// A newer search may run it otherwise; whoever asks is told by whom it was made, and that its bytes
/// are those that were sealed.
#[test]
fn a_sealed_file_of_0_3_0_is_read_and_told_as_made_by_0_3_0() {
    for plan in Plan::ALL {
        for name in BY_ITSELF.into_iter().chain(["no_path-unknown_person"]) {
            let file = kept(plan, name);
            let report = replay(&file, Some(&key()), ReplayLimits::SERVER).unwrap();
            let what = format!("{} {name}: {}", plan.as_str(), report.says);
            assert_eq!(report.engine.sealed, "0.3.0", "{what}");
            assert_eq!(report.engine.replayed, env!("CARGO_PKG_VERSION"), "{what}");
            assert!(report.digest.matches, "{what}");
            assert_eq!(report.origin, Origin::ThisServer, "{what}");
            let is_told = report.says.contains("0.3.0");
            assert!(is_told || report.result == Verdict::Identical, "{what}");
        }
    }
}
