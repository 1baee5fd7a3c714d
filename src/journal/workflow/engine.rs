//! The workflow as an engine with stored forms.

use crate::events::{WireEvent, interrupted_workflow, workflow_event};
use crate::journal::engine::{Engine, OrderError};
use crate::kernel::{CommandId, Millis};
use crate::sorted::SortedMap;
use crate::workflow::graph::WORKFLOW_WEIGHT_MAX;
use crate::workflow::{Action, Command, Input, Outcome, WorkflowRun};

use super::key::{AnsweredCalls, WorkflowKey};
use super::note::WorkflowNote;
use super::order::WorkflowOrder;
use super::outcome_form::WorkflowOutcomeForm;

/// A graph whose nodes call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkflowEngine;

impl Engine for WorkflowEngine {
    type Machine = WorkflowRun;
    type Order = WorkflowOrder;
    type Action = Action;
    type Outcome = Outcome;
    type Key = WorkflowKey;
    type OutcomeForm = WorkflowOutcomeForm;
    type Note = WorkflowNote;
    type Memory = AnsweredCalls;

    /// The first entry holds the whole workflow.
    const ENTRY_WEIGHT_MAX: usize = WORKFLOW_WEIGHT_MAX + 1_000_000;
    /// What a tool was asked to do is done, and its answer counts.
    const STOP_ENDS_CALLS: bool = false;

    fn begin(order: &WorkflowOrder) -> Result<WorkflowRun, OrderError> {
        WorkflowRun::new(order.order()?)
            .map_err(|finding| OrderError::Together(finding.to_string()))
    }

    fn handle(machine: &mut WorkflowRun, input: Input, now: Millis) {
        machine.handle(input, now);
    }

    fn next_event(
        machine: &mut WorkflowRun,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = machine.next_notice()?;
        Some(workflow_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        _stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_workflow(run, number, now)
    }

    fn next_command(machine: &mut WorkflowRun) -> Option<Command> {
        machine.next_command()
    }

    fn is_ended(machine: &WorkflowRun) -> bool {
        machine.is_ended()
    }

    /// It ends when nothing is under way.
    fn is_withdrawing(_machine: &WorkflowRun) -> bool {
        false
    }

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

    fn inherited(answers: &SortedMap<WorkflowKey, Outcome>, key: &WorkflowKey) -> Option<Outcome> {
        answers.get(key).cloned()
    }
}
