//! The words that lines have in common.

/// The most names that a line lists.
const NAMES_TOLD_MAX: usize = 4;

/// Counts something in words, like `1 photo` or `2 photos`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Lists names, like `A`, `A and B`, or `A, B and C`. A long list is cut with a count.
pub fn listed(names: &[&str]) -> String {
    let (told, rest) = names.split_at(names.len().min(NAMES_TOLD_MAX));
    if !rest.is_empty() {
        return format!("{} and {} more", told.join(", "), rest.len());
    }
    match told.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(listed(&["A"]), "A");
        assert_eq!(listed(&["A", "B"]), "A and B");
        assert_eq!(listed(&["A", "B", "C"]), "A, B and C");
        assert_eq!(
            listed(&["A", "B", "C", "D", "E", "F"]),
            "A, B, C, D and 2 more"
        );
    }
}
