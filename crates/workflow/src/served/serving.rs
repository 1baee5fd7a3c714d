//! The answers about workflows' runs and stored workflows: the workflow engine's own part of what
//! every engine gives.

use std::rc::Rc;

use serde_json::{Value, json};

use domain::Sha256Digest;
use engine::{Opened, Problem, Served, StoredDocuments};
use settings::Settings;

use crate::asked::{PUBLIC_WORKFLOWS, WORKFLOW_BODY_BYTES_MAX, check_stored_workflow};
use crate::stored::WorkflowEngine;

use super::archive::trace_archive;
use super::record::workflow_record;

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
