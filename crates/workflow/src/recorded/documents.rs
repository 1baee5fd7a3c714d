//! The documents of a workflow's run.

use serde_json::{Value, json};

use engine::store::{Documents, Keys, RunMeta, calls_body};
use platform::events::timestamp;

use crate::machine::WorkflowRun;
use crate::told::workflow_spent;

/// Returns the meta document, and the calls at the end. What the run did is told by its events.
pub(super) fn documents(
    keys: &Keys,
    machine: &WorkflowRun,
    meta: &RunMeta,
    is_end: bool,
) -> Documents {
    let mut bodies = vec![(keys.plain("meta"), workflow_meta(machine, meta))];
    if is_end {
        bodies.push((keys.plain("calls"), calls_body(&meta.calls)));
    }
    Documents::new(bodies)
}

fn workflow_meta(machine: &WorkflowRun, meta: &RunMeta) -> Value {
    let workflow = machine.workflow();
    json!({
        "engine": "workflow",
        "name": workflow.name,
        "nodes": workflow.nodes.len(),
        "startedAt": timestamp(meta.started),
        "expiresAt": timestamp(meta.expires),
        "spent": workflow_spent(machine.spent()),
        "endedWith": meta.ended_with,
        "endedBecause": meta.ended_because,
        "forkedFrom": meta.forked_from,
    })
}
