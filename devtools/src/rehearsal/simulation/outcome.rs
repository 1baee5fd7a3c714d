//! The traces that a run left behind.

use platform::events::WireEvent;

use super::fault_injector::Operation;

/// A document that was written to the key-value store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentWrite {
    /// The time of the write, in milliseconds since 1970.
    pub at_ms: u64,
    /// The key in the store.
    pub key: String,
    /// The text of the document, as stored.
    pub document: String,
}

/// The traces that a run left behind.
#[derive(Debug)]
pub struct SimulatedRun {
    /// Its events as they are kept, in order.
    pub events: Vec<WireEvent>,
    /// Its events as they were shown to a viewer who was always there, in order.
    pub seen: Vec<WireEvent>,
    /// Its journal's entries as JSON, in order.
    pub journal: Vec<String>,
    /// The writes of its documents, in order.
    pub puts: Vec<DocumentWrite>,
    /// The calls of the sandbox, in order, as `(provider, key, status)`.
    pub calls: Vec<(String, String, u16)>,
    /// The time that it took, in virtual milliseconds.
    pub took_ms: u64,
    /// The number of processes that conducted it, one after the other.
    pub processes: u32,
    /// The end of the last process.
    pub end: ProcessEnd,
    /// Its operations over all processes, in order, those that failed included.
    pub operations: Vec<Operation>,
}

/// The way in which a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEnd {
    /// The run has ended, and everything is written.
    Done,
    /// The run is at its end, but its last documents could not be written.
    Unwritten,
    /// The run could not go on; this is its last event.
    Interrupted(String),
    /// The journal or the events could not be kept.
    Unkept,
    /// An injected crash; another process takes the run up.
    Died,
}
