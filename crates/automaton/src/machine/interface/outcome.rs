//! The inputs of the engine.

use domain::chat::ChatReply;
use domain::page::{ActionFailure, BrowserGone, Done, PageView, Signals};
use domain::{Failure, Sha256Digest};

/// One input of the engine.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The page as it was seen.
    Looked(Result<Looked, BrowserGone>),
    /// The page is as it was at the last look, with its picture.
    Unchanged,
    /// The result of an action.
    Acted(Result<Done, ActionFailure>),
    /// Whether the page was loaded anew.
    Reloaded(Result<(), BrowserGone>),
    /// The answer of a model.
    Asked(Result<ChatReply, Failure>),
    /// The end of an investigation, or why it has none.
    Investigated(Result<ChainEnd, ChainFailure>),
    /// The time has passed.
    Waited,
}

/// The end of an investigation that a state began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainEnd {
    /// The run's public token.
    pub run: String,
    /// What came of the run, in one sentence.
    pub message: String,
}

/// The reason why an investigation that a state began has no end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainFailure {
    /// The run's public token, where it was begun.
    pub run: Option<String>,
    /// What happened, in one sentence.
    pub message: String,
}

/// A page as it was seen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Looked {
    /// The page as it was seen.
    pub view: PageView,
    /// SHA-256 of the picture that is kept beside the run, if one is.
    pub picture: Option<Sha256Digest>,
}

impl From<Signals> for Looked {
    fn from(signals: Signals) -> Self {
        Self {
            view: signals.into(),
            picture: None,
        }
    }
}
