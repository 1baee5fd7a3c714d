//! A state that is executed: its actions one after the other, whether the boxes of their fallbacks are
//! used, and the actions that models put in the place of those that failed.

use std::rc::Rc;

use domain::page::{ActionFailure, Done};

use crate::machine::actions::{BrowserAction, Step};
use crate::machine::drift::Fault;
use crate::machine::grammar::{Call, Cause};
use crate::machine::interface::{
    Action, ChainEnd, ChainFailure, Ending, InvestigateCall, NoticeKind, Parameters, Pause, Place,
    WhyFailed,
};
use crate::machine::states::{Automaton, Line, State};
use crate::machine::synthesis::{Goal, Making};

use super::{AutomatonRun, Failed, Phase, Tried};

const HAS_SECRET: &str = "the action has a secret in it";
const NEVER_THERE: &str =
    "the element was never there in this run; fallback='always' uses it all the same";
/// The most times that one action is regenerated until it has been carried out.
const TIMES_MAX: u32 = 2;

/// A state that is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visit {
    /// The position of the state.
    pub(super) state: usize,
    /// The position of the action that comes next.
    next: usize,
}

/// The wish of an action at its turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Turn {
    /// The action is carried out.
    Do(Call, Step),
    /// The action is passed over, for this reason.
    PassOver(&'static str),
    /// The action cannot be carried out. A call that was read is told as tried.
    Fail {
        cause: Cause,
        message: String,
        call: Option<Call>,
    },
    /// The state has no further action.
    Finish,
}

impl Visit {
    pub(super) fn begin(state: usize) -> Self {
        Self::at(state, 0)
    }

    /// Goes into a state whose next action is the one at this position, from 0.
    pub(super) fn at(state: usize, next: usize) -> Self {
        Self { state, next }
    }

    /// Returns whether the next action is the first one.
    fn is_at_first(self) -> bool {
        self.next == 0
    }

    /// Returns the place of the next action.
    pub(super) fn place(self) -> Place {
        Place {
            state: self.state,
            line: u32::try_from(self.next.saturating_add(1)).unwrap_or(u32::MAX),
        }
    }

    /// Goes on behind the next action.
    pub(super) fn pass(self) -> Self {
        Self {
            next: self.next.saturating_add(1),
            ..self
        }
    }

    fn line(self, automaton: &Automaton) -> Option<&Line> {
        automaton.states.get(self.state)?.lines.get(self.next)
    }

    /// Returns whether the state has no further action.
    pub(super) fn is_over(self, automaton: &Automaton) -> bool {
        matches!(self.line(automaton), None | Some(Line::Terminate { .. }))
    }

    /// Returns what the next action wants.
    pub(super) fn turn(self, automaton: &Rc<Automaton>, parameters: &Parameters) -> Turn {
        match self.line(automaton) {
            None | Some(Line::Terminate { .. }) => Turn::Finish,
            Some(Line::Unread(line)) => Turn::Fail {
                cause: line.error().cause,
                message: format!("It cannot be read at {}.", line.error()),
                call: None,
            },
            Some(Line::PassedOver(action)) => Turn::PassOver(action.why()),
            Some(Line::Call { call, step }) => {
                let mut names = call.parameters();
                match (names.find(|name| !parameters.has(name)), step) {
                    (Some(name), _) => Turn::Fail {
                        cause: Cause::MissingParameter,
                        message: format!("The run has no parameter {name:?}."),
                        call: None,
                    },
                    (None, Ok(step)) => Turn::Do(call.clone(), step.clone()),
                    (None, Err(why)) => Turn::Fail {
                        cause: Cause::Failed,
                        message: format!("Its arguments make no sense: {why}."),
                        call: Some(call.clone()),
                    },
                }
            }
        }
    }
}

