//! What a workflow tells its viewers.

mod engine_events;
mod event;
mod interrupted;
mod kinds;

pub use event::{workflow_event, workflow_spent};
pub use interrupted::interrupted_workflow;
