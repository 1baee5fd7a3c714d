//! The workflow as an engine with stored forms.

use engine::{Machine, OrderError, Stored};
use kernel::{CommandId, Millis};
use platform::events::WireEvent;

use crate::machine::graph::{WORKFLOW_BYTES_MAX, WORKFLOW_WEIGHT_MAX};
use crate::machine::{Action, Command, Input, Outcome, WorkflowRun};

use super::key::{AnsweredCalls, WorkflowKey};
use super::note::WorkflowNote;
use super::order::{WORKFLOW_ENGINE, WorkflowOrder};
use super::outcome_form::WorkflowOutcomeForm;

/// A graph whose nodes call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkflowEngine;

impl Machine for WorkflowEngine {
    type State = WorkflowRun;
    type Order = WorkflowOrder;
    type Action = Action;
    type Outcome = Outcome;

    /// Says that a stop ends no call: what a tool was asked to do is done, and its answer counts.
    const STOP_ENDS_CALLS: bool = false;

    fn begin(order: &WorkflowOrder) -> Result<WorkflowRun, OrderError> {
        WorkflowRun::new(order.order()?)
            .map_err(|finding| OrderError::Together(finding.to_string()))
    }

    fn handle(state: &mut WorkflowRun, input: Input, now: Millis) {
        state.handle(input, now);
    }

    fn next_command(state: &mut WorkflowRun) -> Option<Command> {
        state.next_command()
    }

    fn is_ended(state: &WorkflowRun) -> bool {
        state.is_ended()
    }
}

impl Stored for WorkflowEngine {
    type Key = WorkflowKey;
    type OutcomeForm = WorkflowOutcomeForm;
    type Note = WorkflowNote;
    type Memory = AnsweredCalls;

    const ORDER_TAG: Option<&'static str> = Some(WORKFLOW_ENGINE);
    const BEGINS_RUNS: bool = true;
    /// The weight of a journal's longest entry, the first one, which holds the whole workflow.
    const ENTRY_WEIGHT_MAX: usize = WORKFLOW_WEIGHT_MAX + 1_000_000;
    /// The length of the longest order, which holds the whole workflow and its limits.
    const ORDER_BYTES_MAX: usize = WORKFLOW_BYTES_MAX + 64 * 1024;

    fn key(action: &Action, memory: &AnsweredCalls) -> WorkflowKey {
        memory.key(action)
    }

    fn remember(
        memory: &mut AnsweredCalls,
        _command: CommandId,
        action: Action,
        _outcome: &Outcome,
    ) {
        memory.note(&action);
    }

    fn form(outcome: &Outcome) -> WorkflowOutcomeForm {
        WorkflowOutcomeForm::of(outcome)
    }

    fn outcome(form: WorkflowOutcomeForm) -> Option<Outcome> {
        form.read()
    }

    fn is_success(form: &WorkflowOutcomeForm) -> bool {
        form.is_success()
    }

    /// Returns whether the event is the first of a visit to the node with this id.
    fn reaches(event: &WireEvent, node: &str) -> bool {
        let is_visit = matches!(
            event.kind,
            "node_started" | "node_evaluated" | "node_skipped"
        );
        is_visit && event.json.contains(&format!("\"nodeId\":\"{node}\""))
    }

    fn child_begun(note: &WorkflowNote) -> Option<&str> {
        match note {
            WorkflowNote::Child { run, .. } => Some(run),
            WorkflowNote::Connected { .. } | WorkflowNote::Heard { .. } => None,
        }
    }

    fn is_child(key: &WorkflowKey) -> bool {
        matches!(
            key,
            WorkflowKey::Investigate { .. } | WorkflowKey::Automate { .. }
        )
    }
}
