//! Whether a state runs again as long as it passes.

use crate::engines::automaton::machine::dialect::Dialect;

/// Whether a state runs again as long as it passes, by either spelling of the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Continuity {
    /// The value of `continous`, which is the word that the original reads.
    pub misspelt: Option<bool>,
    /// The value of `continuous`.
    pub spelt: Option<bool>,
}

impl Continuity {
    /// Returns whether the state runs again.
    #[must_use]
    pub fn holds(self, dialect: Dialect) -> bool {
        match dialect {
            Dialect::NetgentBe8a03a => self.misspelt.unwrap_or(false),
            Dialect::Strict => self.spelt.or(self.misspelt).unwrap_or(false),
        }
    }
}
