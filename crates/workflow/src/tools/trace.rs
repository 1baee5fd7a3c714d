//! The trace of a run in the directory structure of the original program, as a tar archive.
//!
//! //= seed 002, Run Storage

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use domain::Sha256Digest;
use engine::Opened;

use crate::machine::graph::{Node, TraceLevel, Workflow};
use crate::machine::values::fold;
use crate::wire::WorkflowEngine;

/// The number of characters of a run's token that the name of the run's directory contains.
const RUN_CHARS: usize = 12;
/// The types of node events that are written to the run's events instead of the node's.
const OF_RUN: [&str; 3] = ["branch_evaluated", "loop_iteration", "loop_exited"];

/// Returns the archive of a run with these events. `artifact` returns the stored bytes for a digest. Returns `None` if
/// the archive cannot be written.
#[must_use]
pub fn trace_archive(
    opened: &Opened<WorkflowEngine>,
    events: &[Rc<str>],
    artifact: impl Fn(&Sha256Digest) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for file in files(opened, events) {
        let Some((path, bytes)) = content(file, &artifact) else {
            continue;
        };
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, &*bytes).ok()?;
    }
    archive.into_inner().ok()
}

fn content(
    file: TraceFile,
    artifact: &impl Fn(&Sha256Digest) -> Option<Vec<u8>>,
) -> Option<(String, Vec<u8>)> {
    match file.content {
        TraceContent::Text(text) => Some((file.path, text.into_bytes())),
        TraceContent::Artifact(digest) => {
            let bytes = artifact(&Sha256Digest::parse(&digest)?)?;
            Some((format!("{}.{}", file.path, ending(&bytes)), bytes))
        }
    }
}

/// Returns a file's extension according to its content, since the MIME type from the server may be wrong.
fn ending(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "png",
        [0xff, 0xd8, ..] => "jpg",
        [b'R', b'I', b'F', b'F', ..] => "wav",
        _ => "bin",
    }
}

/// A file in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TraceFile {
    /// The path of the file in the archive.
    path: String,
    content: TraceContent,
}

/// What a file in the archive contains.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TraceContent {
    Text(String),
    /// The stored artifact with this digest. Its type is not known yet, so the file's path has no extension.
    Artifact(String),
}

