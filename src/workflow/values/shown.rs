//! Values as they are told.

use serde_json::Value;

/// A value that takes more bytes of JSON is told by their number.
const SHOWN_BYTES_MAX: usize = 8_192;

/// A value as it is told: one that is long only by its length.
#[must_use]
pub fn shown(value: &Value) -> Value {
    let length = json_bytes(value);
    if length <= SHOWN_BYTES_MAX {
        return value.clone();
    }
    Value::from(format!("{length} bytes of JSON, too long to be shown"))
}

/// How many bytes a value takes in JSON.
pub(in crate::workflow) fn json_bytes(value: &Value) -> usize {
    value.to_string().len()
}
