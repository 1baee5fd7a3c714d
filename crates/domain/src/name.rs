//! Names and people as typed by a user.

use thiserror::Error;

use crate::identifiers::WikidataNumber;
use crate::spelling::{fold, is_one_name};

/// The greatest length of a typed name, in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// A typed name. It is not empty, is trimmed, has single inner spaces and has no control characters.
//= spec S0
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(String);

impl Name {
    /// Parses a name as typed by a user.
    pub fn parse(typed: &str) -> Result<Self, NameError> {
        // Tabs and newlines are refused too, although they are spaces, because they never occur in a real name.
        if typed.chars().any(is_unprintable) {
            return Err(NameError::Control);
        }
        // `NAME_CHARS_MAX + 1` words are already too long for a name, so further words are not read.
        let words: Vec<&str> = typed.split_whitespace().take(NAME_CHARS_MAX + 1).collect();
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

    /// Returns the name for display and for search queries.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folded form of the name, for comparison.
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0)
    }

    /// Returns whether two typed names are spellings of one name.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        is_one_name(&self.0, &other.0)
    }
}

/// The reason why a typed name is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NameError {
    /// The name consists only of spaces.
    #[error("is empty; give a full name")]
    Empty,
    /// The name has more than [`NAME_CHARS_MAX`] characters.
    #[error("is over {NAME_CHARS_MAX} characters long; shorten it")]
    TooLong,
    /// The name contains a control character.
    #[error("contains a control character; remove it")]
    Control,
    /// The name has neither a letter nor a digit. Nobody can be recognised under such a name.
    #[error("has no letter or digit; give a full name")]
    NoLetter,
}

/// Returns whether a character is a control character or an invisible direction mark. These could make one name look
/// like another.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
                | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
        )
}

/// A person as typed by a user: a name and perhaps a Wikidata number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPerson {
    /// The name as typed.
    pub name: Name,
    /// The Wikidata number of the person. If it is given, only somebody with this number is taken for the person,
    /// whatever their name. If it is `None`, the person is the first one recognised under the name.
    pub wikidata: Option<WikidataNumber>,
}

impl TypedPerson {
    /// Returns the name for display and for search queries.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the folded form of the name, for comparison.
    #[must_use]
    pub fn folded(&self) -> String {
        self.name.folded()
    }

    /// Returns whether two people as typed are the same person, as far as that is known before anybody is recognised.
    /// They are compared by their numbers if both have one, otherwise by their names.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (&self.wikidata, &other.wikidata) {
            (Some(one), Some(other)) => one == other,
            _ => self.name.is_same_as(&other.name),
        }
    }
}

impl From<Name> for TypedPerson {
    /// Makes a person without a number. Anybody with the name may be meant.
    fn from(name: Name) -> Self {
        Self {
            name,
            wikidata: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
