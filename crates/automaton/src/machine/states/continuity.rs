//! Whether a state runs again as long as it passes.

/// Whether a state runs again as long as it passes, by either spelling of the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Continuity {
    /// The value of `continous`, which is the word of older files.
    pub misspelt: Option<bool>,
    /// The value of `continuous`.
    pub spelt: Option<bool>,
}

impl Continuity {
    /// Returns whether the state runs again.
    #[must_use]
    pub fn holds(self) -> bool {
        self.spelt.or(self.misspelt).unwrap_or(false)
    }
}
