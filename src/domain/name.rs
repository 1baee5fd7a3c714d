//! Names as typed, and the folded form in which two spellings of one name are equal.

use std::fmt;

use super::letters::{is_left_out, without_marks};

/// The longest name that is accepted, in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// A typed name: trimmed, inner spaces collapsed, not empty, no control characters.
//= spec S0
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(String);

/// The reason why a typed name is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameError {
    /// The name is nothing but spaces.
    Empty,
    /// The name has more than [`NAME_CHARS_MAX`] characters.
    TooLong,
    /// The name contains a control character.
    Control,
    /// The name has neither letter nor digit, so nothing could ever be recognised as it.
    NoLetter,
}

impl fmt::Display for NameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("is empty; give a full name"),
            Self::TooLong => write!(
                formatter,
                "is over {NAME_CHARS_MAX} characters long; shorten it"
            ),
            Self::Control => formatter.write_str("contains a control character; remove it"),
            Self::NoLetter => formatter.write_str("has no letter or digit; give a full name"),
        }
    }
}

impl Name {
    /// Parses what somebody typed.
    pub fn parse(typed: &str) -> Result<Self, NameError> {
        // Space-like controls (tab, newline) are refused too: they never stand in a real name.
        if typed.chars().any(is_unprintable) {
            return Err(NameError::Control);
        }
        // A name with more words than this has more letters than a name may have.
        let words = typed.split_whitespace().take(NAME_CHARS_MAX + 1);
        let words: Vec<&str> = words.collect();
        let Some(spaces) = words.len().checked_sub(1) else {
            return Err(NameError::Empty);
        };
        let letters: usize = words.iter().map(|word| word.chars().count()).sum();
        if letters.saturating_add(spaces) > NAME_CHARS_MAX {
            return Err(NameError::TooLong);
        }
        let collapsed = words.join(" ");
        if fold(&collapsed).is_empty() {
            return Err(NameError::NoLetter);
        }
        Ok(Self(collapsed))
    }

    /// Returns the name as it is shown and searched for.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folded form for comparison.
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// Returns whether a character is a control character, or one of the invisible direction marks that
/// make a name read as another.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
                | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
        )
}

/// Folds case, diacritics, punctuation and spaces, so that `"Éponine  Thénardier"` equals
/// `"eponine thenardier"` and `"J. K. Rowling"` equals `"JK Rowling"`.
///
/// Words stay apart ("Ann Alee" is not "Anna Lee"); only equality of the whole means the same name.
#[must_use]
pub fn fold(name: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for character in without_marks(name).chars() {
        if character.is_alphanumeric() {
            push_folded(&mut word, character);
        } else if !is_word_inner_mark(character) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    join_initials(words)
}

/// Words that many names have and that tell nobody apart: articles, particles, and what follows a
/// name.
const COMMON_WORDS: [&str; 24] = [
    "al", "bin", "bint", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "ibn",
    "jr", "la", "le", "of", "sr", "st", "the", "van", "von", "y",
];

/// Returns whether two folded names share a word that tells people apart: "Madonna" and "Madonna
/// Louise Ciccone" do, "John of Kent" and "Joan of Arc" do not. An initial counts no more than a
/// particle, unless a name has nothing else.
#[must_use]
pub fn share_a_word(one: &str, other: &str) -> bool {
    let (one, other) = (telling_words(one), telling_words(other));
    one.iter().any(|word| other.contains(word))
}

fn telling_words(folded: &str) -> Vec<&str> {
    let is_initial = |word: &str| word.len() == 1;
    let is_common = |word: &&str| is_initial(word) || COMMON_WORDS.contains(word);
    let (common, telling): (Vec<_>, Vec<_>) = folded.split(' ').partition(is_common);
    if telling.is_empty() { common } else { telling }
}

/// Returns whether a character stands inside a word, as apostrophes and full stops do: `O'Brien`,
/// `J.K.`.
fn is_word_inner_mark(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | 'ʼ' | '`' | '.' | '·')
}

