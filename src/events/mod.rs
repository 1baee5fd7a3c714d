//! Notices to wire events to server-sent bytes. The shapes are public: `tests/formats.rs` pins
//! them.

mod evidence;
mod interrupted;
mod sse;
mod wire;

pub use evidence::{EdgeJson, GraphJson};
pub use interrupted::{Interruption, interrupted_event};
pub use sse::{HEARTBEAT, RETRY, frame, frame_without_id};
pub use wire::{PersonJson, SpentJson, WireEvent, timestamp, wire_event};
