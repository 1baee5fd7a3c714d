//! The folder of a run as the original program writes it.
//!
//! //= seed 002, Run Storage

use std::rc::Rc;

use serde_json::{Map, Value, json};

use engine::Opened;

use crate::machine::graph::Workflow;
use crate::machine::values::fold;
use crate::stored::WorkflowEngine;

use super::folders::Folders;
use super::node_trace::NodeTrace;

/// The number of characters of a run's token that name its folder.
const RUN_CHARS: usize = 12;
/// The events of a node that are told as events of the whole run.
const OF_RUN: [&str; 3] = ["branch_evaluated", "loop_iteration", "loop_exited"];

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TraceFile {
    /// The path of the file, with all folders.
    pub(super) path: String,
    pub(super) content: TraceContent,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TraceContent {
    Text(String),
    /// Bytes that are kept beside the run, by their digest. The file's path has no ending yet.
    Artifact(String),
}

/// Returns the files of a run, by its events so far.
pub(super) fn files(opened: &Opened<WorkflowEngine>, events: &[Rc<str>]) -> Vec<TraceFile> {
    let Ok(workflow) = Workflow::from_json(opened.order.workflow()) else {
        return Vec::new();
    };
    let mut folders = Folders::default();
    let nodes = workflow.nodes.iter();
    let mut nodes: Vec<NodeTrace> = nodes
        .map(|node| NodeTrace::new(node, &mut folders))
        .collect();
    let mut of_run = String::new();
    let (mut began, mut ended) = (Value::Null, Value::Null);
    for json in events {
        let event: Value = serde_json::from_str(json).unwrap_or_default();
        let kind = event
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let at = event.get("timestamp").cloned().unwrap_or_default();
        if began.is_null() {
            began.clone_from(&at);
        }
        ended.clone_from(&at);
        let node = event.get("nodeId").and_then(Value::as_str);
        let is_of_run = node.is_none() || OF_RUN.contains(&kind);
        let line = line(kind, &event, is_of_run);
        let node = node.filter(|_| !is_of_run);
        match node.and_then(|id| nodes.iter_mut().find(|node| node.is_of(id))) {
            Some(node) => node.note(kind, &event, line),
            None => of_run.push_str(&line),
        }
    }
    let folder = format!("{}/{}", fold(&workflow.name), stamp(&opened.run, &began));
    let text = |path: &str, text: String| TraceFile {
        path: format!("{folder}/{path}"),
        content: TraceContent::Text(text),
    };
    let mut files = vec![
        text("workflow.json", format!("{:#}\n", opened.order.workflow())),
        text("events.jsonl", of_run),
    ];
    for mut node in nodes {
        node.end(&ended);
        if !node.is_kept() {
            continue;
        }
        for (name, content) in node.files(&opened.run) {
            files.push(text(&format!("{}/{name}", node.folder), content));
        }
        files.extend(node.images.iter().map(|digest| TraceFile {
            path: format!("{folder}/{}/artifacts/{digest}", node.folder),
            content: TraceContent::Artifact(digest.clone()),
        }));
    }
    files
}

/// Returns one event as a line. An event of the whole run names its node itself.
fn line(kind: &str, event: &Value, is_of_run: bool) -> String {
    let mut payload = event
        .get("payload")
        .cloned()
        .unwrap_or_else(|| Value::Object(Map::new()));
    if let (true, Some(members)) = (is_of_run, payload.as_object_mut()) {
        for (name, member) in [("node_id", "nodeId"), ("node_name", "nodeName")] {
            if let Some(value) = event.get(member) {
                members.insert(name.to_owned(), value.clone());
            }
        }
    }
    let line = json!({
        "timestamp": event.get("timestamp"),
        "event_type": kind,
        "payload": payload,
    });
    format!("{line}\n")
}

/// Returns `2026-11-21_10-00-00_` and the beginning of the run's own half of its token.
fn stamp(run: &str, began: &Value) -> String {
    let began = began.as_str().and_then(|began| began.get(..19));
    let began = began
        .unwrap_or("1970-01-01T00:00:00")
        .replace('T', "_")
        .replace(':', "-");
    let own = run.split('.').next_back().unwrap_or_default();
    let own: String = own.chars().take(RUN_CHARS).collect();
    format!("{began}_{own}")
}
