//! The inputs of the engine.

use crate::engines::automaton::machine::actions::Point;
use crate::engines::automaton::machine::page::Signals;
use crate::engines::automaton::machine::synthesis::Answers;
use crate::kernel;

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

/// The browser is gone or does not answer; the words say what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserGone(pub String);

/// An action that was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Done {
    /// The point where it happened, where it has one.
    pub point: Option<Point>,
    /// Whether the element was gone and the fallback's box was taken.
    pub has_fallen_back: bool,
}

/// The reason why an action was not carried out, in words without the value of any secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionFailure {
    /// The action failed, and changed nothing that it was meant to.
    Failed(String),
    /// The action is forbidden: its address or its secret does not belong to the page's origin.
    Refused(String),
    /// The action was sent, and nobody knows what came of it.
    UnknownOutcome(String),
    /// The browser was gone before the action was sent.
    BrowserGone(String),
}
