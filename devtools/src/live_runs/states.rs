//! Makes the states of automata for measurements, in the old format.

use serde_json::{Value, json};

/// Makes a state with these checks and actions.
pub(super) fn state(name: &str, checks: &[Value], actions: &[&str], end: &str) -> Value {
    json!({"name": name, "description": "", "checks": checks, "actions": actions, "end_state": end})
}

/// Makes a check that the page shows a text.
pub(super) fn text(text: &str) -> Value {
    json!({"type": "text", "value": text})
}

/// Makes a check that the page has an address.
pub(super) fn url(url: &str) -> Value {
    json!({"type": "url", "value": url})
}
