//! The outcome of conducting a run.

/// The outcome of conducting a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConductOutcome {
    /// The run is at its end, and everything of it is written.
    Done,
    /// The run is at its end, but its last documents could not be written; later they may be.
    Unwritten,
    /// The run cannot go on; this is the JSON of its last event. Its record in KV does not say so
    /// yet.
    Interrupted(String),
}
