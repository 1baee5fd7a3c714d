//! The record of a workflow's run: the workflow engine's own part of what every engine gives.

use serde_json::Value;

use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta};
use engine::{OrderSummary, Recorded};

use crate::machine::graph::ChildKind;
use crate::machine::{Outcome, WorkflowRun};
use crate::stored::{WorkflowEngine, WorkflowKey, WorkflowOrder};

use super::documents::documents;

/// The choice of a workflow's run. It has no values, since the choices of a workflow are its events.
#[derive(Debug, Clone, Copy)]
pub enum NoDecision {}

impl Recorded for WorkflowEngine {
    type Decision = NoDecision;

    fn documents(keys: &Keys, state: &WorkflowRun, meta: &RunMeta, is_end: bool) -> Documents {
        documents(keys, state, meta, is_end)
    }

    fn paid_call(key: &WorkflowKey) -> Option<(&'static str, &str)> {
        match key {
            WorkflowKey::Chat { sha256, .. } => Some(("chat", sha256)),
            WorkflowKey::Investigate { sha256, .. } => Some((ChildKind::Chain.as_str(), sha256)),
            WorkflowKey::Automate { sha256 } => Some((ChildKind::Automate.as_str(), sha256)),
            WorkflowKey::Tool { .. } | WorkflowKey::Tools { .. } | WorkflowKey::Wait { .. } => None,
        }
    }

    fn is_answered(outcome: &Outcome) -> bool {
        matches!(
            outcome,
            Outcome::Called(Ok(_))
                | Outcome::Listed(Ok(_))
                | Outcome::Chatted(Ok(_))
                | Outcome::Investigated(Ok(_))
                | Outcome::Automated(Ok(_))
                | Outcome::Waited
        )
    }

    fn runtime_ms_max(state: &WorkflowRun) -> u64 {
        state.runtime_ms_max()
    }

    /// Returns 10: an input leads to a few nodes, and a loop without calls is bounded by the order's own
    /// steps.
    fn steps(_state: &WorkflowRun) -> u64 {
        10
    }

    fn summary(order: &WorkflowOrder) -> OrderSummary {
        let name = order.workflow().get("name").and_then(Value::as_str);
        OrderSummary {
            plan: "workflow",
            named: name
                .map(|name| ("workflow", name.to_owned()))
                .into_iter()
                .collect(),
        }
    }

    fn spent(last_event: &str) -> Option<Amount> {
        let event: Value = serde_json::from_str(last_event).ok()?;
        let usd = event.pointer("/payload/spent/usd")?.as_f64()?;
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: Amount::nano_usd_of(usd),
        })
    }
}
