//! The limits of a workflow run.

/// The most nodes that may be visited, where nothing is said.
pub const STEPS_DEFAULT: u32 = 100_000;

/// The limits of a workflow run: what it may do and spend. Each is a bound of the whole run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The most visits of nodes and attempts of them; a valid workflow may never end.
    pub steps_max: u32,
    /// The most calls of tools.
    pub tool_calls_max: u32,
    /// The most questions to language models.
    pub chats_max: u32,
    /// The most runs of another engine.
    pub child_runs_max: u32,
    /// The run's time, in milliseconds, pauses between processes not counted.
    pub runtime_ms_max: u64,
    /// The longest silence of one tool call where its node says nothing, in milliseconds. A tool that tells
    /// its progress is waited for five times as long.
    pub call_ms_max: u64,
    /// The most that everything may cost, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
    /// The most that one question to a language model may cost, in billionths of a dollar.
    pub chat_nano_usd_max: u64,
    /// The most trace events that are told: the events of a loop that goes on for long are only
    /// counted.
    pub trace_events_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps_max: STEPS_DEFAULT,
            tool_calls_max: 1_000,
            chats_max: 100,
            child_runs_max: 3,
            runtime_ms_max: 600_000,
            call_ms_max: 60_000,
            nano_usd_max: None,
            chat_nano_usd_max: 0,
            trace_events_max: 5_000,
        }
    }
}
