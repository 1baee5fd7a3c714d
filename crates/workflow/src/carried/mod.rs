//! The carrying out of a workflow's commands.

mod carrier;
mod child_call;
mod hiding;
mod tools;

pub use carrier::WorkflowCarrier;
pub use tools::converse;
