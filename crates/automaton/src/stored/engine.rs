//! The automaton as an engine with stored forms.

use std::collections::BTreeMap;

use engine::{Machine, OrderError, Stored};
use kernel::{CommandId, Millis};
use platform::events::WireEvent;

use crate::machine::{Action, AutomatonRun, Command, Input, Outcome};

use super::key::{AnsweredQuestions, AutomatonKey};
use super::note::AutomatonNote;
use super::order::{AUTOMATON_ENGINE, AutomatonOrder, ORDER_BYTES_MAX};
use super::outcome_form::AutomatonOutcomeForm;

/// A finite-state machine that drives a real browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutomatonEngine;

impl Machine for AutomatonEngine {
    type State = AutomatonRun;
    type Order = AutomatonOrder;
    type Action = Action;
    type Outcome = Outcome;

    /// Says that a stop ends the call under way. An action that may have been carried out is told.
    const STOP_ENDS_CALLS: bool = true;

    fn begin(order: &AutomatonOrder) -> Result<AutomatonRun, OrderError> {
        AutomatonRun::new(order.order()?)
            .map_err(|finding| OrderError::Together(finding.to_string()))
    }

    fn handle(state: &mut AutomatonRun, input: Input, now: Millis) {
        state.handle(input, now);
    }

    fn next_command(state: &mut AutomatonRun) -> Option<Command> {
        state.next_command()
    }

    fn is_ended(state: &AutomatonRun) -> bool {
        state.is_ended()
    }
}

impl Stored for AutomatonEngine {
    type Key = AutomatonKey;
    type OutcomeForm = AutomatonOutcomeForm;
    type Note = AutomatonNote;
    type Memory = AnsweredQuestions;

    const BEGINS_RUNS: bool = true;
    const ORDER_TAG: Option<&'static str> = Some(AUTOMATON_ENGINE);
    /// The weight of a journal's longest entry: a look at a large page, or the first entry with the whole
    /// automaton.
    const ENTRY_WEIGHT_MAX: usize = 24_000_000;
    const ORDER_BYTES_MAX: usize = ORDER_BYTES_MAX;

    fn key(action: &Action, memory: &AnsweredQuestions) -> AutomatonKey {
        memory.key(action)
    }

    fn remember(
        memory: &mut AnsweredQuestions,
        _command: CommandId,
        action: Action,
        _outcome: &Outcome,
    ) {
        memory.note(&action);
    }

    fn form(outcome: &Outcome) -> AutomatonOutcomeForm {
        AutomatonOutcomeForm::of(outcome)
    }

    fn outcome(form: AutomatonOutcomeForm) -> Option<Outcome> {
        form.read()
    }

    fn is_success(form: &AutomatonOutcomeForm) -> bool {
        form.is_success()
    }

    /// Returns the answer of an earlier run to a question to a model. What an earlier run saw and did is seen
    /// and done anew: its page is another one.
    fn inherited(answers: &BTreeMap<AutomatonKey, Outcome>, key: &AutomatonKey) -> Option<Outcome> {
        let is_question = matches!(key, AutomatonKey::Ask { .. });
        answers.get(key).filter(|_| is_question).cloned()
    }

    fn child_begun(note: &AutomatonNote) -> Option<&str> {
        match note {
            AutomatonNote::Child { run, .. } => Some(run),
            _ => None,
        }
    }

    fn is_child(key: &AutomatonKey) -> bool {
        matches!(key, AutomatonKey::Investigate { .. })
    }

    /// Returns whether the event tells that the state at this position, from 0, is entered.
    fn reaches(event: &WireEvent, state: &str) -> bool {
        event.kind == "state_entered" && event.json.contains(&format!("\"state\":{state},"))
    }
}
