//! Notices to wire events to server-sent bytes. The shapes are public: `tests/formats` pins
//! them.

mod sse;
mod timestamp;
mod wire_event;

pub use sse::{
    BROKEN_OFF, DELETED, EXPIRED, FRAME_END, HEARTBEAT, RETRY, frame, frame_begin, greeting,
};
pub use timestamp::timestamp;

pub use wire_event::{EventKinds, WireEvent};
