//! What 0.3.0 stored of its runs: every write to a run's object and to KV in order, so that any prefix is what an
//! upgrade may find; and the sealed files of the same runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use domain::Plan;
use engine::Engine as _;
use investigation::wire::InvestigationEngine;
use platform::events::WireEvent;
use serde_json::Value;

use crate::sealed::runs::{RunSetup, endings};

/// The endings whose runs are stored.
const KEPT: [&str; 4] = [
    "final",
    "no_path-search_budget",
    "no_path-no_candidates",
    "no_path-unknown_person",
];

/// Part of the first line of these runs, which 0.3.0 emitted in the both-ends plan and later versions word differently.
const NOT_TOLD_ANY_MORE: &str = "no search is needed";

/// A run conducted by 0.3.0.
pub struct RunOf030 {
    /// `both-ends-final`, and so on.
    pub name: String,
    /// The setup to conduct it here.
    pub setup: RunSetup,
    /// The state after each write, from the first entry on.
    pub moments: Vec<StoredRun>,
    /// Its sealed file.
    pub sealed: String,
}

/// The stored state of a run at one moment.
#[derive(Debug, Clone, Default)]
pub struct StoredRun {
    /// The journal.
    pub entries: Vec<String>,
    /// The events sent to viewers.
    pub events: Vec<WireEvent>,
    /// The newest documents by their keys in KV.
    pub documents: BTreeMap<String, String>,
}

/// Returns all stored runs.
pub fn runs_of_0_3_0() -> Vec<RunOf030> {
    let runs = Plan::ALL.into_iter().flat_map(|plan| {
        let kept = endings(plan).into_iter();
        let kept = kept.filter(|(name, _)| KEPT.contains(name));
        kept.map(move |(name, setup)| RunOf030::read(format!("{}-{name}", plan.as_str()), setup))
    });
    runs.collect()
}

impl RunOf030 {
    fn read(name: String, setup: RunSetup) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sealed/upgrade");
        let read = |file: String| fs::read_to_string(folder.join(&file)).expect(&file);
        let mut run = StoredRun::default();
        let writes = read(format!("stored_by_0_3_0/{name}.txt"));
        let moments = writes.lines().map(|write| {
            run.write(write);
            run.clone()
        });
        Self {
            moments: moments.collect(),
            sealed: read(format!("sealed_by_0_3_0/{name}.json")),
            name,
            setup,
        }
    }

    /// Returns the final state.
    pub fn whole(&self) -> &StoredRun {
        self.moments.last().unwrap()
    }
}

impl StoredRun {
    /// Applies a line: `entry JSON`, `event JSON` or `document KEY JSON`.
    fn write(&mut self, line: &str) {
        let (what, text) = line.split_once(' ').unwrap();
        match what {
            "entry" => self.entries.push(text.to_owned()),
            "event" => {
                let number = u32::try_from(self.events.len()).unwrap() + 1;
                self.events.push(event(number, text));
            }
            "document" => {
                let (key, document) = text.split_once(' ').unwrap();
                self.documents.insert(key.to_owned(), document.to_owned());
            }
            other => panic!("{other}"),
        }
    }

    /// Returns whether viewers saw what later versions word differently.
    pub fn tells_otherwise(&self) -> bool {
        let mut events = self.events.iter();
        events.any(|event| event.json.contains(NOT_TOLD_ANY_MORE))
    }

    /// Returns whether viewers saw the run's last event.
    pub fn has_ended(&self) -> bool {
        self.events.last().is_some_and(|event| event.is_last)
    }

    /// Returns the queries answered by image searches.
    pub fn queries(&self) -> Vec<String> {
        let entries = self.entries.iter();
        let queries = entries.filter_map(|entry| {
            let entry: Value = serde_json::from_str(entry).unwrap();
            let query = entry["answer"]["asked"]["search"]["query"].as_str()?;
            Some(query.to_owned())
        });
        queries.collect()
    }

    /// Returns the number of answered calls.
    pub fn answers(&self) -> usize {
        let entries = self.entries.iter();
        entries
            .filter(|entry| entry.starts_with(r#"{"answer""#))
            .count()
    }
}

/// Returns an event, as read from the run's object.
fn event(number: u32, json: &str) -> WireEvent {
    let told: Value = serde_json::from_str(json).unwrap();
    let text = |member: &str| told[member].as_str().unwrap();
    let kinds = InvestigationEngine::KINDS;
    WireEvent::stored(kinds, text("runId"), number, text("type"), json.to_owned()).unwrap()
}

/// Ensures that these files are really what 0.3.0 wrote.
#[test]
fn what_is_stored_of_a_run_of_0_3_0_is_what_its_sealed_file_has() {
    let runs = runs_of_0_3_0();
    assert_eq!(runs.len(), 2 * KEPT.len());
    for run in &runs {
        let file: Value = serde_json::from_str(&run.sealed).unwrap();
        assert_eq!(file["body"]["engine"], "0.3.0", "{}", run.name);
        let whole = run.whole();
        let read = |json: &str| -> Value { serde_json::from_str(json).unwrap() };
        let opened = read(&whole.entries[0]);
        assert_eq!(opened["opened"]["engine"], "0.3.0", "{}", run.name);
        assert_eq!(opened["opened"]["order"], file["body"]["order"]);
        let events: Vec<Value> = whole.events.iter().map(|event| read(&event.json)).collect();
        assert_eq!(file["body"]["events"], Value::from(events), "{}", run.name);
        let is_sealed = |entry: &&String| {
            let kinds = [r#"{"answer""#, r#"{"input""#, r#"{"intent""#];
            kinds.iter().any(|kind| entry.starts_with(kind))
        };
        let entries = whole.entries.iter().filter(is_sealed);
        let entries: Vec<Value> = entries.map(|entry| read(entry)).collect();
        assert_eq!(
            file["body"]["journal"],
            Value::from(entries),
            "{}",
            run.name
        );
    }
}
