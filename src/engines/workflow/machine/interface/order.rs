//! What a workflow run was asked.

use crate::engines::workflow::machine::dialect::Dialect;
use crate::engines::workflow::machine::graph::Workflow;

use super::limits::Limits;

/// What a workflow run was asked, already accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The graph.
    pub workflow: Workflow,
    /// How it is read.
    pub dialect: Dialect,
    /// The aliases of the servers that it may use; the first is that of every node that names none.
    pub servers: Vec<String>,
    /// What the run may do and spend.
    pub limits: Limits,
}
