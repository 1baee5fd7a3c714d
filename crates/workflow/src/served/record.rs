//! The record of a workflow's run.

use std::rc::Rc;

use serde_json::{Value, json};

use engine::Opened;
use kernel::Millis;
use platform::events::timestamp;

use crate::stored::WorkflowEngine;

/// Returns what was asked, how far the run is and what it has spent, by its events so far.
#[must_use]
pub fn workflow_record(opened: &Opened<WorkflowEngine>, events: &[Rc<str>]) -> Value {
    let last = events
        .last()
        .and_then(|json| serde_json::from_str(json).ok());
    let last: Value = last.unwrap_or_default();
    let first = events
        .first()
        .and_then(|json| serde_json::from_str(json).ok());
    let first: Value = first.unwrap_or_default();
    let kind = last.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_ended = matches!(kind, "completed" | "failed" | "stopped");
    let payload = last.get("payload").filter(|_| is_ended);
    let of_payload = |name: &str| payload.and_then(|payload| payload.get(name).cloned());
    json!({
        "run": opened.run,
        "engine": "workflow",
        "status": if is_ended { kind } else { "running" },
        "reason": of_payload("reason"),
        "message": of_payload("message"),
        "spent": of_payload("spent"),
        "workflow": opened.order.workflow(),
        "dialect": opened.order.dialect(),
        "servers": opened.order.servers(),
        "startedAt": first.get("timestamp"),
        "expiresAt": timestamp(Millis(opened.expires_ms)),
        "forkedFrom": opened.forked_from,
    })
}
