//! The inputs of the engine.

use std::fmt;

use serde_json::Value;

use domain::Failure;
use domain::chat::{ChatReply, ImageRef};

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
    /// Returns the blocks of text, joined by line feeds, or else the value in JSON where the tool gives
    /// nothing but one.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.texts().collect();
        let text = texts.join("\n");
        match &self.structured {
            Some(value) if text.is_empty() => value.to_string(),
            _ => text,
        }
    }

    /// Returns the blocks of text.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the number of pictures, with those that are left out.
    #[must_use]
    pub fn image_count(&self) -> usize {
        let left_out = self.left_out().filter(|media| media.is_picture);
        self.images().count() + left_out.count()
    }

    /// Returns the pictures and sounds that are left out.
    pub fn left_out(&self) -> impl Iterator<Item = &LeftOut> {
        self.blocks.iter().filter_map(|block| match block {
            Block::LeftOut(media) => Some(media),
            _ => None,
        })
    }

    /// Returns the pictures that are kept.
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
    /// A picture or a sound that is not kept.
    LeftOut(LeftOut),
    /// Any other block, as its server sent it.
    Other(Value),
}

/// A picture or a sound of a tool's answer that is not kept beside the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Whether it is a picture, and no sound.
    pub is_picture: bool,
    /// The length of it, in bytes.
    pub bytes: usize,
    /// The reason why it is not kept, in words that begin small.
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_picture { "picture" } else { "sound" };
        let Self { bytes, why, .. } = self;
        write!(formatter, "a {what} of {bytes} bytes is not kept: {why}.")
    }
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
