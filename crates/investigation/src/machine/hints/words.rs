//! The words of a text, the keys by which they are compared, and the people whom a caption seems to name.

use domain::{fold, is_inside_word};

/// The most words read of a text.
pub const WORDS_MAX: usize = 80;

/// Folded words of captions that belong to no name, in alphabetical order: words between names, what people do in
/// photos, and the photos' sources.
const OTHER_WORDS: [&str; 74] = [
    "a",
    "actor",
    "actress",
    "after",
    "agency",
    "an",
    "and",
    "arrive",
    "arrives",
    "arriving",
    "as",
    "at",
    "attend",
    "attending",
    "attends",
    "author",
    "award",
    "awards",
    "backstage",
    "before",
    "by",
    "celebrities",
    "ceremony",
    "credit",
    "daughter",
    "director",
    "during",
    "et",
    "event",
    "festival",
    "file",
    "for",
    "from",
    "gala",
    "getty",
    "guest",
    "guests",
    "husband",
    "image",
    "images",
    "in",
    "is",
    "left",
    "of",
    "on",
    "or",
    "party",
    "photo",
    "photocall",
    "photograph",
    "photos",
    "picture",
    "pictures",
    "portrait",
    "premiere",
    "press",
    "red",
    "right",
    "show",
    "singer",
    "son",
    "the",
    "to",
    "together",
    "und",
    "via",
    "vs",
    "wedding",
    "were",
    "wife",
    "with",
    "without",
    "world",
    "y",
];

/// Words before the name of a place or an occasion.
const WHERE: [&str; 5] = ["at", "during", "in", "inside", "outside"];

/// Words that may stand between such a word and the name.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

const FNV_BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// The most words of a name.
pub const NAME_WORDS_MAX: usize = 4;

/// A word of a text.
#[derive(Debug, Clone, Copy)]
pub struct Word<'text> {
    pub text: &'text str,
    /// The place of the word's first byte in the text.
    pub from: usize,
    /// The key of the folded word.
    pub key: u64,
    /// Whether the word may be part of a name: it begins with a capital letter and is none of `OTHER_WORDS`.
    pub is_of_name: bool,
    /// Whether the word may continue the name of the word before it, judged by the characters between them.
    pub is_joined: bool,
}

/// Returns the key of a folded word or of initials: the FNV-1a hash of its bytes without spaces.
fn key_of_word(word: &str) -> u64 {
    let letters = word.bytes().filter(|byte| *byte != b' ');
    letters.fold(FNV_BASIS, with_byte)
}

fn with_byte(key: u64, byte: u8) -> u64 {
    (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
}

/// Returns the key of a name extended by a word.
pub fn joined_key(key: u64, word: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) ^ word
}

/// Returns the key of a folded name or word.
pub fn key_of(folded: &str) -> u64 {
    let words = words_of_name(folded).map(key_of_word);
    words.fold(0, joined_key)
}

/// Returns the key of the first word of a folded name.
pub fn first_key_of(folded: &str) -> u64 {
    words_of_name(folded).next().map_or(0, key_of_word)
}

/// Returns the words of a folded name. A name that is all initials is one word, as in a text.
fn words_of_name(folded: &str) -> impl Iterator<Item = &str> {
    let is_initials = folded.split(' ').all(|word| word.len() == 1);
    folded.split(if is_initials { '\0' } else { ' ' })
}

/// Returns the words of a text. Neighbouring initials are one word, as in folded names.
pub fn words_of(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word> = Vec::new();
    let mut begin = None;
    // The next word is joined if only a space or a hyphen separates it.
    let mut is_joined = false;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        if character.is_alphanumeric() {
            begin.get_or_insert(at);
            continue;
        }
        let rest = text.get(at + character.len_utf8()..).unwrap_or_default();
        let is_inside = match character {
            '.' | '$' => true,
            '!' | '@' => rest.starts_with(char::is_alphanumeric),
            other => is_inside_word(other),
        };
        if let Some(from) = begin {
            if is_inside && !rest.is_empty() {
                continue;
            }
            begin = None;
            if words.len() == WORDS_MAX {
                break;
            }
            let word = text.get(from..at).unwrap_or_default();
            push_parts(&mut words, word, from, is_joined, text);
            is_joined = !ends_sentence(word) && (is_joining(character) || character == '-');
        } else {
            is_joined &= is_joining(character);
        }
    }
    words
}

