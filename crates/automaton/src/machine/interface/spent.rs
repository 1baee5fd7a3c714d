//! The amounts that a run has spent.

/// The amounts that an automaton's run has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The number of states that were executed.
    pub states: u32,
    /// The number of actions of the browser.
    pub actions: u32,
    /// The number of looks at the page.
    pub looks: u32,
    /// The number of questions to models.
    pub asks: u32,
    /// The number of times that models were asked to make a state.
    pub states_made: u32,
    /// The run's time, in milliseconds.
    pub runtime_ms: u64,
    /// The cost of all of it, in billionths of a dollar.
    pub nano_usd: u64,
}
