//! A state that is executed: one action after the other, and its end.

use domain::page::{ActionFailure, Done};

use crate::machine::actions::Step;
use crate::machine::grammar::{Call, Cause};
use crate::machine::interface::{
    Action, ChainEnd, ChainFailure, Ending, InvestigateCall, NoticeKind, Pause, WhyFailed,
};
use crate::machine::making::Making;
use crate::machine::visit::{Turn, Visit};

use super::pending::Failed;
use super::{AutomatonRun, Phase};

impl AutomatonRun {
    /// Executes a state.
    pub(super) fn enter(&mut self, state: usize) {
        let other = |making: &mut Box<Making>| making.old.unwrap_or(0) != state;
        drop(self.fresh.take_if(other));
        let name = self.automaton.states.get(state).map(|state| &state.name);
        self.trace.tell(NoticeKind::StateEntered {
            state,
            name: name.cloned().unwrap_or_default(),
        });
        self.go_on(Visit::begin(state));
    }

    /// Goes on with the next action of a state, after the time that lies before it.
    pub(super) fn go_on(&mut self, visit: Visit) {
        if visit.is_over(&self.automaton) {
            if self.making.is_some() {
                return self.look_closely();
            }
            return self.leave(visit, None);
        }
        let ms = self.terms.settings.action_period_ms;
        if !visit.is_at_first() && ms > 0 {
            self.wait(ms, Pause::Spacing, Phase::Spacing(visit));
        } else {
            self.act(visit);
        }
    }

    /// Carries the next action of a state out, and passes over those that nobody carries out.
    pub(super) fn act(&mut self, mut visit: Visit) {
        loop {
            let place = visit.place();
            match visit.turn(&self.automaton, &self.terms.parameters) {
                Turn::PassOver(why) => {
                    let message = format!("action {} is passed over: {why}.", place.line);
                    self.trace.warn(Some(visit.state), message);
                    visit = visit.pass();
                }
                Turn::Finish => return self.leave(visit, None),
                Turn::Do(call, step) => return self.begin_step(visit, call, step),
                Turn::Fail {
                    cause,
                    message,
                    call,
                } => {
                    let was_tried = call.is_some();
                    if let Some(call) = call {
                        self.trace.tell(NoticeKind::ActionBegun { place, call });
                    }
                    let fault = Failed {
                        place,
                        cause,
                        message,
                    };
                    return self.take_fault(visit, fault, was_tried);
                }
            }
        }
    }

    fn begin_step(&mut self, visit: Visit, call: Call, step: Step) {
        let place = visit.place();
        self.trace.tell(NoticeKind::ActionBegun { place, call });
        match step {
            Step::Wait { ms: 0 } => self.go_on(visit.pass()),
            Step::Wait { ms } => self.wait(ms, Pause::Wanted, Phase::Acting(visit)),
            Step::Investigate { person_a, person_b } => {
                let call = InvestigateCall {
                    place,
                    person_a,
                    person_b,
                    nano_usd_max: self.budget.nano_usd_left(),
                };
                self.begin(Action::Investigate(call), Phase::Acting(visit));
            }
            Step::Act(action) => {
                self.has_sent_once |= !action.is_repeatable();
                self.has_acted_unseen = true;
                self.remarked.clear();
                // A model is asked rather than the same place of another page taken.
                let action = match self.prompt_of(visit.state) {
                    Some(_) => action.without_fallback(),
                    None => self.with_fallback_decided(action),
                };
                self.begin(Action::Act { place, action }, Phase::Acting(visit));
            }
        }
    }

    /// Takes in what came of an action of the browser.
    pub(super) fn take_result(&mut self, visit: Visit, result: Result<Done, ActionFailure>) {
        let place = visit.place();
        match result {
            Ok(done) => {
                self.note_seen_target(visit, &done);
                self.trace.tell(NoticeKind::ActionDone { place, done });
                self.keep_tried(place);
                self.go_on(visit.pass());
            }
            Err(ActionFailure::Failed(message)) => {
                let fault = Failed {
                    place,
                    cause: Cause::Failed,
                    message,
                };
                self.take_fault(visit, fault, true);
            }
            Err(ActionFailure::Refused(message)) => {
                self.fail(WhyFailed::Refused { place }, message);
            }
            Err(ActionFailure::BrowserGone(message)) => self.lose_browser(message),
            Err(ActionFailure::UnknownOutcome(_)) => self.recover(),
        }
    }

    /// Takes in how an investigation ended. One that found no chain has done its work, too.
    pub(super) fn take_chain(&mut self, visit: Visit, result: Result<ChainEnd, ChainFailure>) {
        let place = visit.place();
        let (run, message, is_done) = match result {
            Ok(end) => (Some(end.run), end.message, true),
            Err(failure) => (failure.run, failure.message, false),
        };
        self.trace.tell(NoticeKind::Chain {
            place,
            run,
            message: message.clone(),
        });
        if is_done {
            return self.take_result(visit, Ok(Done::default()));
        }
        let fault = Failed {
            place,
            cause: Cause::Failed,
            message,
        };
        self.take_fault(visit, fault, true);
    }

    fn take_fault(&mut self, visit: Visit, fault: Failed, was_tried: bool) {
        self.trace.tell(NoticeKind::ActionFailed {
            place: fault.place,
            cause: fault.cause,
            was_tried,
            message: fault.message.clone(),
        });
        if self.making.is_some() {
            return self.take_failed_choice(&fault.message);
        }
        if let Some(fault) = self.begin_mending(visit, fault) {
            self.leave(visit, Some(fault));
        }
    }

    /// Leaves a state whose actions are done, or of which one has failed.
    pub(super) fn leave(&mut self, visit: Visit, fault: Option<Failed>) {
        let state = visit.state;
        self.walk.note(state);
        self.pages.leave();
        self.trace.tell(NoticeKind::StateLeft { state });
        let end = self.end_of(state);
        match (end, fault) {
            (_, Some(fault)) => {
                let message = format!(
                    "Action {} of state {} failed: {}",
                    fault.place.line,
                    self.name(state),
                    fault.message
                );
                let why = WhyFailed::Action {
                    place: fault.place,
                    cause: fault.cause,
                };
                let failed = Self::fault_at(fault.place);
                let ending = Ending::Failed {
                    why,
                    message,
                    unmet: Vec::new(),
                };
                self.examine(ending, Some(failed));
            }
            (Some(message), None) => self.close(message),
            (None, None) => self.begin_round(false),
        }
    }

    /// Returns the words with which the run ends after a state, if it does.
    fn end_of(&self, state: usize) -> Option<String> {
        let state = self.automaton.states.get(state)?;
        state.has_words_at_end().then(|| state.end.clone())?
    }
}
