//! The revisions that this server speaks, and what a request says of its own.

use serde_json::Value;

use mcp::codes::UNSUPPORTED_VERSION;
use mcp::meta_key;

use super::refusal::Refusal;

/// The revisions that this server speaks, the newest first, as the JSON of a list.
pub(super) const SUPPORTED: &str =
    r#"["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]"#;
/// The longest revision that is repeated, in characters.
const REPEATED_CHARS_MAX: usize = 100;

/// Returns the refusal of a revision that this server does not speak.
pub(super) fn unsupported(version: &str) -> Refusal {
    let version: String = version.chars().take(REPEATED_CHARS_MAX).collect();
    let version = Value::from(version);
    Refusal::new(400, UNSUPPORTED_VERSION, "Unsupported protocol version").with_data(format!(
        r#"{{"supported":{SUPPORTED},"requested":{version}}}"#
    ))
}

/// Returns the member of a request's `_meta` that the protocol names.
pub(super) fn meta<'params>(params: &'params Value, name: &str) -> Option<&'params Value> {
    params.get("_meta")?.get(meta_key(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp::{LEGACY, MODERN};

    #[test]
    fn every_revision_is_named() {
        let named = std::iter::once(MODERN).chain(LEGACY);
        let list: Value = named.collect();
        assert_eq!(list.to_string(), SUPPORTED);
    }
}
