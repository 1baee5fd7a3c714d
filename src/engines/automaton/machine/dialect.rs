//! The two readings of an automaton.

/// The way in which an automaton is read and run where the original surprises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// The seed's text counts where the original does something else. Other surprises are refused
    /// before the run, or mended.
    #[default]
    Strict,
    /// The automaton does what the original program did at its commit be8a03a, and each surprise has a
    /// warning.
    NetgentBe8a03a,
}

impl Dialect {
    /// Returns the dialect's name as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::NetgentBe8a03a => "netgent-be8a03a",
        }
    }

    /// Returns the dialect of this name. Returns `None` where there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Strict, Self::NetgentBe8a03a]
            .into_iter()
            .find(|dialect| dialect.as_str() == name)
    }
}
