//! The words that a workflow and what is told of it have for the runs that it begins.

/// The type of a node that begins the search for a chain.
pub const CHAIN_NODE: &str = "Investigation";
/// The type of a node that begins an automaton.
pub const AUTOMATE_NODE: &str = "Automaton";
/// The noun for one in sentences, and the member of a request that has its states or its name.
pub const AUTOMATE_NOUN: &str = "automaton";
/// The members of a node that are those of the request for its automaton. Secrets are not among them: a workflow is
/// no place for them, and the operator's own are found by their names.
pub const AUTOMATE_MEMBERS: [&str; 6] = [
    AUTOMATE_NOUN,
    "prompts",
    "parameters",
    "origins",
    "browser",
    "options",
];
/// The name of all of them in limits and sums.
pub const CHILD_RUNS: &str = "investigations";

/// A kind of run that a workflow begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildKind {
    /// The search for a chain between two people.
    Chain,
    /// A finite-state machine that drives a browser.
    Automate,
}

impl ChildKind {
    /// Returns the name of one in events and records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chain => "investigation",
            Self::Automate => AUTOMATE_NOUN,
        }
    }
}
