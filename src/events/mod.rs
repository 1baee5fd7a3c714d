//! Notices to wire events to server-sent bytes. The shapes are public: `tests/formats.rs` pins
//! them.

mod evidence;
mod sse;
mod wire;

pub use evidence::{EdgeJson, GraphJson};
pub use sse::{HEARTBEAT, RETRY, frame, frame_without_id};
pub use wire::{PersonJson, SpentJson, WireEvent, timestamp, wire_event};
