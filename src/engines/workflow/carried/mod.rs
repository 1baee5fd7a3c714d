//! How the commands of a workflow are carried out.
mod carrier;
mod child_runs;
mod tools;
pub use carrier::WorkflowCarrier;
pub use tools::converse;
