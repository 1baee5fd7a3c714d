//! The verifier's expected output, natively: a line of JSON for each committed sealed run, then one for a run of each
//! plan with the byte changes that must be detected.
#![allow(
    missing_docs,
    dead_code,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

#[path = "../sealed/byte_changes.rs"]
mod byte_changes;
#[path = "../random.rs"]
mod random;
#[path = "../sealed/runs.rs"]
mod runs;

use std::path::PathBuf;

use domain::Plan;
use serde_json::json;
use visual_degrees::sealed::verify_to_json;

fn main() {
    for path in ["runs", "workflow_runs", "automaton_runs"]
        .into_iter()
        .flat_map(files)
    {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let expected = verify_to_json(&text);
        println!(
            "{}",
            json!({"name": name, "text": text, "expected": expected})
        );
    }
    let mut random = random::XorShift64(20_261_121);
    for plan in Plan::ALL {
        let text = runs::RunSetup::new(plan).sealed();
        tell_with_changes(plan.as_str(), &text, &mut random);
    }
    for engine in ["workflow", "automaton"] {
        // One file is refused unchanged, so that its changes prove nothing.
        let is_executed = |path: &PathBuf| !path.ends_with("netgent.json");
        for path in files(&format!("{engine}_runs"))
            .into_iter()
            .filter(is_executed)
        {
            let text = std::fs::read_to_string(&path).unwrap();
            tell_with_changes(engine, text.trim_end(), &mut random);
        }
    }
}

/// Returns the committed files of this folder.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sealed");
    let entries = std::fs::read_dir(format!("{root}/{folder}")).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn tell_with_changes(name: &str, text: &str, random: &mut random::XorShift64) {
    let changes = byte_changes::byte_changes(text, random);
    let expected = verify_to_json(text);
    let line = json!({"name": name, "text": text, "expected": expected, "changes": changes});
    println!("{line}");
}
