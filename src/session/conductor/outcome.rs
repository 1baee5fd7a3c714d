//! How conducting a run came out.

/// How taking a run up came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// It is at its end, and everything of it is written.
    Done,
    /// It is at its end, but its last documents could not be written; later they may be.
    Unwritten,
    /// It cannot go on; this is its last event. Its record in KV does not say so yet.
    Interrupted(String),
}
