//! The records of an investigation's run, as every engine gives its own.

use serde::Deserialize;
use serde_json::Value;

use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta};
use engine::{OrderSummary, Recorded};

use crate::machine::{Decision, Investigation, Outcome};
use crate::stored::{CallKey, InvestigationEngine, Order, is_success};

use super::decisions::decisions_json;
use super::documents::documents;

impl Recorded for InvestigationEngine {
    type Decision = Decision;

    fn documents(keys: &Keys, state: &Investigation, meta: &RunMeta, is_end: bool) -> Documents {
        documents(keys, state, meta, is_end)
    }

    fn paid_call(key: &CallKey) -> Option<(&'static str, &str)> {
        key.paid_call()
    }

    fn is_answered(outcome: &Outcome) -> bool {
        is_success(outcome)
    }

    fn runtime_ms_max(state: &Investigation) -> u64 {
        state.request().limits.runtime_ms_max
    }

    fn decisions(state: &Investigation) -> &[Decision] {
        state.decisions()
    }

    fn decisions_json(decisions: &[Decision]) -> Vec<Value> {
        decisions_json(decisions)
    }

    /// Returns the number of people and edges that are known.
    fn steps(state: &Investigation) -> u64 {
        let knowledge = state.knowledge();
        let (people, _) = knowledge.people().iter().size_hint();
        let (edges, _) = knowledge.together().edges().size_hint();
        u64::try_from(people.saturating_add(edges)).unwrap_or(u64::MAX)
    }

    fn summary(order: &Order) -> OrderSummary {
        match order.request() {
            Ok(request) => OrderSummary {
                plan: request.limits.plan.as_str(),
                named: vec![
                    ("personA", request.person_a.as_str().to_owned()),
                    ("personB", request.person_b.as_str().to_owned()),
                ],
            },
            Err(_) => OrderSummary {
                plan: "unknown",
                named: Vec::new(),
            },
        }
    }

    /// Returns what a run has spent by its last event, where it ended by itself. That event counts
    /// every attempt that was sent, lost ones too.
    fn spent(last_event: &str) -> Option<Amount> {
        serde_json::from_str::<LastEvent>(last_event).ok()?.amount()
    }

    /// Returns whether the attempt was sent. Number 0 is a photo that is fetched again.
    fn may_cost(attempt: u32, _nano_usd: u64) -> bool {
        attempt > 0
    }
}

/// The members of a run's last event that tell what it has spent.
#[derive(Deserialize)]
struct LastEvent {
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
    /// Returns `None` where the event is not the last of a run that ended by itself.
    fn amount(&self) -> Option<Amount> {
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
