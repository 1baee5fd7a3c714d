//! The recorded behaviour of each engine, and its digest: its requests, decisions and events, but not the answers it
//! got, nor the version in a sealed file.

use std::collections::BTreeMap;
use std::fs;

use domain::Sha256Digest;
use serde_json::{Value, json};
use visual_degrees::engines::EngineName;

use super::files::path;

/// Each engine, with the files and folders of its records.
pub const RECORDED: [(&str, &[&str]); 3] = [
    ("automaton", &["tests/sealed/automaton_runs"]),
    (
        "investigation",
        &[
            "tests/engine/transcripts",
            "tests/scenarios/twenty_searches.txt",
            "tests/sealed/runs",
        ],
    ),
    (
        "workflow",
        &["tests/workflow/transcripts", "tests/sealed/workflow_runs"],
    ),
];

/// Returns the records of these files and folders by name.
pub fn records(sources: &[&str]) -> BTreeMap<String, String> {
    sources
        .iter()
        .flat_map(|source| records_of(source))
        .collect()
}

fn records_of(name: &str) -> BTreeMap<String, String> {
    if path(name).is_dir() {
        let entries = fs::read_dir(path(name)).expect(name);
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        return names
            .flat_map(|inner| records_of(&format!("{name}/{inner}")))
            .collect();
    }
    let text = fs::read_to_string(path(name)).expect(name);
    let is_sealed = path(name).extension().is_some_and(|end| end == "json");
    let record = if is_sealed {
        behaviour_of_sealed(&text)
    } else {
        text
    };
    BTreeMap::from([(name.to_owned(), record)])
}

/// Returns an engine's requests, decisions and events in a sealed run.
pub fn behaviour_of_sealed(text: &str) -> String {
    let file: Value = serde_json::from_str(text).unwrap();
    let body = &file["body"];
    let entries = body["journal"].as_array().unwrap().iter();
    let asked: Vec<&Value> = entries
        .filter_map(|entry| entry.pointer("/answer/asked"))
        .collect();
    json!({"asked": asked, "decisions": body["decisions"], "events": body["events"]}).to_string()
}

/// Returns the SHA-256 of records: of each one's name and text, in the order of names.
pub fn digest(records: &BTreeMap<String, String>) -> String {
    let parts = records.iter().flat_map(|(name, text)| [name, text]);
    let digests: String = parts
        .map(|part| Sha256Digest::of(part.as_bytes()).to_string())
        .collect();
    Sha256Digest::of(digests.as_bytes()).to_string()
}

/// The engine for tests only, whose runs nobody keeps.
const OF_TESTS: &str = "countdown";

#[test]
fn something_is_recorded_of_each_engine() {
    let mut engines: Vec<String> = EngineName::by_body()
        .map(|engine| format!("{engine:?}").to_lowercase())
        .filter(|engine| engine != OF_TESTS)
        .collect();
    engines.sort();
    assert_eq!(engines, RECORDED.map(|(engine, _)| engine));
    for (engine, sources) in RECORDED {
        for source in sources {
            assert!(!records(&[source]).is_empty(), "{engine}: {source}");
        }
    }
}
