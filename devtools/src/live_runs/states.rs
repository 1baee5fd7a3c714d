//! States as measurements write them, in the old format.

use serde_json::{Value, json};

/// Makes a state with these checks and actions.
pub(super) fn state(name: &str, checks: &[Value], actions: &[&str], end: &str) -> Value {
    json!({"name": name, "description": "", "checks": checks, "actions": actions, "end_state": end})
}

/// Makes the check that a text is shown.
pub(super) fn text(text: &str) -> Value {
    json!({"type": "text", "value": text})
}

/// Makes the check of an address.
pub(super) fn url(url: &str) -> Value {
    json!({"type": "url", "value": url})
}
