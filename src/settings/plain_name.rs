//! The names that settings give to servers and secrets.

/// The longest name, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// Returns whether a text is a name: letters, digits, `-`, `_` and `.`.
pub(super) fn is_plain_name(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !text.is_empty() && text.len() <= NAME_BYTES_MAX && text.bytes().all(is_sign)
}
