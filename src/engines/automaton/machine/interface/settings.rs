//! The periods and limits of the automaton's own loop.

use crate::engines::automaton::machine::dialect::Dialect;

/// The periods and limits of the automaton's own loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The time from one look to the next, in milliseconds. The strict dialect does not wait before its
    /// first look, nor after a state that ran: a look itself waits until the page is quiet.
    pub transition_period_ms: u64,
    /// The time before each action, in milliseconds; in the strict dialect between two actions.
    pub action_period_ms: u64,
    /// The most states that are executed.
    pub recursion_limit: u32,
    /// Whether the first of several states that pass is executed; otherwise they are an error.
    pub allows_multiple_states: bool,
    /// The longest time for which one state may go on passing, in milliseconds; below 0 where its first
    /// repeat is an error.
    pub state_timeout_ms: i64,
    /// The longest time for which no state may pass, in milliseconds; 0 or below where the first
    /// such look is an error, in the original with 0 another one than below.
    pub no_states_timeout_ms: i64,
}

impl Settings {
    /// Returns what counts where nothing is said.
    #[must_use]
    pub fn of(dialect: Dialect) -> Self {
        let (transition_period_ms, action_period_ms) = match dialect {
            Dialect::NetgentBe8a03a => (3_000, 1_000),
            Dialect::Strict => (250, 0),
        };
        Self {
            transition_period_ms,
            action_period_ms,
            recursion_limit: match dialect {
                Dialect::NetgentBe8a03a => 10,
                Dialect::Strict => 50,
            },
            allows_multiple_states: false,
            state_timeout_ms: 30_000,
            no_states_timeout_ms: 60_000,
        }
    }

    /// Returns what counts where nothing is said and models make states: a page without a state is not
    /// waited for as long. In the original, its agent has settings of its own.
    #[must_use]
    pub fn with_prompts(dialect: Dialect) -> Self {
        let settings = Self::of(dialect);
        match dialect {
            Dialect::Strict => Self {
                no_states_timeout_ms: 10_000,
                ..settings
            },
            Dialect::NetgentBe8a03a => Self {
                transition_period_ms: 5_000,
                action_period_ms: 2_000,
                no_states_timeout_ms: 10_000,
                ..settings
            },
        }
    }
}
