//! An action that failed, and the one that a model puts in its place.

use crate::machine::drift::Fault;
use crate::machine::grammar::Cause;
use crate::machine::interface::{Ending, NoticeKind, Place, WhyFailed};
use crate::machine::making::{Goal, Making};
use crate::machine::states::{Line, State};
use crate::machine::visit::Visit;

use super::AutomatonRun;
use super::pending::{Failed, Tried};

/// The most times that one action is made anew until it has been carried out.
const TIMES_MAX: u32 = 2;

fn position(line: u32) -> usize {
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    line.saturating_sub(1)
}

impl AutomatonRun {
    /// Returns the prompt by which a model may make an action of a state anew.
    pub(super) fn prompt_of(&self, state: usize) -> Option<usize> {
        let name = &self.automaton.states.get(state)?.name;
        let mut prompts = self.terms.prompts.iter();
        let found = prompts.position(|prompt| prompt.name == *name);
        found.filter(|_| self.terms.regenerates)
    }

    /// Asks a model for an action in the place of one that failed. Returns the failure again where nobody
    /// may.
    pub(super) fn begin_mending(&mut self, visit: Visit, failed: Failed) -> Option<Failed> {
        let Place { state, line } = visit.place();
        let times = self.tried.as_ref().filter(|it| it.place == visit.place());
        let is_over = times.is_some_and(|tried| tried.times >= TIMES_MAX);
        let prompt = self.prompt_of(state).filter(|_| !is_over);
        let Some(prompt) = prompt.filter(|_| failed.cause == Cause::Failed) else {
            return Some(failed);
        };
        let action = self.automaton.states.get(state);
        let action = action.and_then(|state| state.lines.get(position(line)));
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

    /// Keeps an action that was made anew and has been carried out.
    pub(super) fn keep_tried(&mut self, place: Place) {
        if self.tried.take_if(|tried| tried.place == place).is_none() {
            return;
        }
        self.change(place.state, |state| state.is_unproven = true);
        let Some(state) = self.automaton.states.get(place.state) else {
            return;
        };
        let (name, written) = (state.name.clone(), State::to_json(state));
        self.changes.add_regenerated(&name);
        self.trace.tell(NoticeKind::StateChanged {
            state: place.state,
            written,
        });
    }

    /// Gives an action back that was made anew and has not been carried out.
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
    pub(super) fn take_failed_choice(&mut self, message: &str) {
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
    pub(super) fn fault_at(place: Place) -> (usize, Fault) {
        (place.state, Fault::Action { line: place.line })
    }
}
