//! The answers of the tools that are of no engine.

use serde_json::Value;

use super::answer::Answer;
use super::members::Members;
use super::quoted::quoted;

/// Returns the answer about people whom a name may mean, by what `GET /people` answers.
#[must_use]
pub fn people_answer(found: &Value) -> Answer {
    let people = found.get("people").and_then(Value::as_array);
    let mut told = Vec::new();
    let mut text = String::new();
    for person in people.into_iter().flatten() {
        let mut members = Members::default();
        for member in ["number", "label", "description", "alias"] {
            members.add_of(member, person, member);
            if let Some(words) = person.get(member).and_then(Value::as_str) {
                text.push_str(&quoted(words));
                text.push(' ');
            }
        }
        text.push('\n');
        told.push(members.into_value());
    }
    if told.is_empty() {
        text.push_str("Wikidata knows nobody of this name.");
    }
    let mut members = Members::default();
    members.add("people", told.into());
    Answer::new(members, text)
}

/// Returns the answer about a run that is being stopped.
#[must_use]
pub fn stopping(run: &str) -> Answer {
    let mut members = Members::default();
    members.add_text("run", run);
    members.add_text("state", "stopping");
    let text = format!("The run is being stopped. get_run with run {run} tells what it found.");
    Answer::new(members, text)
}
