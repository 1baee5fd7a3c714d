//! Chooses the entry of a list that a user means by a text.

/// Pairs of synonyms in lower case.
const SYNONYMS: [(&str, &str); 14] = [
    ("store", "save"),
    ("submit", "save"),
    ("send", "save"),
    ("customer", "name"),
    ("client", "name"),
    ("price", "amount"),
    ("sum", "amount"),
    ("reset", "clear"),
    ("\u{d7}", "multiply"),
    ("times", "multiply"),
    ("\u{f7}", "divide"),
    ("books", "ledger"),
    ("editor", "notes"),
    ("reckoner", "calculator"),
];

/// Returns the entry that a text means: an equal one, else one that contains the text or is contained in it, else one
/// with a synonym. Case is ignored.
pub(super) fn meant<'list>(target: &str, list: &'list [String]) -> Option<&'list String> {
    let target = target.trim().to_lowercase();
    if target.is_empty() {
        return None;
    }
    let folded = || list.iter().map(|entry| (entry, entry.to_lowercase()));
    let same = folded().find(|(_, entry)| *entry == target);
    let near = || {
        folded().find(|(_, entry)| {
            !entry.is_empty() && (entry.contains(&target) || target.contains(entry.as_str()))
        })
    };
    let other = || folded().find(|(_, entry)| are_synonyms(&target, entry));
    let found = same.or_else(near).or_else(other);
    found.map(|(entry, _)| entry)
}

fn are_synonyms(one: &str, other: &str) -> bool {
    let mean = |word: &str, text: &str| text.contains(word);
    SYNONYMS.iter().any(|(left, right)| {
        (mean(left, one) && mean(right, other)) || (mean(right, one) && mean(left, other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_what_people_say() {
        let list = ["Name", "Save order", "Clear", "Multiply", ""].map(str::to_owned);
        for (target, expect) in [
            ("name", Some("Name")),
            ("SAVE", Some("Save order")),
            ("the Clear button", Some("Clear")),
            ("Submit", Some("Save order")),
            ("customer", Some("Name")),
            ("\u{d7}", Some("Multiply")),
            ("Print", None),
            (" ", None),
        ] {
            assert_eq!(meant(target, &list).map(String::as_str), expect, "{target}");
        }
        let signs = ["\u{d7}".to_owned()];
        assert_eq!(meant("Multiply", &signs), Some(&signs[0]));
        let both = ["Save as", "Save"].map(str::to_owned);
        assert_eq!(meant("save", &both), Some(&both[1]));
    }
}
