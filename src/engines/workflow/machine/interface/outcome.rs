//! The inputs of the engine.

use serde_json::Value;

use crate::chat::{ChatReply, ImageRef};
use crate::domain::Failure;
use crate::kernel;

/// One input of the engine.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The result of calling a tool.
    Called(Result<ToolResult, ToolFailure>),
    /// The result of asking for the list of tools.
    Listed(Result<Vec<ToolDescription>, ToolFailure>),
    /// The result of asking a language model.
    Chatted(Result<ChatReply, Failure>),
    /// The result of a run of another engine.
    Investigated(Result<ChildEnd, ChildFailure>),
    /// The result of an automaton.
    Automated(Result<AutomateEnd, ChildFailure>),
    /// The time has passed.
    Waited,
}

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    /// The content, in order.
    pub blocks: Vec<Block>,
    /// The content as a value, where the tool gives one.
    pub structured: Option<Value>,
    /// Whether the tool says that it failed.
    pub is_error: bool,
}

impl ToolResult {
    /// Returns the blocks of text, joined by line feeds.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.texts().collect();
        texts.join("\n")
    }

    /// Returns the blocks of text.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the pictures.
    pub fn images(&self) -> impl Iterator<Item = &ImageRef> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Image(image) => Some(image),
            _ => None,
        })
    }
}

/// A block of a tool's content. The bytes of pictures and sounds are kept beside the run.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A text.
    Text(String),
    /// A picture.
    Image(ImageRef),
    /// A sound.
    Audio(ImageRef),
    /// Any other block, as its server sent it.
    Other(Value),
}

/// The reason why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolFailure {
    /// The server refused the call, in its own words.
    Refused(String),
    /// The call was not sent, for this reason.
    NotSent(String),
    /// The call was sent, and nobody knows what came of it; the words say what happened.
    UnknownOutcome(String),
}

impl ToolFailure {
    /// Returns what happened, in words.
    #[must_use]
    pub fn says(&self) -> &str {
        match self {
            Self::Refused(says) | Self::NotSent(says) | Self::UnknownOutcome(says) => says,
        }
    }
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescription {
    /// The tool's name.
    pub name: String,
    /// What the tool does, in its server's words.
    pub description: String,
    /// The JSON schema of the tool's arguments.
    pub schema: Value,
}

/// The end of a run that this run began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildEnd {
    /// The run's public token.
    pub run: String,
    /// The names along the chain; empty where no chain was found.
    pub path: Vec<String>,
    /// What came of the run, in one sentence.
    pub message: String,
}

/// The end of an automaton that this run began.
#[derive(Debug, Clone, PartialEq)]
pub struct AutomateEnd {
    /// The run's public token.
    pub run: String,
    /// The result, as its engine documents it.
    pub value: Value,
    /// What came of the run, in one sentence.
    pub message: String,
}

/// The reason why a run that this run began came to no end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildFailure {
    /// The run's public token, where it was begun.
    pub run: Option<String>,
    /// What happened, in one sentence.
    pub message: String,
    /// Whether something was done and nobody knows what came of it.
    pub is_unknown: bool,
}
