//! The words that lines have in common.

/// Counts something in words, like `1 photo` or `2 photos`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
