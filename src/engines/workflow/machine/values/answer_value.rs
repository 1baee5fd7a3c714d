//! What a tool's answer is as a value.

use serde_json::Value;

/// The text as JSON; where it is none, the text itself; of no text, null.
#[must_use]
pub fn parse_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.is_empty() => Value::Null,
        Err(_) => Value::from(text),
    }
}
