//! What the engine is told.

use serde_json::Value;

use crate::chat::{ChatReply, ImageRef};
use crate::domain::Failure;
use crate::kernel;

/// One input of the engine.
pub type Input = kernel::Input<Outcome>;

/// What came of a command.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Of calling a tool.
    Called(Result<ToolResult, ToolFailure>),
    /// Of asking for the tools.
    Listed(Result<Vec<ToolDescription>, ToolFailure>),
    /// Of asking a language model.
    Chatted(Result<ChatReply, Failure>),
    /// Of a run of the other engine.
    Investigated(Result<ChildEnd, ChildFailure>),
    /// The time has passed.
    Waited,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    /// Its content, in order.
    pub blocks: Vec<Block>,
    /// Its content as a value, where the tool says so.
    pub structured: Option<Value>,
    /// Whether the tool says that it failed.
    pub is_error: bool,
}

impl ToolResult {
    /// The blocks of text, joined by line feeds.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.texts().collect();
        texts.join("\n")
    }

    /// The blocks of text.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The pictures.
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
    /// Words.
    Text(String),
    /// A picture.
    Image(ImageRef),
    /// A sound.
    Audio(ImageRef),
    /// Anything else, as its server sent it.
    Other(Value),
}

/// Why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolFailure {
    /// The server refused the call, in its own words.
    Refused(String),
    /// It was not sent, and why.
    NotSent(String),
    /// It was sent, and nobody knows what came of it; the words say what happened.
    UnknownOutcome(String),
}

impl ToolFailure {
    /// What happened, in words.
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
    /// Its name.
    pub name: String,
    /// What it does, in its server's words.
    pub description: String,
    /// The JSON schema of its arguments.
    pub schema: Value,
}

/// How a run of the other engine ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildEnd {
    /// Its public token.
    pub run: String,
    /// The names along the chain; none where none was found.
    pub path: Vec<String>,
    /// In one sentence.
    pub message: String,
}

/// Why a run of the other engine came to no end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildFailure {
    /// Its public token, where it was begun.
    pub run: Option<String>,
    /// In one sentence.
    pub message: String,
}
