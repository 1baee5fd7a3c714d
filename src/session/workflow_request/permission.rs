//! Who may start which workflows: they call tools that act.

use crate::session::request::Problem;
use crate::session::settings::{Settings, WorkflowAccess};

use super::wanted::{WantedGraph, WorkflowRequest};

/// Whether a workflow may be started by the operator, or by somebody else who may start runs.
pub fn may_start_workflow(
    settings: &Settings,
    is_operator: bool,
    wanted: &WorkflowRequest,
) -> Result<(), Problem> {
    let is_sent = matches!(wanted.graph, WantedGraph::Sent(_));
    match settings.workflow_access {
        _ if is_operator => Ok(()),
        WorkflowAccess::Any => Ok(()),
        WorkflowAccess::Stored if !is_sent && wanted.servers.is_some() => Err(Problem::new(
            403,
            "Here only the operator chooses the servers whose tools a stored workflow calls: leave \
             servers out.",
        )),
        WorkflowAccess::Stored if !is_sent => Ok(()),
        WorkflowAccess::Stored => Err(Problem::new(
            403,
            "Here only the operator's own workflows can be started without the operator's token: give \
             the name of one of GET /workflows.",
        )),
        WorkflowAccess::Operator => Err(Problem::new(
            401,
            "A workflow calls the operator's tools and needs the operator's token: send it as \
             “Authorization: Bearer TOKEN”.",
        )),
    }
}