/// Adds a word. If full stops separate parts that are not all initials, as in "will.i.am", adds each part as a word.
fn push_parts<'text>(
    words: &mut Vec<Word<'text>>,
    word: &'text str,
    from: usize,
    mut is_joined: bool,
    text: &'text str,
) {
    let bare = word.trim_end_matches('.');
    let is_initials = bare.split('.').all(|part| part.chars().count() <= 1);
    if is_initials || !bare.contains('.') {
        return push(words, word_of(word, from, is_joined), text);
    }
    let mut begin = from;
    for part in word.split('.') {
        if !part.is_empty() && words.len() < WORDS_MAX {
            push(words, word_of(part, begin, is_joined), text);
            is_joined = true;
        }
        begin += part.len() + 1;
    }
}

fn is_joining(character: char) -> bool {
    matches!(character, ' ' | '\u{a0}' | '_')
}

/// Returns whether a full stop after a word ends a sentence; after initials or an abbreviation it does not.
fn ends_sentence(word: &str) -> bool {
    let bare = word.strip_suffix('.');
    bare.is_some_and(|bare| bare.len() > 2 && !bare.contains('.'))
}

fn push<'text>(words: &mut Vec<Word<'text>>, word: Word<'text>, text: &'text str) {
    let is_initial = |word: &Word| {
        word.text
            .chars()
            .filter(|one| one.is_alphanumeric())
            .count()
            == 1
    };
    if let Some(last) = words.last_mut()
        && word.is_joined
        && word.is_of_name
        && last.is_of_name
        && is_initial(&word)
        && last
            .text
            .split(' ')
            .all(|one| one.trim_end_matches('.').chars().count() == 1)
    {
        last.text = text
            .get(last.from..word.from + word.text.len())
            .unwrap_or(last.text);
        last.key = key_of_word(&fold(last.text));
        return;
    }
    words.push(word);
}

fn word_of(text: &str, from: usize, is_joined: bool) -> Word<'_> {
    let is_capital = text
        .chars()
        .next()
        .is_some_and(|first| !first.is_lowercase() && !first.is_numeric());
    let is_plain = text.is_ascii() && !text.contains(['$', '!', '@']);
    let (key, is_other) = if is_plain {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        let key = letters
            .map(|byte| byte.to_ascii_lowercase())
            .fold(FNV_BASIS, with_byte);
        (key, is_other_word(text))
    } else {
        let folded = fold(text);
        (key_of_word(&folded), folded.is_empty())
    };
    Word {
        text,
        from,
        key,
        is_of_name: is_capital && !is_other,
        is_joined,
    }
}

fn is_other_word(text: &str) -> bool {
    let compare = |other: &&str| {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        let lower = letters.map(|byte| byte.to_ascii_lowercase());
        other.bytes().cmp(lower)
    };
    OTHER_WORDS.binary_search_by(compare).is_ok()
}

/// A name in a text, or what may be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Naming<'text> {
    /// The name as written in the text.
    pub text: &'text str,
    /// The key of the folded name.
    pub key: u64,
    /// Whether this is the name of a known person.
    pub is_known: bool,
    /// The number of words in the name.
    pub words: usize,
    /// Whether the text speaks of a place or an occasion, as in `at the Golden Globe`.
    pub is_where: bool,
}

