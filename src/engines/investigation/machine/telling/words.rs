//! Words that lines have in common.

/// `1 photo`, `2 photos`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
