//! Notices to wire events to server-sent bytes. The shapes are public: `tests/formats` pins
//! them.

mod certificate;
mod evidence;
mod interrupted;
mod sse;
mod wire;

pub use evidence::{EdgeJson, GraphJson};
pub use interrupted::interrupted_event;
pub use sse::{BROKEN_OFF, HEARTBEAT, RETRY, frame};
pub use wire::{PersonJson, SpentJson, WireEvent, timestamp, wire_event};
