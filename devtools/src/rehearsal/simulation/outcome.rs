//! The result of a simulated run.

use platform::events::WireEvent;

use super::fault_injector::Operation;

/// A document written to the key-value store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentWrite {
    /// The time of the write, in milliseconds since 1970.
    pub at_ms: u64,
    /// The key in the store.
    pub key: String,
    /// The text of the document, as stored.
    pub document: String,
}

/// The result of a simulated run: what it has stored, written and sent.
#[derive(Debug)]
pub struct SimulatedRun {
    /// Its stored events, in order.
    pub events: Vec<WireEvent>,
    /// Its events as sent to a viewer who was always connected, in order.
    pub seen: Vec<WireEvent>,
    /// Its journal's entries as JSON, in order.
    pub journal: Vec<String>,
    /// The writes of its documents, in order.
    pub puts: Vec<DocumentWrite>,
    /// The sandbox's calls in order, as `(provider, key, status)`.
    pub calls: Vec<(String, String, u16)>,
    /// Its duration, in virtual milliseconds.
    pub took_ms: u64,
    /// The number of processes that conducted it in turn.
    pub processes: u32,
    /// How the last process ended.
    pub end: ProcessEnd,
    /// Its operations over all processes, in order, including failed ones.
    pub operations: Vec<Operation>,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEnd {
    /// The run has ended, and everything is written.
    Done,
    /// The run has ended, but its last documents could not be written.
    Unwritten,
    /// The run failed, with this last event.
    Interrupted(String),
    /// The journal or the events could not be stored.
    Unkept,
    /// An injected crash; another process resumes the run.
    Died,
}
