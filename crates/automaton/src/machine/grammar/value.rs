//! The values of arguments.

use std::fmt;

use super::text::Text;

/// The value of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text, with references to parameters.
    Text(Text),
    /// A whole number.
    Whole(i64),
    /// A number with a point or an exponent. It is finite.
    Float(f64),
    /// `True` or `False`.
    Flag(bool),
    /// `None`.
    Nothing,
}

impl Value {
    /// Returns the number that this value is. `True` and `False` are no numbers.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            // A number of this size is a time, a share or a place on a page; its last bits do not count.
            Self::Whole(whole) => Some(*whole as f64),
            Self::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// Returns the text that this value is.
    #[must_use]
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    /// Writes the value as an action's string has it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(formatter),
            Self::Whole(whole) => whole.fmt(formatter),
            Self::Float(float) => fmt::Debug::fmt(float, formatter),
            Self::Flag(true) => formatter.write_str("True"),
            Self::Flag(false) => formatter.write_str("False"),
            Self::Nothing => formatter.write_str("None"),
        }
    }
}
