//! What clients see of workflows: the record of a run, its documents, its trace in the original program's form, and the
//! stored workflows, which are also offered as tools.

mod trace;

use std::rc::Rc;

use serde_json::{Map, Value, json};

use domain::Sha256Digest;
use engine::assistant::{quoted, stored_tool};
use engine::{Opened, Problem, StoredDocuments, Tools, record};
use settings::Settings;

use crate::requests::{PUBLIC_WORKFLOWS, WORKFLOW_BODY_BYTES_MAX, check_stored_workflow};
use crate::wire::{WORKFLOW_ENGINE, WorkflowEngine};

pub use trace::trace_archive;

impl Tools for WorkflowEngine {
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
        let order = &opened.order;
        let members = json!({
            "workflow": order.workflow,
            "dialect": order.dialect,
            "servers": order.servers,
        });
        record::outline(opened, WORKFLOW_ENGINE, members, events)
    }

    fn trace(
        opened: &Opened<Self>,
        events: &[Rc<str>],
        artifact: &dyn Fn(&Sha256Digest) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Problem> {
        let archive = trace_archive(opened, events, artifact);
        archive.ok_or_else(|| Problem::new(500, "The trace could not be written."))
    }

    /// Returns a tool for a stored workflow. It has no parameters, since a workflow has none.
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

/// Returns the names of the stored workflows, and the names of the servers whose tools workflows may call.
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
