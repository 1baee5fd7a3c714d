//! The trace of one node: what a run has told of it.

use serde_json::{Value, json};

use crate::machine::graph::{Node, TraceLevel};
use crate::machine::values::fold;

use super::folders::Folders;

/// The trace of one node: what a run has told of it.
pub(super) struct NodeTrace {
    /// The name of the node's folder.
    pub(super) folder: String,
    level: TraceLevel,
    id: String,
    name: String,
    started_at: Value,
    ended_at: Value,
    status: &'static str,
    lines: Vec<String>,
    verdicts: Vec<Value>,
    /// The pictures, by their digests.
    pub(super) images: Vec<String>,
}

impl NodeTrace {
    /// Returns a trace of which nothing is told yet.
    pub(super) fn new(node: &Node, folders: &mut Folders) -> Self {
        Self {
            folder: folders.take(&fold(&node.name)),
            level: node.trace_level,
            id: node.id.to_string(),
            name: node.name.clone(),
            started_at: Value::Null,
            ended_at: Value::Null,
            status: "Running",
            lines: Vec::new(),
            verdicts: Vec::new(),
            images: Vec::new(),
        }
    }

    /// Returns whether this is the trace of the node with this id.
    pub(super) fn is_of(&self, id: &str) -> bool {
        self.id == id
    }

    /// Adds an event of the node. A further execution begins its times anew and goes on with its
    /// events.
    pub(super) fn note(&mut self, kind: &str, event: &Value, line: String) {
        let at = || event.get("timestamp").cloned().unwrap_or_default();
        match kind {
            "node_started" => {
                self.started_at = at();
                self.ended_at = Value::Null;
                self.status = "Running";
            }
            "node_completed" => (self.ended_at, self.status) = (at(), "Ok"),
            "node_failed" => (self.ended_at, self.status) = (at(), "Failed"),
            "check_evaluated" => self.verdicts.extend(event.get("payload").cloned()),
            "tool_result" => {
                let images = event.pointer("/payload/images").and_then(Value::as_array);
                let images = images.into_iter().flatten().filter_map(Value::as_str);
                for image in images {
                    if !self.images.iter().any(|known| known == image) {
                        self.images.push(image.to_owned());
                    }
                }
            }
            _ => {}
        }
        self.lines.push(line);
    }

    /// Notes that the run ended while the node was executed.
    pub(super) fn end(&mut self, at: &Value) {
        if self.status == "Running" && !self.started_at.is_null() {
            self.ended_at = at.clone();
            self.status = "Stopped";
        }
    }

    /// Returns whether the node was executed, or checked, and its trace is to be kept.
    pub(super) fn is_kept(&self) -> bool {
        self.level != TraceLevel::Off && !self.lines.is_empty()
    }

    /// Returns the names and texts of the node's files, without its pictures.
    pub(super) fn files(&self, run: &str) -> Vec<(&'static str, String)> {
        let level = match self.level {
            TraceLevel::Off => "Off",
            TraceLevel::Minimal => "Minimal",
            TraceLevel::Full => "Full",
        };
        let about = json!({
            "run_id": run,
            "node_id": self.id,
            "node_name": self.name,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "status": self.status,
            "trace_level": level,
        });
        let mut files = vec![
            ("run.json", format!("{about:#}\n")),
            ("events.jsonl", self.lines.concat()),
        ];
        if !self.verdicts.is_empty() {
            let verdicts = json!({"node_name": self.name, "check_results": self.verdicts});
            files.push(("verdict.json", format!("{verdicts:#}\n")));
        }
        files
    }
}