/// Finds the names in a text: each known name, and each sequence of capitalised words that may be another. `is_first`
/// takes the key of a word and returns whether a known name begins with that word. `is_known` takes the key of a name
/// and returns whether the name is known. `may_have_numbers` says whether a number may be part of a name.
pub fn read(
    text: &str,
    may_have_numbers: bool,
    is_first: impl Fn(u64) -> bool,
    is_known: impl Fn(u64) -> bool,
) -> Vec<Naming<'_>> {
    let mut words = words_of(text);
    if may_have_numbers {
        for word in &mut words {
            word.is_of_name |= word.is_joined && is_number(word.text);
        }
    }
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

/// Returns whether a name has a word that is a number.
pub fn has_number(name: &str) -> bool {
    name.split(' ').any(is_number)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the number of words of the known name that begins at a place. A single word is a name only outside a longer
/// sequence of capitalised words.
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

/// Adds a sequence of capitalised words as a name, unless the sequence has too many words for a name.
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
    let is_where = !is_known && is_where(words, row.start);
    let words = words.get(row)?;
    let (first, last) = (words.first()?, words.last()?);
    Some(Naming {
        text: text.get(first.from..last.from + last.text.len())?,
        key: words.iter().map(|word| word.key).fold(0, joined_key),
        is_known,
        words: words.len(),
        is_where,
    })
}

/// Returns whether the words before a place of the text say that a place or an occasion follows.
fn is_where(words: &[Word], place: usize) -> bool {
    let is_one_of =
        |word: &Word, of: &[&str]| of.iter().any(|one| word.text.eq_ignore_ascii_case(one));
    let mut before = words.get(..place).unwrap_or_default().iter().rev();
    let last = before.find(|word| !is_one_of(word, &ARTICLES));
    last.is_some_and(|word| is_one_of(word, &WHERE))
}

#[cfg(test)]
mod tests {
    use domain::fold;

    use super::*;

    #[test]
    fn other_words_stand_in_order_and_are_folded() {
        assert!(OTHER_WORDS.is_sorted());
        assert!(OTHER_WORDS.iter().all(|word| fold(word) == *word));
    }

    const KNOWN: [&str; 4] = ["emma", "jane bennet", "jk rowling", "eponine thenardier"];

    #[track_caller]
    fn check(text: &str, expect: &[(&str, bool)]) {
        let is_first = |key| KNOWN.iter().any(|name| first_key_of(name) == key);
        let is_known = |key| KNOWN.iter().any(|name| key_of(name) == key);
        let read = read(text, false, is_first, is_known);
        let found: Vec<(&str, bool)> = read.iter().map(|one| (one.text, one.is_known)).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn a_number_is_part_of_a_name_only_where_names_have_numbers() {
        let names = |may_have_numbers| {
            let read = read(
                "Group 12 with Group 7",
                may_have_numbers,
                |_| false,
                |_| false,
            );
            read.iter().map(|one| one.text).collect::<Vec<_>>()
        };
        assert_eq!(names(true), ["Group 12", "Group 7"]);
        assert_eq!(names(false), ["Group", "Group"]);
        assert!(has_number("Group 12") && !has_number("Henry VIII"));
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
    fn what_follows_a_word_of_place_is_where_and_not_who() {
        let text = "Tom Jones at the Golden Globe with Anna Lee in Venice";
        let read = read(text, false, |_| false, |_| false);
        let is_where: Vec<(&str, bool)> = read.iter().map(|one| (one.text, one.is_where)).collect();
        let expect = [
            ("Tom Jones", false),
            ("Golden Globe", true),
            ("Anna Lee", false),
            ("Venice", true),
        ];
        assert_eq!(is_where, expect);
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
            let read = read(name, false, |_| false, |_| false);
            let keys: Vec<u64> = read.iter().map(|one| one.key).collect();
            assert_eq!(keys, [key_of(&fold(name))], "{name}");
        }
    }

    #[test]
    fn long_texts_are_read_in_part() {
        let text = "Tom Jones, ".repeat(1_000);
        assert_eq!(
            read(&text, false, |_| false, |_| false).len(),
            WORDS_MAX / 2
        );
    }
}
