//! The record of a run, read back from its documents or, where there are none, from its events.

use serde_json::{Value, json};

use super::keys::Keys;

/// Makes the record of a run out of those of its documents that are stored by now. Returns `None`
/// where the meta document is not among them.
#[must_use]
pub fn record(run: &str, keys: &Keys, documents: &[(String, String)]) -> Option<Value> {
    let read = |key: &str| -> Option<Value> {
        let text = &documents.iter().find(|(name, _)| name == key)?.1;
        serde_json::from_str(text).ok()
    };
    let member = |suffix: &str, name: &str| {
        read(&keys.plain(suffix)).and_then(|mut document| Some(document.get_mut(name)?.take()))
    };
    let with_prefix = |kind: &str| -> Vec<Value> {
        let prefix = keys.plain(kind);
        documents
            .iter()
            .filter(|(name, _)| name.starts_with(&prefix))
            .filter_map(|(_, text)| serde_json::from_str(text).ok())
            .collect()
    };
    let mut meta = read(&keys.plain("meta"))?;
    let spent = meta.get_mut("spent").map(Value::take);
    if meta.get("engine").is_some() {
        let calls = member("calls", "calls").unwrap_or_else(|| json!([]));
        return Some(json!({"run": run, "meta": meta, "spent": spent, "calls": calls}));
    }
    let state = meta.get_mut("state").map(Value::take);
    let edges: Vec<Value> = with_prefix("edge:")
        .into_iter()
        .filter_map(|mut document| Some(document.get_mut("edge")?.take()))
        .collect();
    let path = member("path", "path").unwrap_or_else(|| json!([]));
    Some(json!({
        "run": run,
        "meta": meta,
        "state": state,
        "spent": spent,
        "edges": of_path(&edges, &path),
        "path": path,
        "graph": member("graph", "graph"),
        "candidates": with_prefix("candidates:"),
        "decisions": member("decisions", "decisions").unwrap_or_else(|| json!([])),
        "queries": member("seen:queries", "queries").unwrap_or_else(|| json!([])),
        "images": member("seen:images", "images").unwrap_or_else(|| json!([])),
        "calls": member("calls", "calls").unwrap_or_else(|| json!([])),
    }))
}

/// Changes the meta document of a run that was interrupted: it gets the last event's code and
/// spending. Returns `None` where the run has ended by itself, or the document cannot be read.
#[must_use]
pub fn interrupted_meta(meta: &str, event: &str) -> Option<String> {
    let mut meta: Value = serde_json::from_str(meta).ok()?;
    let event: Value = serde_json::from_str(event).ok()?;
    if meta.get("endedWith")?.is_string() {
        return None;
    }
    let sequence = meta.get("seq").and_then(Value::as_u64).unwrap_or_default();
    let members = meta.as_object_mut()?;
    members.insert("seq".into(), json!(sequence.saturating_add(1)));
    members.insert("endedWith".into(), event.get("type")?.clone());
    let because = event.get("reason").or(event.get("code"));
    members.insert("endedBecause".into(), because.cloned().unwrap_or_default());
    members.insert("spent".into(), event.get("spent")?.clone());
    Some(meta.to_string())
}

/// Returns what the latest event of a run tells of it, for when KV has no record yet or no longer
/// has one.
#[must_use]
pub fn outline(last_event: &Value, is_ended: bool) -> Value {
    let member = |name: &str| last_event.get(name).cloned().unwrap_or(Value::Null);
    let ended_with = if is_ended {
        member("type")
    } else {
        Value::Null
    };
    let because = match member("reason") {
        Value::Null => member("code"),
        reason => reason,
    };
    json!({
        "run": member("runId"),
        "meta": {"endedWith": ended_with, "endedBecause": because},
        "state": member("state"),
        "spent": member("spent"),
        "path": last_event.get("path").cloned().unwrap_or_else(|| json!([])),
        "edges": last_event.get("edges").cloned().unwrap_or_else(|| json!([])),
    })
}

/// Returns the edges of this path from A to B. KV lists keys by name, and also has the edges of
/// earlier paths.
fn of_path(edges: &[Value], path: &Value) -> Vec<Value> {
    let people = path.as_array().into_iter().flatten();
    let ids: Vec<&str> = people
        .filter_map(|person| person.get("id")?.as_str())
        .collect();
    let links = ids.iter().zip(ids.iter().skip(1));
    let edge_of = |(from, to): (&&str, &&str)| {
        let is_it = |edge: &&Value| {
            let end = |name| edge.get(name).and_then(Value::as_str);
            end("from") == Some(*from) && end("to") == Some(*to)
        };
        edges.iter().find(is_it).cloned()
    };
    links.filter_map(edge_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_run_says_so_in_its_meta_and_an_ended_one_stays_as_it_is() {
        let event = r#"{"type":"error","code":"internal","spent":{"searchCalls":2}}"#;
        let meta = r#"{"version":1,"seq":7,"endedWith":null,"endedBecause":null,"spent":{}}"#;
        let noted: Value = serde_json::from_str(&interrupted_meta(meta, event).unwrap()).unwrap();
        assert_eq!(noted["endedWith"], "error");
        assert_eq!(noted["endedBecause"], "internal");
        assert_eq!(noted["seq"], 8);
        assert_eq!(noted["spent"]["searchCalls"], 2);
        assert_eq!(interrupted_meta(r#"{"endedWith":"final"}"#, event), None);
        assert_eq!(interrupted_meta("no JSON", event), None);
    }

    #[test]
    fn a_record_has_the_edges_of_its_path_alone_and_in_its_order() {
        let keys = Keys::new("s1", "k");
        let edge = |from: &str, to: &str| {
            let text = json!({"edge": {"from": from, "to": to}}).to_string();
            (keys.edge(from, to), text)
        };
        let documents = [
            (keys.plain("meta"), "{}".to_owned()),
            (
                keys.plain("path"),
                r#"{"path":[{"id":"z"},{"id":"y"},{"id":"a"}]}"#.to_owned(),
            ),
            edge("y", "a"),
            edge("z", "b"),
            edge("z", "y"),
        ];
        let record = record("s1.k", &keys, &documents).unwrap();
        let expected = json!([{"from": "z", "to": "y"}, {"from": "y", "to": "a"}]);
        assert_eq!(record["edges"], expected);
    }

    #[test]
    fn an_outline_tells_what_the_last_event_tells() {
        let status = json!({"type": "status", "runId": "s1.k", "state": "S2", "spent": {"usd": 1}});
        let running = outline(&status, false);
        assert_eq!(running["state"], "S2");
        assert_eq!(running["meta"]["endedWith"], Value::Null);
        let ended = outline(&json!({"type": "no_path", "reason": "stopped"}), true);
        assert_eq!(ended["meta"]["endedWith"], "no_path");
        assert_eq!(ended["meta"]["endedBecause"], "stopped");
    }
}
