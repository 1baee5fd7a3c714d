//! The order of a workflow run.

use crate::machine::dialect::Dialect;
use crate::machine::graph::Workflow;

use super::limits::Limits;

/// The order of a workflow run, already accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The graph.
    pub workflow: Workflow,
    /// The dialect in which the graph is read.
    pub dialect: Dialect,
    /// The aliases of the servers that the run may use. The first is the one of every node that
    /// names none.
    pub servers: Vec<String>,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
}
