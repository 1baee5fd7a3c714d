//! The inputs of the engine.

use crate::engines::automaton::machine::synthesis::Answers;
use crate::kernel;
use crate::page::{ActionFailure, BrowserGone, Done, Signals};

/// One input of the engine.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The signals of the page.
    Looked(Result<Signals, BrowserGone>),
    /// The result of an action.
    Acted(Result<Done, ActionFailure>),
    /// The answers of the models, or why there are none, in words.
    Made(Result<Answers, String>),
    /// The time has passed.
    Waited,
}