/// Returns the files for a run's archive, from the run's events so far.
fn files(opened: &Opened<WorkflowEngine>, events: &[Rc<str>]) -> Vec<TraceFile> {
    let Ok(workflow) = Workflow::from_json(&opened.order.workflow) else {
        return Vec::new();
    };
    let mut folders = Folders::default();
    let mut nodes: Vec<NodeTrace> = workflow
        .nodes
        .iter()
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
        text("workflow.json", format!("{:#}\n", opened.order.workflow)),
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

/// Returns an event as a line of JSON. A line for the events of the run also names the node.
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

/// Returns the name of the run's directory: `2026-11-21_10-00-00_`, and the start of the second half of the token,
/// which identifies the run within its session.
fn stamp(run: &str, began: &Value) -> String {
    let time = began
        .as_str()
        .and_then(|began| began.get(..19))
        .unwrap_or("1970-01-01T00:00:00")
        .replace('T', "_")
        .replace(':', "-");
    let half = run.split('.').next_back().unwrap_or_default();
    let own: String = half.chars().take(RUN_CHARS).collect();
    format!("{time}_{own}")
}

/// The trace of one node.
struct NodeTrace {
    /// The name of the directory with the node's files.
    folder: String,
    level: TraceLevel,
    id: String,
    name: String,
    started_at: Value,
    ended_at: Value,
    status: &'static str,
    lines: Vec<String>,
    verdicts: Vec<Value>,
    /// The digests of the pictures from the node's tools.
    images: Vec<String>,
}

impl NodeTrace {
    /// Returns the empty trace of a node, and reserves its directory's name.
    fn new(node: &Node, folders: &mut Folders) -> Self {
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
    fn is_of(&self, id: &str) -> bool {
        self.id == id
    }

    /// Adds an event of the node. If the node is executed again, its times are reset and its events appended.
    fn note(&mut self, kind: &str, event: &Value, line: String) {
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

    /// Records that the run ended while the node was being executed.
    fn end(&mut self, at: &Value) {
        if self.status == "Running" && !self.started_at.is_null() {
            self.ended_at = at.clone();
            self.status = "Stopped";
        }
    }

    /// Returns whether the archive includes the node: it has events, and its trace level keeps them.
    fn is_kept(&self) -> bool {
        self.level != TraceLevel::Off && !self.lines.is_empty()
    }

    /// Returns the names and contents of the node's files, without its pictures.
    fn files(&self, run: &str) -> Vec<(&'static str, String)> {
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

/// The names of the nodes' directories. A number is appended to a name that is already taken.
#[derive(Debug, Default)]
struct Folders {
    taken: BTreeSet<String>,
    /// The next number to append to each name.
    next: BTreeMap<String, u32>,
}

impl Folders {
    /// Returns a name that is not taken yet, and reserves it.
    fn take(&mut self, name: &str) -> String {
        let mut folder = name.to_owned();
        while !self.taken.insert(folder.clone()) {
            let number = self.next.entry(name.to_owned()).or_insert(2);
            folder = format!("{name}_{number}");
            *number = number.saturating_add(1);
        }
        folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::io::Read as _;

    fn opened() -> Opened<WorkflowEngine> {
        let node = |number: u8, name: &str, level: &str| {
            json!({
                "id": format!("00000000-0000-0000-0000-00000000000{number}"), "name": name, "enabled": true,
                "node_type": {"type": "ListWindows"}, "position": {"x": 0, "y": 0}, "retries": 0,
                "trace_level": level, "checks": [],
            })
        };
        let workflow = json!({
            "id": "00000000-0000-0000-0000-0000000000ff", "name": "Fill it!",
            "nodes": [node(1, "Look", "Minimal"), node(2, "look", "Full"), node(3, "Quiet", "Off")],
            "edges": [],
        });
        serde_json::from_value(json!({
        "version": 2, "engine": "0.3.0", "run": "s1.ABCDEFGHIJKLMNOPQRSTUV", "expiresMs": 1,
        "order": {"version": 1, "engine": "workflow", "dialect": "clickweave", "servers": [],
            "limits": {"steps": 1, "toolCalls": 1, "chats": 1, "investigations": 1, "runtimeMs": 1,
                "callMs": 1, "chatNanoUsd": 0, "traceEvents": 1},
            "workflow": workflow},
    }))
    .unwrap()
    }

    fn event(kind: &str, node: u8, payload: &Value) -> Rc<str> {
        let event = json!({
            "type": kind, "timestamp": "2026-11-21T10:00:00.000Z", "payload": payload, "nodeName": "Look",
            "nodeId": format!("00000000-0000-0000-0000-00000000000{node}"),
        });
        event.to_string().into()
    }

    #[test]
    fn each_node_has_its_folder_with_events_and_pictures() {
        let png = [0x89, b'P', b'N', b'G', 1];
        let digest = Sha256Digest::of(&png);
        let events = [
            event("node_started", 1, &json!({})),
            event("tool_result", 1, &json!({"images": [digest.to_string()]})),
            event("node_completed", 1, &json!({})),
            event("loop_exited", 1, &json!({"reason": "max_iterations"})),
            event("node_started", 2, &json!({})),
            event("check_evaluated", 2, &json!({"verdict": "pass"})),
            event("node_started", 3, &json!({})),
        ];
        let bytes = trace_archive(&opened(), &events, |wanted| {
            (*wanted == digest).then(|| png.to_vec())
        });
        let bytes = bytes.unwrap();
        let mut archive = tar::Archive::new(&*bytes);
        let mut files = std::collections::BTreeMap::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            let path = entry.path().unwrap().display().to_string();
            files.insert(path, content);
        }
        let folder = "fill_it_/2026-11-21_10-00-00_ABCDEFGHIJKL";
        let names: Vec<String> = files.keys().map(|path| path.replace(folder, "")).collect();
        let picture = format!("/look/artifacts/{digest}.png");
        assert_eq!(
            names,
            [
                "/events.jsonl",
                &picture,
                "/look/events.jsonl",
                "/look/run.json",
                "/look_2/events.jsonl",
                "/look_2/run.json",
                "/look_2/verdict.json",
                "/workflow.json",
            ]
        );
        let text =
            |name: &str| String::from_utf8_lossy(&files[&format!("{folder}{name}")]).into_owned();
        assert_eq!(
            text("/events.jsonl"),
            "{\"event_type\":\"loop_exited\",\"payload\":{\"node_id\":\"00000000-0000-0000-0000-000000000001\",\
         \"node_name\":\"Look\",\"reason\":\"max_iterations\"},\"timestamp\":\"2026-11-21T10:00:00.000Z\"}\n"
        );
        assert!(text("/look/run.json").contains("\"status\": \"Ok\""));
        assert!(text("/look_2/run.json").contains("\"status\": \"Stopped\""));
        assert!(text("/look_2/verdict.json").contains("\"pass\""));
    }

    #[test]
    fn a_name_that_is_taken_gets_the_next_number_that_is_free() {
        let mut folders = Folders::default();
        let names = ["a", "a", "a_2", "a", "b", "a_2"];
        let taken = names.map(|name| folders.take(name));
        assert_eq!(taken, ["a", "a_2", "a_2_2", "a_3", "b", "a_2_3"]);
    }

    #[test]
    fn many_nodes_of_one_name_take_no_longer_than_others() {
        let mut folders = Folders::default();
        for number in 1..=10_000_u32 {
            let folder = folders.take("a");
            assert!(number == 1 || folder == format!("a_{number}"));
        }
    }
}
