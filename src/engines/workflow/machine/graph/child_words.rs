//! The words that a workflow and what is told of it have for the runs that it begins.

/// The type of a node that begins the search for a chain.
pub const CHAIN_NODE: &str = "Investigation";
/// The type of a node that begins an automaton.
pub const AUTOMATON_NODE: &str = "Automaton";
/// The name of all of them in limits and sums.
pub const CHILD_RUNS: &str = "investigations";

/// A kind of run that a workflow begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildKind {
    /// The search for a chain between two people.
    Chain,
    /// A finite-state machine that drives a browser.
    Automaton,
}

impl ChildKind {
    /// Returns the name of one in events and records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chain => "investigation",
            Self::Automaton => "automaton",
        }
    }
}
