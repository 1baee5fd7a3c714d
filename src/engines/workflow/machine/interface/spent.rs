//! What a workflow run has spent.

/// What was spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Nodes visited, and further attempts of them.
    pub steps: u32,
    /// Calls of tools.
    pub tool_calls: u32,
    /// Questions to language models.
    pub chats: u32,
    /// Runs of the other engine.
    pub investigations: u32,
    /// The run's time, in milliseconds.
    pub runtime_ms: u64,
    /// What all of it cost, in billionths of a dollar.
    pub nano_usd: u64,
}
