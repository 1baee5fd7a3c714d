//! The two readings of a workflow.

/// How a workflow is read where the original surprises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// As the original does, each surprise with a warning.
    #[default]
    Clickweave,
    /// Surprises are refused before the run, or mended.
    Strict,
}

impl Dialect {
    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clickweave => "clickweave",
            Self::Strict => "strict",
        }
    }

    /// The dialect of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Clickweave, Self::Strict]
            .into_iter()
            .find(|dialect| dialect.as_str() == name)
    }
}
