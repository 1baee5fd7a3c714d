//! The events that an investigation tells its viewers.

mod capture;
mod certificate;
mod engine_events;
mod event;
mod evidence;
mod interrupted;
mod kinds;
mod last_event;
mod person;
mod spent;

pub use event::wire_event;
pub use evidence::{EdgeJson, GraphJson};
pub use interrupted::interrupted_event;
pub use spent::SpentJson;
