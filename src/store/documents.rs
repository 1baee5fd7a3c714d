//! The stored forms. Each value carries a version and a sequence number, so that an old copy shows.

use serde_json::{Map, Value, json};

use crate::events::{EdgeJson, GraphJson, SpentJson, timestamp};
use crate::investigation::{CandidateRecord, Decision, Investigation};
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
    /// Of a machine: the plain documents first, then the path's edges, then the candidates of
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
        for (frontier, candidates) in machine.candidate_records() {
            let body = candidates_body(&frontier, &candidates);
            bodies.push((keys.candidates(&frontier), body));
        }
        Self { bodies }
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

fn person(person: &crate::investigation::PersonRef) -> Value {
    json!({"id": person.id, "name": person.name})
}

fn meta_body(machine: &Investigation, meta: &RunMeta) -> Value {
    let request = machine.request();
    let limits = &request.limits;
    let plan = match limits.plan {
        crate::domain::Plan::OneSided => "one-sided",
        crate::domain::Plan::BothEnds => "both-ends",
    };
    let avoid: Vec<&str> = request
        .avoid
        .iter()
        .map(crate::domain::Name::as_str)
        .collect();
    json!({
        "personA": request.person_a.as_str(),
        "personB": request.person_b.as_str(),
        "avoid": avoid,
        "plan": plan,
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
                        "side": match row.side {
                            crate::domain::Side::A => "a",
                            crate::domain::Side::B => "b",
                        },
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
    let mut by_name = Map::new();
    for candidate in candidates {
        let evidence: Vec<String> = candidate.evidence.iter().map(ToString::to_string).collect();
        by_name.insert(
            candidate.name.clone(),
            json!({
                "count": candidate.count,
                "bestConf": candidate.best_confidence,
                "evidenceRefs": evidence,
            }),
        );
    }
    json!({"frontier": frontier, "candidates": by_name})
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
