//! The investigation as an engine with stored forms.

use std::collections::BTreeMap;

use engine::{Machine, OrderError, Stored};
use kernel::Millis;

use crate::machine::{Action, Command, CommandId, Input, Investigation, Outcome};

use super::call_key::CallKey;
use super::inherited::inherited;
use super::note::InvestigationNote;
use super::order::Order;
use super::outcome_form::OutcomeForm;
use super::photo_sources::{PhotoSource, PhotoSources};

/// The search for a chain between two people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvestigationEngine;

impl Machine for InvestigationEngine {
    type State = Investigation;
    type Order = Order;
    type Action = Action;
    type Outcome = Outcome;

    const STOP_ENDS_CALLS: bool = true;

    fn begin(order: &Order) -> Result<Investigation, OrderError> {
        order.request().map(Investigation::new)
    }

    fn handle(state: &mut Investigation, input: Input, now: Millis) {
        state.handle(input, now);
    }

    fn next_command(state: &mut Investigation) -> Option<Command> {
        state.next_command()
    }

    fn is_ended(state: &Investigation) -> bool {
        state.is_ended()
    }

    fn is_withdrawing(state: &Investigation) -> bool {
        state.is_withdrawing()
    }
}

impl Stored for InvestigationEngine {
    type Key = CallKey;
    type OutcomeForm = OutcomeForm;
    type Note = InvestigationNote;
    type Memory = PhotoSources;

    const ORDER_TAG: Option<&'static str> = None;
    /// An answer to a search has about a hundred kilobytes.
    const ENTRY_WEIGHT_MAX: usize = 1_000_000;
    /// An order may have two people and twenty names to avoid, all escaped.
    const ORDER_BYTES_MAX: usize = 64 * 1024;

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

    fn inherited(answers: &BTreeMap<CallKey, Outcome>, key: &CallKey) -> Option<Outcome> {
        inherited(answers, key)
    }
}
