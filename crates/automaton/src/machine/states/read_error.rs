//! The reason why a file holds no automaton.

use std::fmt;

/// The reason why a file holds no automaton, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The position of the state in its list, from 0.
    pub state: Option<usize>,
    /// The number of the action in its state, from 1.
    pub line: Option<u32>,
    /// The place in bytes from 0: in the action's string where there is a line, else in the file.
    pub byte: Option<usize>,
    /// The fault as a part of a sentence. It quotes no value of the file.
    pub message: String,
}

impl ReadError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            state: None,
            line: None,
            byte: None,
            message: message.into(),
        }
    }

    /// Adds the position of the state.
    pub(super) fn in_state(self, state: usize) -> Self {
        Self {
            state: Some(state),
            ..self
        }
    }

    /// Makes the error of a text that is no JSON, with its byte.
    pub(super) fn no_json(text: &[u8], error: &serde_json::Error) -> Self {
        let before = text
            .split_inclusive(|byte| *byte == b'\n')
            .take(error.line().saturating_sub(1))
            .map(<[u8]>::len)
            .sum::<usize>();
        let byte = before.saturating_add(error.column().saturating_sub(1));
        Self {
            byte: Some(byte.min(text.len())),
            ..Self::new("the text is no JSON that this program reads")
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(state) = self.state {
            write!(formatter, "state {}: ", state.saturating_add(1))?;
        }
        if let Some(line) = self.line {
            write!(formatter, "line {line}: ")?;
        }
        if let Some(byte) = self.byte {
            write!(formatter, "byte {byte}: ")?;
        }
        formatter.write_str(&self.message)
    }
}
