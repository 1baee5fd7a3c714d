//! The names of stored workflows, and of servers of tools.

/// The longest of them, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// A name: letters, digits, `-`, `_` and `.`.
#[must_use]
pub fn workflow_name(text: &str) -> Option<&str> {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = (1..=NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_sign);
    is_name.then_some(text)
}
