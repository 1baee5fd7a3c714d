//! The folder of a run as one file: a tar archive.

use std::rc::Rc;

use domain::Sha256Digest;
use engine::Opened;

use crate::stored::WorkflowEngine;

use super::folder::{TraceContent, TraceFile, files};

/// Returns the archive of a run with these events. `artifact` gives the bytes of a digest, where
/// the run has them. Returns `None` where the archive cannot be written.
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

/// Returns the ending of a file's name by what its bytes are, and not by what a server says.
fn ending(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "png",
        [0xff, 0xd8, ..] => "jpg",
        [b'R', b'I', b'F', b'F', ..] => "wav",
        _ => "bin",
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
}
