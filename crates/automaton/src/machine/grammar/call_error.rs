//! The reasons why a string is no call.

use std::fmt;

/// The kind of a failed action, as the recorded cases name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The string is not one call with plain values.
    Syntax,
    /// The string names something that nobody knows.
    UnknownName,
    /// The arguments do not fit the function.
    BadArguments,
    /// The run has no parameter of this name.
    MissingParameter,
    /// The call was read, and could not be carried out.
    Failed,
}

impl Cause {
    /// Returns the cause as it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::UnknownName => "unknown_name",
            Self::BadArguments => "bad_arguments",
            Self::MissingParameter => "missing_parameter",
            Self::Failed => "failed",
        }
    }
}

/// The reason why a string is no call, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// The kind of the error.
    pub cause: Cause,
    /// The place of the error in the string, in bytes from 0.
    pub byte: usize,
    /// The fault as a part of a sentence. It quotes nothing of the string.
    pub message: String,
}

impl CallError {
    pub(super) fn new(cause: Cause, byte: usize, message: impl Into<String>) -> Self {
        Self {
            cause,
            byte,
            message: message.into(),
        }
    }

    pub(super) fn syntax(byte: usize, message: impl Into<String>) -> Self {
        Self::new(Cause::Syntax, byte, message)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "byte {}: {}", self.byte, self.message)
    }
}
