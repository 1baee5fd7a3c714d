//! The records of an investigation's run: its documents and its choices.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use domain::{Name, TypedPerson};
use engine::budget::Amount;
use engine::store::{CallRecord, CallState, Documents, Keys, RunMeta, calls_body};
use platform::events::timestamp;

use crate::machine::{CandidateRecord, Decision, Investigation, PersonRef};

/// The members of a run's last event that say what the run spent.
#[derive(Deserialize)]
pub struct LastEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    code: Option<String>,
    spent: SpentMembers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpentMembers {
    search_calls: u64,
    rekognition_calls: u64,
    usd: f64,
}

impl LastEvent {
    /// Returns what the run spent; `None` if the event does not end a run, or the run was interrupted.
    #[must_use]
    pub fn amount(&self) -> Option<Amount> {
        let is_whole = match self.kind.as_str() {
            "final" | "no_path" => true,
            "error" => self.code.as_deref() != Some("internal"),
            _ => false,
        };
        is_whole.then_some(Amount {
            searches: self.spent.search_calls,
            recognitions: self.spent.rekognition_calls,
            nano_usd: Amount::nano_usd_of(self.spent.usd),
        })
    }
}

/// Returns the documents of the run as it is now: first the plain documents, beginning with meta, then the path's
/// edges, then the candidates of each frontier. The calls are included only if `is_end`.
#[must_use]
pub fn documents(keys: &Keys, machine: &Investigation, meta: &RunMeta, is_end: bool) -> Documents {
    let knowledge = machine.knowledge();
    let path = machine.path_report();
    let mut bodies = vec![
        (keys.plain("meta"), meta_body(machine, meta)),
        (keys.plain("path"), json!({"path": path.people})),
        (keys.plain("graph"), json!({"graph": machine.graph()})),
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
        bodies.push((keys.plain("calls"), calls_body(&meta.calls)));
    }
    for edge in &path.edges {
        let key = keys.edge(&edge.from.name, &edge.to.name);
        bodies.push((key, json!({"edge": edge})));
    }
    let mut frontiers = Vec::new();
    for record in machine.candidate_records() {
        let frontier = unique_name(&mut frontiers, &record.frontier);
        let body = candidates_body(&frontier, &record.candidates);
        bodies.push((keys.candidates(&frontier), body));
    }
    Documents::new(bodies)
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
        "spent": machine.spent(),
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
        (
            "/capture",
            limits.captures_pages.then_some(Value::Bool(true)),
        ),
        (
            "/budgets/confirmCalls",
            (limits.confirm_searches_max > 0).then(|| limits.confirm_searches_max.into()),
        ),
        ("/since", limits.years.since.map(Value::from)),
        ("/until", limits.years.until.map(Value::from)),
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

/// Counts, for each kind of call, the answers reused from an earlier run.
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

fn candidates_body(frontier: &str, candidates: &[CandidateRecord]) -> Value {
    let mut names = Vec::new();
    let mut by_name = Map::new();
    for candidate in candidates {
        by_name.insert(
            unique_name(&mut names, &candidate.person),
            json!({
                "count": candidate.count,
                "bestConf": candidate.best_confidence,
                "evidenceRefs": candidate.evidence,
            }),
        );
    }
    json!({"frontier": frontier, "candidates": by_name})
}

/// Returns the person's name, followed by the id if another person has already taken the name.
fn unique_name(taken: &mut Vec<String>, person: &PersonRef) -> String {
    let name = if taken.contains(&person.name) {
        format!("{} ({})", person.name, person.id)
    } else {
        person.name.clone()
    };
    taken.push(name.clone());
    name
}

/// Returns every choice with its table and reason, as documents and sealed files show them.
#[must_use]
pub fn decisions_json(decisions: &[Decision]) -> Vec<Value> {
    decisions.iter().map(|decision| json!(decision)).collect()
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
