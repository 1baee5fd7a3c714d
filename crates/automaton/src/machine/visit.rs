//! A state that is executed: where in its actions it is.

use std::rc::Rc;

use super::actions::Step;
use super::grammar::{Call, Cause};
use super::interface::{Parameters, Place};
use super::states::{Automaton, Line};

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
    pub(super) fn is_at_first(self) -> bool {
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
