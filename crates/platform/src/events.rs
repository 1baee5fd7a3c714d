//! An event of a run as it is sent. The forms are public and pinned by `tests/formats`.

mod sse;
mod timestamp;
mod wire_event;

pub use sse::{
    BROKEN_OFF, DELETED, EXPIRED, FRAME_END, HEARTBEAT, RETRY, frame, frame_begin, greeting,
};
pub use timestamp::timestamp;
pub use wire_event::{EventKinds, WireEvent};
