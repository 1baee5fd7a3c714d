//! The actions that the engine wants carried out.

use crate::engines::automaton::machine::actions::BrowserAction;
use crate::engines::automaton::machine::page::Query;
use crate::kernel;

/// An action to be carried out; its answer carries the command's id.
pub type Command = kernel::Command<Action>;

/// The actions of an automaton outside the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Look at the page, after navigation and quiet. Looking changes nothing.
    Look {
        /// The questions that the browser answers, beside the page's script.
        queries: Vec<Query>,
    },
    /// Let the browser do something. The intent is written down before it is sent, and it is sent once.
    Act {
        /// The action's place in the automaton.
        place: Place,
        /// The action.
        action: BrowserAction,
    },
    /// Let some time pass.
    Wait {
        /// The time to wait, in milliseconds.
        ms: u64,
    },
}

/// The place of an action in an automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The number of the action in its state, from 1.
    pub line: u32,
}
