//! How conducting a run came out.

/// How conducting a run came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConductOutcome {
    /// It is at its end, and everything of it is written.
    Done,
    /// It is at its end, but its last documents could not be written; later they may be.
    Unwritten,
    /// It cannot go on; this is the JSON of its last event. Its record in KV does not say so yet.
    Interrupted(String),
}
