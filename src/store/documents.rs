//! The stored forms. Each value carries a version and a sequence number, so that an old copy shows.

use serde_json::{Map, Value, json};

use crate::events::{EdgeJson, GraphJson, SpentJson, timestamp};
use crate::investigation::{CandidateRecord, Decision, Investigation, PersonRef};
use crate::kernel::Millis;

use super::keys::Keys;

/// The version of all stored forms.
pub const DOCUMENT_VERSION: u32 = 1;

/// What the session knows of a run beside the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunMeta {
    /// When it began.
    pub started: Millis,
    /// When its documents expire at the earliest.
    pub expires: Millis,
    /// The type of its last event, once there is one.
    pub ended_with: Option<&'static str>,
    /// For `no_path` its reason, for `error` its code.
    pub ended_because: Option<String>,
}

/// A run's documents by key, as they stand.
#[derive(Debug, Clone)]
pub struct Documents {
    pub(super) bodies: Vec<(String, Value)>,
}

impl Documents {
    /// Of a machine: the plain documents first, meta before all, then the path's edges, then the candidates of
    /// each frontier but the one that is still looked at.
    #[must_use]
    pub fn new(keys: &Keys, machine: &Investigation, meta: &RunMeta) -> Self {
        let knowledge = machine.knowledge();
        let path = machine.path_report();
        let mut bodies = vec![
            (keys.plain("meta"), meta_body(machine, meta)),
            (
                keys.plain("path"),
                json!({"path": path.people.iter().map(person).collect::<Vec<_>>()}),
            ),
            (
                keys.plain("graph"),
                json!({"graph": value(&GraphJson::new(&machine.graph()))}),
            ),
            (keys.plain("decisions"), decisions_body(machine.decisions())),
            (
                keys.plain("seen:queries"),
                json!({"queries": knowledge.queries()}),
            ),
            (
                keys.plain("seen:images"),
                json!({"images": knowledge.image_urls().collect::<Vec<_>>()}),
            ),
        ];
        for edge in &path.edges {
            let key = keys.edge(&edge.from.name, &edge.to.name);
            bodies.push((key, json!({"edge": value(&EdgeJson::new(edge))})));
        }
        let mut frontiers = Vec::new();
        for record in machine.candidate_records() {
            let frontier = unique_name(&mut frontiers, &record.frontier);
            let body = candidates_body(&frontier, &record.candidates);
            bodies.push((keys.candidates(&frontier), body));
        }
        Self { bodies }
    }

    /// The key of the document that tells whether the run has ended.
    pub(super) fn meta_key(&self) -> &str {
        self.bodies.first().map_or("", |(key, _)| key)
    }

    /// The text that is stored.
    pub(super) fn stored(body: Value, sequence: u32) -> String {
        let mut document = json!({"version": DOCUMENT_VERSION, "seq": sequence});
        if let (Some(document), Value::Object(body)) = (document.as_object_mut(), body) {
            document.extend(body);
        }
        document.to_string()
    }
}

fn value<T: serde::Serialize>(body: &T) -> Value {
    // These shapes have string keys and finite numbers: writing them cannot fail.
    serde_json::to_value(body).unwrap_or(Value::Null)
}

fn person(person: &PersonRef) -> Value {
    json!({"id": person.id, "name": person.name})
}

fn meta_body(machine: &Investigation, meta: &RunMeta) -> Value {
    let request = machine.request();
    let limits = &request.limits;
    let avoid: Vec<&str> = request
        .avoid
        .iter()
        .map(crate::domain::Name::as_str)
        .collect();
    json!({
        "personA": request.person_a.as_str(),
        "personB": request.person_b.as_str(),
        "avoid": avoid,
        "plan": limits.plan.as_str(),
        "startedAt": timestamp(meta.started),
        "expiresAt": timestamp(meta.expires),
        "hopLimit": limits.hops,
        "threshold": limits.threshold_percent,
        "imagesPerQuery": limits.images_per_search,
        "budgets": {
            "searchCalls": limits.searches_max,
            "rekognitionCalls": limits.recognitions_max,
            "llmCalls": limits.planner_calls_max,
            "runtimeMs": limits.runtime_ms_max,
        },
        "state": machine.state_name().as_str(),
        "spent": value(&SpentJson::new(&machine.spent())),
        "endedWith": meta.ended_with,
        "endedBecause": meta.ended_because,
    })
}

