//! Notices to wire events to server-sent bytes. The shapes are public: `tests/formats.rs` pins
//! them.

mod sse;
mod wire;

pub use sse::{HEARTBEAT, RETRY, frame};
pub use wire::{EdgeJson, GraphJson, PersonJson, SpentJson, WireEvent, timestamp, wire_event};
