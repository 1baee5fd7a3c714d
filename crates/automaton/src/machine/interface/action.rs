//! The actions that the engine wants carried out.

use domain::chat::ChatQuestion;
use domain::page::Query;

use crate::machine::actions::BrowserAction;
use crate::machine::grammar::Text;

/// An action to be carried out; its answer carries the command's id.
pub type Command = kernel::Command<Action>;

/// The actions of an automaton outside the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Look at the page, after navigation and quiet. Looking changes nothing.
    Look {
        /// The questions that the browser answers, beside the page's script.
        queries: Vec<Query>,
        /// Whether the elements that can be acted on are listed, for a model.
        wants_elements: bool,
        /// Whether a picture is kept beside the run.
        wants_picture: bool,
    },
    /// Let the browser do something. The intent is written down before it is sent, and it is sent once.
    Act {
        /// The action's place in the automaton.
        place: Place,
        /// The action.
        action: BrowserAction,
    },
    /// Load the page anew. Nothing that may not be repeated was done on it.
    Reload,
    /// Ask a model.
    Ask(ChatQuestion),
    /// Look for a chain between two people, by a run of another engine.
    Investigate(InvestigateCall),
    /// Let some time pass.
    Wait {
        /// The time to wait, in milliseconds.
        ms: u64,
    },
}

/// An investigation that a state begins. Its texts may refer to parameters that anybody may see.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigateCall {
    /// The action's place in the automaton.
    pub place: Place,
    /// The person with whom the chain starts.
    pub person_a: Text,
    /// The person with whom the chain ends.
    pub person_b: Text,
    /// The most that the run may cost, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
}

/// The place of an action in an automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The number of the action in its state, from 1.
    pub line: u32,
}
