//! The investigation as an engine with stored forms.

use serde::{Deserialize, Serialize};

use crate::events::{WireEvent, interrupted_event, wire_event};
use crate::investigation::{Action, Command, CommandId, Input, Investigation, Outcome};
use crate::journal::engine::{Engine, OrderError};
use crate::kernel::Millis;
use crate::sorted::SortedMap;

use super::call_key::CallKey;
use super::inherited::inherited;
use super::order::Order;
use super::outcome_form::OutcomeForm;
use super::photo_sources::{PhotoSource, PhotoSources};

/// An investigation writes no notes: its calls are asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoNote {}

/// The search for a chain between two people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvestigationEngine;

impl Engine for InvestigationEngine {
    type Machine = Investigation;
    type Order = Order;
    type Action = Action;
    type Outcome = Outcome;
    type Key = CallKey;
    type OutcomeForm = OutcomeForm;
    type Note = NoNote;
    type Memory = PhotoSources;

    /// The answer to a search has a hundred kilobytes.
    const ENTRY_WEIGHT_MAX: usize = 1_000_000;
    const STOP_ENDS_CALLS: bool = true;

    fn begin(order: &Order) -> Result<Investigation, OrderError> {
        order.request().map(Investigation::new)
    }

    fn handle(machine: &mut Investigation, input: Input, now: Millis) {
        machine.handle(input, now);
    }

    fn next_event(
        machine: &mut Investigation,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = machine.next_notice()?;
        Some(wire_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_event(run, number, now, stored)
    }

    fn next_command(machine: &mut Investigation) -> Option<Command> {
        machine.next_command()
    }

    fn is_ended(machine: &Investigation) -> bool {
        machine.is_ended()
    }

    fn is_withdrawing(machine: &Investigation) -> bool {
        machine.is_withdrawing()
    }

    fn key(action: &Action, memory: &PhotoSources) -> CallKey {
        let digest = match action {
            Action::Recognise { fetched_by } => memory.photo(*fetched_by),
            _ => None,
        };
        CallKey::of(action, digest.map(PhotoSource::digest))
    }

    fn remember(memory: &mut PhotoSources, command: CommandId, action: Action, outcome: &Outcome) {
        memory.note(command, action, outcome);
    }

    fn form(outcome: &Outcome) -> OutcomeForm {
        OutcomeForm::of(outcome)
    }

    fn outcome(form: OutcomeForm) -> Option<Outcome> {
        form.read().ok()
    }

    fn is_success(form: &OutcomeForm) -> bool {
        form.is_success()
    }

    fn inherited(answers: &SortedMap<CallKey, Outcome>, key: &CallKey) -> Option<Outcome> {
        inherited(answers, key)
    }
}
