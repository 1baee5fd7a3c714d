//! The meaning of texts: synonyms, and similarity.

use std::collections::BTreeSet;

/// Synonyms with the common word for each, in lower case: German words, and words popular in redesigns. Longer ones
/// precede their own substrings.
const SAME: [(&str, &str); 27] = [
    ("in den warenkorb", "add to basket"),
    ("put into the basket", "add to basket"),
    ("melden sie sich an", "log in to your account"),
    ("danke für ihre bestellung", "thank you for your order"),
    ("ihr warenkorb ist leer", "your basket is empty"),
    ("ihr warenkorb", "your basket"),
    ("jetzt bestellen", "order now"),
    ("place the order", "order now"),
    ("nicht angemeldet", "not signed in"),
    ("angemeldet als", "signed in as"),
    ("everything we have", "all products"),
    ("alle produkte", "all products"),
    ("alle annehmen", "accept all cookies"),
    ("nur die nötigen", "only necessary cookies"),
    ("dieser laden verwendet cookies", "this shop uses cookies"),
    ("willkommen im laden", "welcome to the shop"),
    ("ergebnisse für", "results for"),
    ("benutzername", "user name"),
    ("kennwort", "password"),
    ("warenkorb", "basket"),
    ("abmelden", "log out"),
    ("anmelden", "log in"),
    ("sign in", "log in"),
    ("produkte", "products"),
    ("suche nach", "search for"),
    ("suchen", "search"),
    ("teetasse", "tea cup"),
];

/// Words that say nothing about a page.
const EMPTY: [&str; 28] = [
    "a", "an", "and", "as", "at", "be", "by", "for", "has", "in", "into", "is", "it", "of", "on",
    "or", "out", "page", "shows", "state", "that", "the", "there", "this", "to", "with", "you",
    "your",
];

/// Returns a text in lower case, with synonyms replaced by common words.
pub(super) fn common(text: &str) -> String {
    let mut text = text.trim().to_lowercase();
    for (other, usual) in SAME {
        if text.contains(other) {
            text = text.replace(other, usual);
        }
    }
    text
}

fn all_words(text: &str) -> BTreeSet<String> {
    let text = common(text);
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Returns the meaningful words of a text.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let mut words = all_words(text);
    words.retain(|word| word.chars().count() > 1 && !EMPTY.contains(&word.as_str()));
    words
}

/// Returns how well a shown text fits a wanted one: 0 if it does not fit, and more than 100 if both mean the same.
pub(super) fn likeness(wanted: &str, shown: &str) -> usize {
    let (wanted, shown) = (all_words(wanted), all_words(shown));
    if wanted.is_empty() || shown.is_empty() {
        return 0;
    }
    let both = wanted.intersection(&shown).count();
    if wanted == shown {
        100 + both
    } else if both * 3 >= wanted.len() * 2 {
        10 * both + 10_usize.saturating_sub(shown.len())
    } else {
        0
    }
}

/// Returns the number of words of a shown text if a sentence contains all of them, and otherwise 0.
pub(super) fn named_in(sentence: &str, shown: &str) -> usize {
    let shown = all_words(shown);
    if shown.is_subset(&all_words(sentence)) {
        shown.len()
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_mean_the_same() {
        for (one, other) in [
            ("Log in", "Anmelden"),
            ("Log in", "Sign in"),
            ("Add to basket", "In den Warenkorb"),
            ("User name", "Benutzername"),
        ] {
            assert!(likeness(one, other) > 100, "{one} {other}");
        }
        assert!(likeness("Accept all cookies", "Accept all") > 0);
        assert_eq!(likeness("Log in", "Log out"), 0);
        assert_eq!(likeness("Order", ""), 0);
        assert!(likeness("Search", "Search") > likeness("Search", "Search for"));
    }

    #[test]
    fn a_sentence_names_what_it_has_all_words_of() {
        let sentence = "Accept all the cookies of the shop";
        assert_eq!(named_in(sentence, "Accept all cookies"), 3);
        assert_eq!(named_in(sentence, "Only necessary cookies"), 0);
        assert_eq!(
            words("The page shows a Tea cup"),
            ["cup", "tea"].map(str::to_owned).into()
        );
    }
}
