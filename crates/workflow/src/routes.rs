//! What others read of workflows: the record of a run, what is kept of it, the folder that the original
//! program would have written, and the stored workflows, which are also offered as tools.

mod trace;

use std::rc::Rc;

use serde_json::{Map, Value, json};

use domain::Sha256Digest;
use engine::assistant::{quoted, stored_tool};
use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta, calls_body};
use engine::{Offered, Opened, OrderSummary, Problem, Recorded, Served, StoredDocuments};
use kernel::Millis;
use platform::events::timestamp;
use settings::Settings;

use crate::events::workflow_spent;
use crate::machine::graph::ChildKind;
use crate::machine::{Outcome, WorkflowRun};
use crate::requests::{PUBLIC_WORKFLOWS, WORKFLOW_BODY_BYTES_MAX, check_stored_workflow};
use crate::wire::{WorkflowEngine, WorkflowKey, WorkflowOrder};

pub use trace::trace_archive;

impl Served for WorkflowEngine {
    const PAGE: Option<&'static str> = Some("/workflow");
    const HAS_WHOLE_DOCUMENTS: bool = false;
    const STORED_DOCUMENTS: Option<StoredDocuments> = Some(StoredDocuments {
        path: "workflows",
        noun: "workflow",
        key_prefix: "workflow:",
        variable: PUBLIC_WORKFLOWS,
        may_be_any: true,
        bytes_max: WORKFLOW_BODY_BYTES_MAX,
        check: check_stored_workflow,
        list,
    });

    fn outline(opened: &Opened<Self>, events: &[Rc<str>], _is_ended: bool) -> Value {
        workflow_record(opened, events)
    }

    fn trace(
        opened: &Opened<Self>,
        events: &[Rc<str>],
        artifact: &dyn Fn(&Sha256Digest) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Problem> {
        let archive = trace_archive(opened, events, artifact);
        archive.ok_or_else(|| Problem::new(500, "The trace could not be written."))
    }
}

/// Returns the names of the stored workflows, and of the servers that workflows may use.
fn list(named: Vec<(String, Option<Value>)>, settings: &Settings, is_shown: bool) -> Value {
    let workflows = named.into_iter().map(|(name, about)| {
        let nodes = about.as_ref().and_then(|about| about.get("nodes"));
        json!({"name": name, "nodes": nodes})
    });
    let providers = settings.providers.iter().filter(|_| is_shown);
    let servers = providers.flat_map(|providers| &providers.mcp_servers);
    json!({
        "workflows": workflows.collect::<Vec<_>>(),
        "servers": servers.map(|server| json!({"name": server.name})).collect::<Vec<_>>(),
        "startedBy": settings.shared_access(PUBLIC_WORKFLOWS).as_str(),
    })
}

impl Offered for WorkflowEngine {
    /// Returns a tool without parameters: a workflow has none.
    fn stored_tool(name: &str, about: &Value, _settings: &Settings) -> Option<String> {
        let description = about.get("description")?.as_str()?;
        Some(stored_tool(name, description, &[], &[]))
    }

    fn stored_call(name: &str, _arguments: Map<String, Value>) -> Value {
        json!({"workflow": name})
    }

    fn progress(event: &Value) -> Option<String> {
        let kind = event.get("type")?.as_str()?;
        let node = event.get("nodeName").and_then(Value::as_str)?;
        (kind == "node_started").then(|| quoted(node))
    }
}

/// The choice of a workflow's run. It has no values, since the choices of a workflow are its events.
#[derive(Debug, Clone, Copy)]
pub enum NoDecision {}

impl Recorded for WorkflowEngine {
    type Decision = NoDecision;

    /// Returns the meta document, and the calls at the end. What the run did is told by its events.
    fn documents(keys: &Keys, state: &WorkflowRun, meta: &RunMeta, is_end: bool) -> Documents {
        let mut bodies = vec![(keys.plain("meta"), workflow_meta(state, meta))];
        if is_end {
            bodies.push((keys.plain("calls"), calls_body(&meta.calls)));
        }
        Documents::new(bodies)
    }

    fn paid_call(key: &WorkflowKey) -> Option<(&'static str, &str)> {
        match key {
            WorkflowKey::Chat { sha256, .. } => Some(("chat", sha256)),
            WorkflowKey::Investigate { sha256, .. } => Some((ChildKind::Chain.as_str(), sha256)),
            WorkflowKey::Automate { sha256 } => Some((ChildKind::Automate.as_str(), sha256)),
            WorkflowKey::Tool { .. } | WorkflowKey::Tools { .. } | WorkflowKey::Wait { .. } => None,
        }
    }

    fn is_answered(outcome: &Outcome) -> bool {
        matches!(
            outcome,
            Outcome::Called(Ok(_))
                | Outcome::Listed(Ok(_))
                | Outcome::Chatted(Ok(_))
                | Outcome::Investigated(Ok(_))
                | Outcome::Automated(Ok(_))
                | Outcome::Waited
        )
    }

    fn runtime_ms_max(state: &WorkflowRun) -> u64 {
        state.runtime_ms_max()
    }

    /// Returns 10: an input leads to a few nodes, and a loop without calls is bounded by the order's own
    /// steps.
    fn steps(_state: &WorkflowRun) -> u64 {
        10
    }

    fn summary(order: &WorkflowOrder) -> OrderSummary {
        let name = order.workflow().get("name").and_then(Value::as_str);
        OrderSummary {
            plan: "workflow",
            named: name
                .map(|name| ("workflow", name.to_owned()))
                .into_iter()
                .collect(),
        }
    }

    fn spent(last_event: &str) -> Option<Amount> {
        let event: Value = serde_json::from_str(last_event).ok()?;
        let usd = event.pointer("/payload/spent/usd")?.as_f64()?;
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: Amount::nano_usd_of(usd),
        })
    }
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

/// Returns what was asked, how far the run is and what it has spent, by its events so far.
#[must_use]
pub fn workflow_record(opened: &Opened<WorkflowEngine>, events: &[Rc<str>]) -> Value {
    let read = |event: Option<&Rc<str>>| -> Value {
        event
            .and_then(|json| serde_json::from_str(json).ok())
            .unwrap_or_default()
    };
    let (first, last) = (read(events.first()), read(events.last()));
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
