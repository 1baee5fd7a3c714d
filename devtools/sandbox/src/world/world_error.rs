//! The errors in a world file.

use std::fmt;

/// Why a text is not a valid world file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldError {
    /// The text is not JSON; the value is the parser's message.
    NotJson(String),
    /// A required member is missing.
    Missing(&'static str),
    /// Something has the wrong type or content.
    Wrong {
        /// The place, for example `photos[3][1]`.
        place: String,
        /// What is expected there, in words.
        expected: &'static str,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(reason) => write!(out, "the world file is not JSON: {reason}"),
            Self::Missing(member) => {
                write!(out, "the world file has no member \"{member}\"")
            }
            Self::Wrong { place, expected } => {
                write!(
                    out,
                    "the world file's {place} is wrong: expected {expected}"
                )
            }
        }
    }
}

impl std::error::Error for WorldError {}

pub(super) fn wrong(place: impl Into<String>, expected: &'static str) -> WorldError {
    WorldError::Wrong {
        place: place.into(),
        expected,
    }
}

pub(super) fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control)
}
