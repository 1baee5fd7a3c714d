//! What a sealed file needs of an engine beside what the journal needs.

use serde_json::Value;

use crate::investigation::{Decision, Investigation};
use crate::journal::{Engine, InvestigationEngine, WorkflowEngine};
use crate::store::decisions_json;
use crate::workflow::WorkflowRun;
use crate::workflow::graph::WORKFLOW_BYTES_MAX;

/// An engine whose runs are sealed.
pub(super) trait SealedEngine: Engine {
    /// A choice that a file shows with its reason.
    type Decision;

    /// The longest question, in bytes of JSON.
    const ORDER_BYTES_MAX: usize;

    /// Every choice so far.
    fn decisions(machine: &Self::Machine) -> &[Self::Decision];

    /// The JSON of some choices.
    fn decisions_json(decisions: &[Self::Decision]) -> Vec<Value>;

    /// What the machine may look at in one step.
    fn steps(machine: &Self::Machine) -> u64;
}

impl SealedEngine for InvestigationEngine {
    type Decision = Decision;

    /// Two people and twenty names to avoid, all escaped.
    const ORDER_BYTES_MAX: usize = 64 * 1024;

    fn decisions(machine: &Investigation) -> &[Decision] {
        machine.decisions()
    }

    fn decisions_json(decisions: &[Decision]) -> Vec<Value> {
        decisions_json(decisions)
    }

    /// Everybody and every edge.
    fn steps(machine: &Investigation) -> u64 {
        let knowledge = machine.knowledge();
        let (people, _) = knowledge.people().iter().size_hint();
        let (edges, _) = knowledge.together().edges().size_hint();
        u64::try_from(people.saturating_add(edges)).unwrap_or(u64::MAX)
    }
}

/// A workflow's choices are its events.
pub(super) enum NoDecision {}

impl SealedEngine for WorkflowEngine {
    type Decision = NoDecision;

    /// The whole workflow, and its limits.
    const ORDER_BYTES_MAX: usize = WORKFLOW_BYTES_MAX + 64 * 1024;

    fn decisions(_machine: &WorkflowRun) -> &[NoDecision] {
        &[]
    }

    fn decisions_json(_decisions: &[NoDecision]) -> Vec<Value> {
        Vec::new()
    }

    /// An input leads to a few nodes; a loop without calls is bounded by the order's own steps.
    fn steps(_machine: &WorkflowRun) -> u64 {
        10
    }
}
