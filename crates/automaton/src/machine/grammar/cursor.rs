//! A place in an action's string.

use super::call_error::CallError;

/// A place in a string, which only moves forward.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'source> {
    source: &'source str,
    byte: usize,
}

impl<'source> Cursor<'source> {
    pub(super) fn new(source: &'source str) -> Self {
        Self { source, byte: 0 }
    }

    /// Returns the place, in bytes from 0.
    pub(super) fn byte(&self) -> usize {
        self.byte
    }

    /// Returns what comes next, whole.
    pub(super) fn rest(&self) -> &'source str {
        self.source.get(self.byte..).unwrap_or_default()
    }

    /// Returns the next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.byte += next.len_utf8();
        Some(next)
    }

    /// Takes the next character where it is this one, and returns whether it was.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.byte += wanted.len_utf8();
        }
        is_next
    }

    /// Takes the next characters as long as they fit.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'source str {
        let rest = self.rest();
        let length = rest.find(|character| !fits(character));
        let taken = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        self.byte += taken.len();
        taken
    }

    /// Takes blanks, tabs and form feeds; line breaks, too, inside brackets.
    pub(super) fn skip_blanks(&mut self, is_in_brackets: bool) {
        self.take_while(|character| match character {
            ' ' | '\t' | '\u{c}' => true,
            '\n' | '\r' => is_in_brackets,
            _ => false,
        });
    }

    /// Takes a name of ASCII letters, digits and underscores. Returns `None` where none begins here.
    pub(super) fn take_name(&mut self) -> Option<&'source str> {
        let first = self.peek()?;
        let begins = first.is_ascii_alphabetic() || first == '_';
        begins.then(|| self.take_while(|next| next.is_ascii_alphanumeric() || next == '_'))
    }

    /// Takes this character, or says what was expected.
    pub(super) fn expect(&mut self, wanted: char, what: &str) -> Result<(), CallError> {
        if self.take(wanted) {
            return Ok(());
        }
        Err(CallError::syntax(
            self.byte,
            format!("{what} is expected here"),
        ))
    }
}
