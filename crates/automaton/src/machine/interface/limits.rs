//! The limits of an automaton's run.

/// The limits of an automaton's run: what it may do and spend. Each is a bound of the whole run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The most actions of the browser.
    pub actions_max: u32,
    /// The most looks at the page.
    pub looks_max: u32,
    /// The most questions to models.
    pub asks_max: u32,
    /// The most states that models make.
    pub states_made_max: u32,
    /// The run's time, in milliseconds, pauses between processes not counted.
    pub runtime_ms_max: u64,
    /// The longest time of one command beside what its own waiting takes, in milliseconds.
    pub call_ms_max: u64,
    /// The most that everything may cost, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
    /// The most that one second of a browser may cost, in billionths of a dollar.
    pub second_nano_usd_max: u64,
    /// The most that one question to a model may cost, in billionths of a dollar.
    pub ask_nano_usd_max: u64,
    /// The most notices that are told: those of a run that goes on for long are only counted.
    pub notices_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            actions_max: 1_000,
            looks_max: 5_000,
            asks_max: 300,
            states_made_max: 20,
            runtime_ms_max: 600_000,
            call_ms_max: 30_000,
            nano_usd_max: None,
            second_nano_usd_max: 0,
            ask_nano_usd_max: 0,
            notices_max: 5_000,
        }
    }
}
