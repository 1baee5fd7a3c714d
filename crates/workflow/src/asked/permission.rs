//! The permission to start a workflow: workflows call tools that act.

use engine::Problem;
use settings::{Settings, SharedAccess};

use super::wanted::{WantedGraph, WorkflowRequest};

/// The setting that says which workflows others than the operator may start.
pub const PUBLIC_WORKFLOWS: &str = "PUBLIC_WORKFLOWS";

/// Checks that a workflow may be started by the operator, or by somebody else who may start runs.
pub fn may_start_workflow(
    settings: &Settings,
    is_operator: bool,
    wanted: &WorkflowRequest,
) -> Result<(), Problem> {
    let is_sent = matches!(wanted.graph, WantedGraph::Sent(_));
    match settings.shared_access(PUBLIC_WORKFLOWS) {
        _ if is_operator => Ok(()),
        SharedAccess::Any => Ok(()),
        SharedAccess::Stored if !is_sent && wanted.servers.is_some() => Err(Problem::new(
            403,
            "Here only the operator chooses the servers whose tools a stored workflow calls: leave \
             servers out.",
        )),
        SharedAccess::Stored if !is_sent => Ok(()),
        SharedAccess::Stored => Err(Problem::new(
            403,
            "Here only the operator's own workflows can be started without the operator's token: give \
             the name of one of GET /workflows.",
        )),
        SharedAccess::Operator => Err(Problem::new(
            401,
            "A workflow calls the operator's tools and needs the operator's token: send it as \
             “Authorization: Bearer TOKEN”.",
        )),
    }
}
