//! The names of stored documents, of servers of tools, and of secrets.

/// The longest name, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// Returns a text that is a name: letters, digits, `-`, `_` and `.`, and not dots alone, which lead
/// elsewhere in an address.
#[must_use]
pub fn stored_name(text: &str) -> Option<&str> {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_short = text.len() <= NAME_BYTES_MAX;
    let is_more_than_dots = text.bytes().any(|byte| byte != b'.');
    (is_short && is_more_than_dots && text.bytes().all(is_sign)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_1_to_64_signs_and_not_dots_alone() {
        for name in ["a", ".a", "a..b", "-", "_", &"n".repeat(64)] {
            assert_eq!(stored_name(name), Some(name));
        }
        for other in ["", ".", "..", "...", "a b", "a/b", "é", &"n".repeat(65)] {
            assert_eq!(stored_name(other), None, "{other}");
        }
    }
}
