//! Values as they are told.

use serde_json::Value;

/// A value that takes more bytes of JSON is told by their number.
const SHOWN_BYTES_MAX: usize = 8_192;

/// A value as it is told: one that is long only by its length.
#[must_use]
pub fn shown(value: &Value) -> Value {
    shown_within(value, SHOWN_BYTES_MAX)
}

/// The same, where one is long that takes more than so many bytes of JSON.
pub(super) fn shown_within(value: &Value, bytes_max: usize) -> Value {
    let length = value.to_string().len();
    if length <= bytes_max {
        return value.clone();
    }
    Value::from(format!("{length} bytes of JSON, too long to be shown"))
}
