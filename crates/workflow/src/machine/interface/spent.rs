//! The amounts that a workflow run has spent.

/// The amounts that a workflow run has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The number of visits of nodes, and of further attempts of them.
    pub steps: u32,
    /// The number of calls of tools.
    pub tool_calls: u32,
    /// The number of questions to language models.
    pub chats: u32,
    /// The number of runs of another engine.
    pub child_runs: u32,
    /// The run's time, in milliseconds.
    pub runtime_ms: u64,
    /// The cost of all of it, in billionths of a dollar.
    pub nano_usd: u64,
}
