//! The stored forms. Each value carries a version and a sequence number, so that an old copy shows.

use serde_json::{Map, Value, json};

use crate::domain::{Name, TypedPerson};
use crate::events::{EdgeJson, GraphJson, SpentJson, timestamp, workflow_spent};
use crate::investigation::{CandidateRecord, Decision, Investigation, PersonRef};
use crate::kernel::Millis;
use crate::sorted;
use crate::workflow::WorkflowRun;

use super::keys::Keys;

/// The version of all stored forms.
pub const DOCUMENT_VERSION: u32 = 1;

/// What became of a paid call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// Its provider answered, and was paid.
    Answered,
    /// Its answer was one of the run that this one was forked from: not paid for again.
    Reused,
    /// No attempt got what was asked for.
    Failed,
    /// Its answer was lost when the server was interrupted; it counts as paid.
    Lost,
    /// Ended before its answer came, since the run had its end; it counts as paid.
    Withdrawn,
}

impl CallState {
    /// As the stored document spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Reused => "reused",
            Self::Failed => "failed",
            Self::Lost => "lost",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A call that costs money, as the record tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The number of the command that it carried out.
    pub command: u32,
    /// `search`, `recognition` or `plan`.
    pub kind: &'static str,
    /// The query, or the SHA-256 of the photo or the planner's question.
    pub key: String,
    /// The id of who answered, or was asked last, where it is known.
    pub provider: Option<String>,
    /// How many attempts were sent, or may have been.
    pub attempts: u32,
    /// Whether it was answered, or why not.
    pub state: CallState,
}

/// What the session knows of a run beside the machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunMeta {
    /// When the machine was started.
    pub started: Millis,
    /// When its documents expire at the earliest.
    pub expires: Millis,
    /// The type of its last event, once there is one.
    pub ended_with: Option<&'static str>,
    /// For `no_path` its reason, for `error` its code.
    pub ended_because: Option<String>,
    /// The run whose answers are used again.
    pub forked_from: Option<String>,
    /// Every call that costs money.
    pub calls: Vec<CallRecord>,
}

/// A run's documents by key, as they stand.
#[derive(Debug, Clone)]
pub struct Documents {
    pub(super) bodies: Vec<(String, Value)>,
}

impl Documents {
    /// Of a machine: the plain documents first, meta before all and the calls only at the end,
    /// then the path's edges, then the candidates of each frontier.
    #[must_use]
    pub fn new(keys: &Keys, machine: &Investigation, meta: &RunMeta, is_end: bool) -> Self {
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
            (
                keys.plain("decisions"),
                json!({"decisions": decisions_json(machine.decisions())}),
            ),
            (
                keys.plain("seen:queries"),
                json!({"queries": knowledge.queries()}),
            ),
            (
                keys.plain("seen:images"),
                json!({"images": knowledge.image_urls().collect::<Vec<_>>()}),
            ),
        ];
        if is_end {
            bodies.push((keys.plain("calls"), calls_body(&sorted(&meta.calls))));
        }
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

    /// Of a workflow's machine: meta, and the calls at the end. What the run did is in its events.
    #[must_use]
    pub fn of_workflow(keys: &Keys, machine: &WorkflowRun, meta: &RunMeta, is_end: bool) -> Self {
        let mut bodies = vec![(keys.plain("meta"), workflow_meta(machine, meta))];
        if is_end {
            bodies.push((keys.plain("calls"), calls_body(&sorted(&meta.calls))));
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
    let avoid: Vec<&str> = request.avoid.iter().map(Name::as_str).collect();
    let mut body = json!({
        "personA": request.person_a.as_str(),
        "personB": request.person_b.as_str(),
        "avoid": avoid,
        "plan": limits.plan.as_str(),
        "pace": limits.pace.as_str(),
        "startedAt": timestamp(meta.started),
        "expiresAt": timestamp(meta.expires),
        "hopLimit": limits.hops,
        "threshold": limits.threshold_percent,
        "imagesPerQuery": limits.images_per_search,
        "budgets": {
            "searchCalls": limits.searches_max,
            "polishCalls": limits.polish_searches_max,
            "rekognitionCalls": limits.recognitions_max,
            "llmCalls": limits.planner_calls_max,
            "runtimeMs": limits.runtime_ms_max,
        },
        "state": machine.state_name().as_str(),
        "spent": value(&SpentJson::new(&machine.spent())),
        "endedWith": meta.ended_with,
        "endedBecause": meta.ended_because,
        "forkedFrom": meta.forked_from,
        "reused": meta.forked_from.as_ref().map(|_| reused_body(&meta.calls)),
    });
    let number = |person: &TypedPerson| {
        person
            .wikidata
            .as_ref()
            .map(|number| json!(number.as_str()))
    };
    let optional = [
        ("/wikidataA", number(&request.person_a)),
        ("/wikidataB", number(&request.person_b)),
        (
            "/budgets/usd",
            limits
                .nano_usd_max
                .map(|nano_usd| json!(nano_usd as f64 / 1e9)),
        ),
    ];
    for (pointer, value) in optional {
        let (parent, member) = pointer.rsplit_once('/').unwrap_or_default();
        if let (Some(value), Some(Value::Object(members))) = (value, body.pointer_mut(parent)) {
            members.insert(member.to_owned(), value);
        }
    }
    body
}

fn sorted(calls: &[CallRecord]) -> Vec<CallRecord> {
    let mut calls = calls.to_vec();
    sorted::sort_by_key(&mut calls, |call| call.command);
    calls
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

/// How many answers of each kind were those of an earlier run.
fn reused_body(calls: &[CallRecord]) -> Value {
    let reused = |kind: &str| {
        let calls = calls.iter().filter(|call| call.kind == kind);
        calls.filter(|call| call.state == CallState::Reused).count()
    };
    json!({
        "searchCalls": reused("search"),
        "rekognitionCalls": reused("recognition"),
        "llmCalls": reused("plan"),
    })
}

fn calls_body(calls: &[CallRecord]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|call| {
            let mut row = json!({
                "command": call.command,
                "kind": call.kind,
                "key": call.key,
                "attempts": call.attempts,
                "state": call.state.as_str(),
            });
            if let (Some(provider), Some(members)) = (&call.provider, row.as_object_mut()) {
                members.insert("provider".into(), provider.as_str().into());
            }
            row
        })
        .collect();
    json!({"calls": calls})
}

/// Every choice with its table and reason, as documents and sealed files show them.
#[must_use]
pub fn decisions_json(decisions: &[Decision]) -> Vec<Value> {
    decisions
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
        .collect()
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
}
