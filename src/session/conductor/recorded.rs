//! What a run's record needs of its engine.

use crate::investigation::{Investigation, Outcome};
use crate::journal::{
    CallKey, Engine, InvestigationEngine, WorkflowEngine, WorkflowKey, is_success,
};
use crate::store::{Documents, Keys, RunMeta};
use crate::workflow;

/// An engine whose runs have a record.
pub(super) trait Recorded: Engine {
    /// The documents of a run as it is.
    fn documents(keys: &Keys, machine: &Self::Machine, meta: &RunMeta, is_end: bool) -> Documents;

    /// Which kind of provider a call is paid to, and what it is about; none where nobody is paid.
    fn paid_call(key: &Self::Key) -> Option<(&'static str, &str)>;

    /// Whether the provider gave what it was asked for.
    fn is_answered(outcome: &Self::Outcome) -> bool;

    /// How long a run may take, in milliseconds.
    fn runtime_ms_max(machine: &Self::Machine) -> u64;
}

impl Recorded for InvestigationEngine {
    fn documents(keys: &Keys, machine: &Investigation, meta: &RunMeta, is_end: bool) -> Documents {
        Documents::new(keys, machine, meta, is_end)
    }

    fn paid_call(key: &CallKey) -> Option<(&'static str, &str)> {
        key.paid_call()
    }

    fn is_answered(outcome: &Outcome) -> bool {
        is_success(outcome)
    }

    fn runtime_ms_max(machine: &Investigation) -> u64 {
        machine.request().limits.runtime_ms_max
    }
}

impl Recorded for WorkflowEngine {
    fn documents(
        keys: &Keys,
        machine: &workflow::WorkflowRun,
        meta: &RunMeta,
        is_end: bool,
    ) -> Documents {
        Documents::of_workflow(keys, machine, meta, is_end)
    }

    fn paid_call(key: &WorkflowKey) -> Option<(&'static str, &str)> {
        match key {
            WorkflowKey::Chat { sha256, .. } => Some(("chat", sha256)),
            WorkflowKey::Investigate { sha256, .. } => Some(("investigation", sha256)),
            WorkflowKey::Tool { .. } | WorkflowKey::Tools { .. } | WorkflowKey::Wait { .. } => None,
        }
    }

    fn is_answered(outcome: &workflow::Outcome) -> bool {
        use workflow::Outcome;
        matches!(
            outcome,
            Outcome::Called(Ok(_))
                | Outcome::Listed(Ok(_))
                | Outcome::Chatted(Ok(_))
                | Outcome::Investigated(Ok(_))
                | Outcome::Waited
        )
    }

    fn runtime_ms_max(machine: &workflow::WorkflowRun) -> u64 {
        machine.runtime_ms_max()
    }
}
