//! The reading of a caption: whom it seems to name.

use super::words::{Word, joined_key, words_of};

/// The most words of a name.
pub const NAME_WORDS_MAX: usize = 4;

/// A name that stands in a text, or may be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Naming<'text> {
    /// The name as it stands there.
    pub text: &'text str,
    /// The key of the folded name.
    pub key: u64,
    /// Whether somebody is known by this name.
    pub is_known: bool,
    /// The number of its words.
    pub words: usize,
}

/// Reads whom a text names: each known name, and each row of capitalised words that may be another. `is_first` says
/// whether a known name begins with a word, and `is_known` whether a name is known, both by their keys.
pub fn read(
    text: &str,
    is_first: impl Fn(u64) -> bool,
    is_known: impl Fn(u64) -> bool,
) -> Vec<Naming<'_>> {
    let words = words_of(text);
    let mut namings = Vec::new();
    let mut place = 0;
    let mut row = 0..0;
    while let Some(word) = words.get(place) {
        if !(word.is_joined && word.is_of_name) {
            end_row(text, &words, &row, &mut namings);
            row = place..place;
        }
        let known = if is_first(word.key) {
            known_at(&words, place, &is_known)
        } else {
            None
        };
        if let Some(count) = known {
            end_row(text, &words, &row, &mut namings);
            namings.extend(naming(text, &words, place..place + count, true));
            place += count;
            row = place..place;
            continue;
        }
        place += 1;
        if word.is_of_name {
            row.end = place;
        } else {
            row = place..place;
        }
    }
    end_row(text, &words, &row, &mut namings);
    namings
}

/// Returns how many words a known name has that begins at a place. One word alone is a name only where it is no part
/// of a longer row.
fn known_at(words: &[Word], place: usize, is_known: impl Fn(u64) -> bool) -> Option<usize> {
    let joins = |at: usize| {
        let one = words.get(at);
        one.is_some_and(|word| word.is_joined && word.is_of_name)
    };
    let mut best = None;
    let mut key = 0;
    for count in 1..=NAME_WORDS_MAX {
        let Some(word) = words.get(place + count - 1) else {
            break;
        };
        if count > 1 && !word.is_joined {
            break;
        }
        key = joined_key(key, word.key);
        let is_whole = || {
            let follows =
                joins(place) && place > 0 && words.get(place - 1).is_some_and(|one| one.is_of_name);
            count > 1 || !(follows || joins(place + 1))
        };
        if is_known(key) && is_whole() {
            best = Some(count);
        }
    }
    best
}

/// Adds the row of capitalised words that ends here, where it is as long as names are.
fn end_row<'text>(
    text: &'text str,
    words: &[Word<'text>],
    row: &std::ops::Range<usize>,
    namings: &mut Vec<Naming<'text>>,
) {
    if (1..=NAME_WORDS_MAX).contains(&row.len()) {
        namings.extend(naming(text, words, row.clone(), false));
    }
}

fn naming<'text>(
    text: &'text str,
    words: &[Word<'text>],
    row: std::ops::Range<usize>,
    is_known: bool,
) -> Option<Naming<'text>> {
    let words = words.get(row)?;
    let (first, last) = (words.first()?, words.last()?);
    Some(Naming {
        text: text.get(first.from..last.from + last.text.len())?,
        key: words.iter().map(|word| word.key).fold(0, joined_key),
        is_known,
        words: words.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::hints::words::{WORDS_MAX, first_key_of, key_of};
    use domain::fold;

    const KNOWN: [&str; 4] = ["emma", "jane bennet", "jk rowling", "eponine thenardier"];

    #[track_caller]
    fn check(text: &str, expect: &[(&str, bool)]) {
        let is_first = |key| KNOWN.iter().any(|name| first_key_of(name) == key);
        let is_known = |key| KNOWN.iter().any(|name| key_of(name) == key);
        let read = read(text, is_first, is_known);
        let found: Vec<(&str, bool)> = read.iter().map(|one| (one.text, one.is_known)).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn known_names_are_found_as_whole_words_in_any_spelling() {
        check("Emma at the gala", &[("Emma", true)]);
        check(
            "JANE BENNET AND EMMA ATTEND",
            &[("JANE BENNET", true), ("EMMA", true)],
        );
        check("jane bennet with guest", &[("jane bennet", true)]);
        check("a talk by J. K. Rowling", &[("J. K. Rowling", true)]);
        check("ÉPONINE Thénardier", &[("ÉPONINE Thénardier", true)]);
        check(
            "Emmanuel, Jane B.",
            &[("Emmanuel", false), ("Jane B", false)],
        );
        check("Jane_Bennet_2010", &[("Jane_Bennet", true)]);
    }

    #[test]
    fn one_word_is_no_name_within_a_longer_one() {
        check("Emma Woodhouse", &[("Emma Woodhouse", false)]);
        check("Aunt Emma", &[("Aunt Emma", false)]);
    }

    #[test]
    fn rows_of_capitalised_words_may_be_names() {
        check(
            "Tom Jones, Anna Lee and Kit - Globe Press",
            &[
                ("Tom Jones", false),
                ("Anna Lee", false),
                ("Kit", false),
                ("Globe", false),
            ],
        );
        check("After the Gala. Tom Jones", &[("Tom Jones", false)]);
        check("One Two Three Four Five", &[]);
        check("nobody to be seen here, 12 May 2019", &[("May", false)]);
        check("", &[]);
    }

    #[test]
    fn keys_are_those_of_folded_names() {
        for name in [
            "Jean-Luc Picard",
            "J.K. Rowling",
            "Sinéad O'Connor",
            "STRAẞE",
            "Lu Xün",
            "Will.I.Am",
            "M.I.A.",
            "Ke$ha",
            "P!nk",
            "राम कपूर",
        ] {
            let read = read(name, |_| false, |_| false);
            let keys: Vec<u64> = read.iter().map(|one| one.key).collect();
            assert_eq!(keys, [key_of(&fold(name))], "{name}");
        }
    }

    #[test]
    fn long_texts_are_read_in_part() {
        let text = "Tom Jones, ".repeat(1_000);
        assert_eq!(read(&text, |_| false, |_| false).len(), WORDS_MAX / 2);
    }
}