impl AutomatonRun {
    /// Executes a state.
    pub(super) fn enter(&mut self, state: usize) {
        let other = |making: &mut Box<Making>| making.old.unwrap_or(0) != state;
        drop(self.fresh.take_if(other));
        let name = self.automaton.states.get(state).map(|state| &state.name);
        self.tell(NoticeKind::StateEntered {
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

    /// Carries the next action of a state out, and passes over those that are not carried out.
    pub(super) fn act(&mut self, mut visit: Visit) {
        loop {
            let place = visit.place();
            match visit.turn(&self.automaton, &self.terms.parameters) {
                Turn::PassOver(why) => {
                    let message = format!("action {} is passed over: {why}.", place.line);
                    self.warn(Some(visit.state), message);
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
                        self.tell(NoticeKind::ActionBegun { place, call });
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
        self.tell(NoticeKind::ActionBegun { place, call });
        match step {
            Step::Wait { ms: 0 } => self.go_on(visit.pass()),
            Step::Wait { ms } => self.wait(ms, Pause::Wanted, Phase::Acting(visit)),
            Step::Investigate { person_a, person_b } => {
                let call = InvestigateCall {
                    place,
                    person_a,
                    person_b,
                    nano_usd_max: self.budget.meter.nano_usd_left(),
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
                self.tell(NoticeKind::ActionDone { place, done });
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
        self.tell(NoticeKind::Chain {
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
        self.tell(NoticeKind::ActionFailed {
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
        self.tell(NoticeKind::StateLeft { state });
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

    /// Returns an action with its fallback as it counts now. The box of an element that was never there is
    /// the place of another one, so it is not used; and no box is typed into or chosen by a secret.
    fn with_fallback_decided(&self, action: BrowserAction) -> BrowserAction {
        let Some(target) = action.target().filter(|it| it.fallback.is_some()) else {
            return action;
        };
        let secrets = &self.terms.parameters.secret;
        let is_certain = target.always_falls_back || self.seen_elements.has(&target.locator);
        let refused = if action.parameters().any(|name| secrets.contains(name)) {
            Some(HAS_SECRET)
        } else {
            (!is_certain).then_some(NEVER_THERE)
        };
        match refused {
            Some(why) => action.with_fallback_refused(why),
            None => action,
        }
    }

    /// Notes the element of an action that was carried out on it.
    fn note_seen_target(&mut self, visit: Visit, done: &Done) {
        let turn = visit.turn(&self.automaton, &self.terms.parameters);
        let Turn::Do(_, Step::Act(action)) = turn else {
            return;
        };
        // Only scrolling to an element is done without it.
        let is_gone = matches!(action, BrowserAction::ScrollTo { .. }) && done.point.is_none();
        if let Some(locator) = action.locator()
            && !done.has_fallen_back
            && !is_gone
        {
            self.seen_elements.add(locator);
        }
    }

    /// Returns the prompt by which a model may regenerate an action of a state.
    fn prompt_of(&self, state: usize) -> Option<usize> {
        let name = &self.automaton.states.get(state)?.name;
        let mut prompts = self.terms.prompts.iter();
        let found = prompts.position(|prompt| prompt.name == *name);
        found.filter(|_| self.terms.regenerates)
    }

    /// Asks a model for an action in the place of one that failed. Returns the failure again where nobody
    /// may.
    fn begin_mending(&mut self, visit: Visit, failed: Failed) -> Option<Failed> {
        let Place { state, line } = visit.place();
        let times = self.tried.as_ref().filter(|it| it.place == visit.place());
        let is_over = times.is_some_and(|tried| tried.times >= TIMES_MAX);
        let prompt = self.prompt_of(state).filter(|_| !is_over);
        let Some(prompt) = prompt.filter(|_| failed.cause == Cause::Failed) else {
            return Some(failed);
        };
        let action = self
            .automaton
            .states
            .get(state)
            .and_then(|state| state.lines.get(position(line)));
        let Some(Line::Call { call, .. }) = action else {
            return Some(failed);
        };
        let failed = format!("{call} - it failed: {}", failed.message);
        let goal = Goal::Action {
            state,
            line,
            failed,
        };
        self.making = Some(Box::new(Making::begin(goal, prompt)));
        self.look_closely();
        None
    }

    /// Puts an action in the place of one that failed, and carries it out.
    pub(super) fn replace(&mut self, state: usize, line: u32, new: Line) {
        self.making = None;
        let (place, at) = (Place { state, line }, position(line));
        let known = self.automaton.states.get(state);
        let Some(old) = known.and_then(|state| state.lines.get(at)).cloned() else {
            return self.fail(WhyFailed::Synthesis, "The action is gone.");
        };
        self.tried = Some(match self.tried.take() {
            Some(tried) if tried.place == place => Tried {
                times: tried.times.saturating_add(1),
                ..tried
            },
            _ => Tried {
                place,
                old,
                times: 1,
            },
        });
        self.change(state, |state| {
            if let Some(line) = state.lines.get_mut(at) {
                *line = new;
            }
        });
        self.act(Visit::at(state, at));
    }

    /// Keeps an action that was regenerated and has been carried out.
    fn keep_tried(&mut self, place: Place) {
        if self.tried.take_if(|tried| tried.place == place).is_none() {
            return;
        }
        self.change(place.state, |state| state.is_unproven = true);
        let Some(state) = self.automaton.states.get(place.state) else {
            return;
        };
        let (name, written) = (state.name.clone(), State::to_json(state));
        self.changes.add_regenerated(&name);
        self.tell(NoticeKind::StateChanged {
            state: place.state,
            written,
        });
    }

    /// Gives an action back that was regenerated and has not been carried out.
    pub(super) fn give_back_tried(&mut self) {
        let Some(Tried { place, old, .. }) = self.tried.take() else {
            return;
        };
        self.change(place.state, |state| {
            if let Some(line) = state.lines.get_mut(position(place.line)) {
                *line = old;
            }
        });
    }

    /// Goes on with the making of a state whose action failed: a model is told, and the action forgotten.
    fn take_failed_choice(&mut self, message: &str) {
        self.change(0, |state| drop(state.lines.pop()));
        if let Some(making) = self.making.as_mut() {
            making.fail_action(message);
        }
        self.look_closely();
    }

    /// Ends the run with an action that failed and that no model has mended.
    pub(super) fn fail_unmended(&mut self, state: usize, line: u32, failed: &str, why: &str) {
        self.making = None;
        let message = format!(
            "Action {line} of state {} failed and was not mended, since {why}. It was {failed}",
            self.name(state)
        );
        let place = Place { state, line };
        let cause = Cause::Failed;
        self.end(Ending::Failed {
            why: WhyFailed::Action { place, cause },
            message,
            unmet: Vec::new(),
        });
    }

    /// Returns where in its state an action is that failed.
    fn fault_at(place: Place) -> (usize, Fault) {
        (place.state, Fault::Action { line: place.line })
    }
}

fn position(line: u32) -> usize {
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    line.saturating_sub(1)
}
