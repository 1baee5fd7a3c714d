//! The words that a workflow and what is told of it have for a run that it begins.

/// The type of a node that begins one.
pub const CHILD_NODE: &str = "Investigation";
/// The name of one in events and records.
pub const CHILD_RUN: &str = "investigation";
/// The name of several in limits and sums.
pub const CHILD_RUNS: &str = "investigations";