fn decisions_body(decisions: &[Decision]) -> Value {
    let decisions: Vec<Value> = decisions
        .iter()
        .map(|decision| {
            let table: Vec<Value> = decision
                .table
                .iter()
                .map(|row| {
                    json!({
                        "number": row.number,
                        "name": row.name,
                        "count": row.count,
                        "bestConfidence": row.best_confidence,
                        "side": row.side.as_str(),
                    })
                })
                .collect();
            json!({
                "state": decision.state.as_str(),
                "frontier": decision.frontier,
                "table": table,
                "chosen": decision.chosen,
                "reason": decision.reason,
            })
        })
        .collect();
    json!({"decisions": decisions})
}

fn candidates_body(frontier: &str, candidates: &[CandidateRecord]) -> Value {
    let mut names = Vec::new();
    let mut by_name = Map::new();
    for candidate in candidates {
        let evidence: Vec<String> = candidate.evidence.iter().map(ToString::to_string).collect();
        by_name.insert(
            unique_name(&mut names, &candidate.person),
            json!({
                "count": candidate.count,
                "bestConf": candidate.best_confidence,
                "evidenceRefs": evidence,
            }),
        );
    }
    json!({"frontier": frontier, "candidates": by_name})
}

/// The name, or for a namesake of somebody before the name and the id.
fn unique_name(taken: &mut Vec<String>, person: &PersonRef) -> String {
    let name = if taken.contains(&person.name) {
        format!("{} ({})", person.name, person.id)
    } else {
        person.name.clone()
    };
    taken.push(name.clone());
    name
}

/// The record of a run out of its stored documents, whatever of them is there yet. None without
/// its meta document.
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
        "edges": in_path_order(edges, &path),
        "path": path,
        "graph": member("graph", "graph"),
        "candidates": with_prefix("candidates:"),
        "decisions": member("decisions", "decisions").unwrap_or_else(|| json!([])),
        "queries": member("seen:queries", "queries").unwrap_or_else(|| json!([])),
        "images": member("seen:images", "images").unwrap_or_else(|| json!([])),
    }))
}

/// The meta document of a run that was interrupted, with its last event's code and spending. None
/// where it has ended by itself, or cannot be read.
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
    members.insert("endedBecause".into(), event.get("code")?.clone());
    members.insert("spent".into(), event.get("spent")?.clone());
    Some(meta.to_string())
}

/// What a run's last event so far tells of it, where KV has no record yet or any more.
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

/// KV lists keys by name; people read a path from A to B.
fn in_path_order(mut edges: Vec<Value>, path: &Value) -> Vec<Value> {
    let ids: Vec<&str> = path
        .as_array()
        .map(|people| {
            people
                .iter()
                .filter_map(|person| person.get("id")?.as_str())
                .collect()
        })
        .unwrap_or_default();
    edges.sort_by_key(|edge| {
        let from = edge.get("from").and_then(Value::as_str).unwrap_or_default();
        ids.iter().position(|id| *id == from)
    });
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namesakes_keep_a_name_of_their_own() {
        let person = |id: &str| PersonRef {
            id: id.into(),
            name: "John Thornton".into(),
        };
        let mut taken = Vec::new();
        assert_eq!(unique_name(&mut taken, &person("c1")), "John Thornton");
        assert_eq!(unique_name(&mut taken, &person("c2")), "John Thornton (c2)");
    }

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
