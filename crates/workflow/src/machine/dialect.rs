//! The readings of a workflow.

/// The way in which a workflow is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// The workflow is read as the seed's text says, and as Clickweave of February 2026 reads it
    /// where the text says nothing.
    #[default]
    Seed,
    /// The workflow is read as Clickweave of February 2026 reads it, whatever the seed's text says.
    Clickweave,
    /// The reading of stored orders before 0.18.0 that name it, so that they run as they ran. No
    /// new order has it.
    Strict,
}

impl Dialect {
    /// Returns the dialect's name as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Clickweave => "clickweave",
            Self::Strict => "strict",
        }
    }

    /// Returns the dialect of this name. Returns `None` where there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Seed, Self::Clickweave, Self::Strict]
            .into_iter()
            .find(|dialect| dialect.as_str() == name)
    }
}
