//! The two readings of a workflow.

/// The way in which a workflow is read where the original surprises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// The workflow is read as the original reads it, and each surprise has a warning.
    #[default]
    Clickweave,
    /// Surprises are refused before the run, or mended.
    Strict,
}

impl Dialect {
    /// Returns the dialect's name as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clickweave => "clickweave",
            Self::Strict => "strict",
        }
    }

    /// Returns the dialect of this name. Returns `None` where there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Clickweave, Self::Strict]
            .into_iter()
            .find(|dialect| dialect.as_str() == name)
    }
}
