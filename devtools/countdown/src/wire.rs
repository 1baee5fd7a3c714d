//! The stored forms.

use serde::{Deserialize, Serialize};

use engine::{Stored, key_digest};
use platform::events::WireEvent;

use crate::machine::{Action, CountdownEngine, Outcome};

/// The key of what an action asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Key {
    Count(u32),
    Begin(String),
}

/// The token of a run that is about to be begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    pub command: u32,
    pub run: String,
}

impl Stored for CountdownEngine {
    type Key = Key;
    type OutcomeForm = Outcome;
    type Note = Note;
    type Memory = ();

    const ORDER_TAG: Option<&'static str> = Some("countdown");
    const BEGINS_RUNS: bool = true;
    const ENTRY_WEIGHT_MAX: usize = 100_000;
    const ORDER_BYTES_MAX: usize = 10_000;

    fn key(action: &Action, (): &()) -> Key {
        match action {
            Action::Count { left } => Key::Count(*left),
            Action::Begin { request, .. } => Key::Begin(key_digest(request).to_string()),
        }
    }

    fn form(outcome: &Outcome) -> Outcome {
        outcome.clone()
    }

    fn outcome(form: Outcome) -> Option<Outcome> {
        Some(form)
    }

    fn is_success(form: &Outcome) -> bool {
        !form.is_failure
    }

    fn reaches(event: &WireEvent, point: &str) -> bool {
        event.kind == "counted" && event.json.contains(&format!("\"left\":{point},"))
    }

    fn child_begun(note: &Note) -> Option<&str> {
        Some(&note.run)
    }

    fn is_child(key: &Key) -> bool {
        matches!(key, Key::Begin(_))
    }
}
