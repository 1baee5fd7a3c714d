//! Texts as values of headers.
//!
//! //= MCP 2026-07-28, basic/transports/streamable-http, Value Encoding

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// Returns a text as it is sent: unchanged, where every server reads it back, and otherwise in
/// base64.
pub(crate) fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let is_trimmed = text.trim_matches([' ', '\t']).len() == text.len();
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    if is_plain && is_trimmed && !looks_encoded {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}

/// Returns the text that a header's value carries, as [`encoded`] sends it. Returns `None` where the value is no
/// text in base64 although it says so.
#[must_use]
pub fn decoded(value: &str) -> Option<String> {
    let inner = value.strip_prefix("=?base64?");
    let Some(inner) = inner.and_then(|inner| inner.strip_suffix("?=")) else {
        return Some(value.to_owned());
    };
    String::from_utf8(STANDARD.decode(inner).ok()?).ok()
}

/// Returns an argument of a call as it is sent. Returns `None` where the argument is left out, or
/// is no single value.
pub(crate) fn encoded_argument(argument: &Value) -> Option<String> {
    match argument {
        Value::String(text) => Some(encoded(text)),
        Value::Bool(_) | Value::Number(_) => Some(argument.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_cannot_carry_is_encoded() {
        for (text, sent) in [
            ("us west 1", "us west 1"),
            ("", ""),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("\tx", "=?base64?CXg=?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("é", "=?base64?w6k=?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
        ] {
            assert_eq!(encoded(text), sent, "{text:?}");
            assert_eq!(decoded(sent).as_deref(), Some(text), "{sent:?}");
        }
        assert_eq!(decoded("=?base64?!?="), None);
        assert_eq!(encoded_argument(&Value::from(42)), Some("42".into()));
        assert_eq!(encoded_argument(&Value::Null), None);
    }
}
