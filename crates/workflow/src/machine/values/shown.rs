//! Values as they are told.

use serde_json::Value;

/// The longest value that is told whole, in bytes of JSON; a longer one is told by its number of
/// bytes.
const SHOWN_BYTES_MAX: usize = 8_192;

/// Returns a value as it is told: a long one by its length alone.
#[must_use]
pub fn shown(value: &Value) -> Value {
    shown_within(value, SHOWN_BYTES_MAX)
}

/// Returns a value as it is told, where a long one is one that takes more than so many bytes of
/// JSON.
pub(super) fn shown_within(value: &Value, bytes_max: usize) -> Value {
    let length = value.to_string().len();
    if length <= bytes_max {
        return value.clone();
    }
    Value::from(format!("{length} bytes of JSON, too long to be shown"))
}
