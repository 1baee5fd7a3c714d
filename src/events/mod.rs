//! Notices to wire events to server-sent bytes. The shapes are public: `tests/formats` pins
//! them.

mod certificate;
mod evidence;
mod interrupted;
mod last_event;
mod person;
mod spent;
mod sse;
mod timestamp;
mod wire;
mod workflow_event;
mod workflow_kinds;

pub use evidence::{EdgeJson, GraphJson};
pub use interrupted::{interrupted_event, interrupted_workflow};
pub use person::PersonJson;
pub use spent::SpentJson;
pub use sse::{
    BROKEN_OFF, DELETED, EXPIRED, FRAME_END, HEARTBEAT, RETRY, frame, frame_begin, greeting,
};
pub use timestamp::timestamp;
pub use wire::{WireEvent, wire_event};
pub use workflow_event::{workflow_event, workflow_spent};
