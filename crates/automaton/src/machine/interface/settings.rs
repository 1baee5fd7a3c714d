//! The periods and limits of the automaton's own loop.

/// The periods and limits of the automaton's own loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The time from one look to the next, in milliseconds. Nothing is waited for before the
    /// first look, nor after a state that ran: a look itself waits until the page is quiet.
    pub transition_period_ms: u64,
    /// The time between two actions, in milliseconds.
    pub action_period_ms: u64,
    /// The most states that are executed.
    pub recursion_limit: u32,
    /// Whether the first of several states that pass is executed; otherwise they are an error.
    pub allows_multiple_states: bool,
    /// The longest time for which one state may go on passing, in milliseconds; below 0 where its first
    /// repeat is an error.
    pub state_timeout_ms: i64,
    /// The longest time for which no state may pass, in milliseconds; 0 or below where the first
    /// such look is an error.
    pub no_states_timeout_ms: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            transition_period_ms: 250,
            action_period_ms: 0,
            recursion_limit: 50,
            allows_multiple_states: false,
            state_timeout_ms: 30_000,
            no_states_timeout_ms: 60_000,
        }
    }
}

impl Settings {
    /// Returns what counts where nothing is said and models make states: a page without a state is not
    /// waited for as long.
    #[must_use]
    pub fn with_prompts() -> Self {
        Self {
            no_states_timeout_ms: 10_000,
            ..Self::default()
        }
    }
}