/// Adds a character in its folded form, including the letters that Unicode does not decompose into
/// a base letter and a mark.
fn push_folded(word: &mut String, character: char) {
    for lower in character.to_lowercase() {
        match lower {
            'ø' => word.push('o'),
            'ł' => word.push('l'),
            'đ' | 'ð' => word.push('d'),
            'ħ' => word.push('h'),
            'ı' => word.push('i'),
            'ß' => word.push_str("ss"),
            'æ' => word.push_str("ae"),
            'œ' => word.push_str("oe"),
            'þ' => word.push_str("th"),
            // Lower-casing may leave a combining mark behind (İ).
            other if is_left_out(other) => {}
            other => word.push(other),
        }
    }
}

/// Joins neighbouring single letters, which are initials, into one word: `j k rowling` is `jk
/// rowling`.
fn join_initials(words: Vec<String>) -> String {
    let mut joined = String::new();
    let mut after_initial = false;
    for word in words {
        let is_initial = word.chars().count() == 1;
        let continues_initials = after_initial && is_initial;
        if !joined.is_empty() && !continues_initials {
            joined.push(' ');
        }
        joined.push_str(&word);
        after_initial = is_initial;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(left: &str, right: &str) {
        assert_eq!(fold(left), fold(right), "{left:?} and {right:?}");
    }

    #[track_caller]
    fn different(left: &str, right: &str) {
        assert_ne!(fold(left), fold(right), "{left:?} and {right:?}");
    }

    #[test]
    fn spellings_of_one_name_fold_equal() {
        same("Éponine  Thénardier", "eponine thenardier");
        same("J. K. Rowling", "JK Rowling");
        same("J.K. Rowling", "jk rowling");
        same("Jean-Luc Picard", "Jean Luc Picard");
        same("Sinéad O'Connor", "Sinead O’Connor");
        same("Søren Łukasz", "Soren Lukasz");
        same("STRAẞE", "Strasse");
        same("İstanbul", "istanbul");
        same("ﬁona", "fiona");
    }

    #[test]
    fn other_people_stay_other() {
        different("Prince Harry", "Prince William");
        different("Chris Rock", "Kid Rock");
        different("Ann Alee", "Anna Lee");
        different("Jane Bennet", "Mary Jane Bennet");
    }

    #[test]
    fn names_of_one_person_share_a_word() {
        #[track_caller]
        fn check(one: &str, other: &str, expected: bool) {
            let (one, other) = (fold(one), fold(other));
            assert_eq!(share_a_word(&one, &other), expected, "{one} and {other}");
            assert_eq!(share_a_word(&other, &one), expected, "{other} and {one}");
        }
        check("Madonna", "Madonna Louise Ciccone", true);
        check("J. K. Rowling", "Joanne Rowling", true);
        check("Beyonc\u{e9}", "Beyonce Knowles-Carter", true);
        check("Jeff Bezos", "Jeffrey P. Bezos", true);
        check("Prince", "Prince Rogers Nelson", true);
        check("Ang Lee", "Lee Ang", true);
        check("The The", "the the", true);
        check("Kanye West", "Ye", false);
        check("J. Smith", "J. Jones", false);
        check("Robert De Niro", "Danny de Vito", false);
        check("The Rock", "The Weeknd", false);
        check("Ludwig van Beethoven", "Vincent van Gogh", false);
        check("", "", true);
    }

    #[test]
    fn typed_names_are_parsed_at_the_door() {
        assert_eq!(
            Name::parse("  Jean   Valjean ").map(|name| name.0),
            Ok("Jean Valjean".into())
        );
        assert_eq!(Name::parse("   "), Err(NameError::Empty));
        assert_eq!(Name::parse(&"x".repeat(101)), Err(NameError::TooLong));
        assert!(Name::parse(&"é".repeat(100)).is_ok());
        assert_eq!(Name::parse("a\u{0}b"), Err(NameError::Control));
        assert_eq!(Name::parse("a\nb"), Err(NameError::Control));
        assert_eq!(Name::parse("a\u{202E}b"), Err(NameError::Control));
        assert_eq!(Name::parse("?!"), Err(NameError::NoLetter));
        assert!(Name::parse("李小龙").is_ok());
    }
}
