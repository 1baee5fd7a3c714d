//! A tool's answer as a value.

use serde_json::Value;

/// Returns the text as JSON, or the text itself where it is no JSON, or null where there is no
/// text.
#[must_use]
pub fn parse_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.is_empty() => Value::Null,
        Err(_) => Value::from(text),
    }
}
