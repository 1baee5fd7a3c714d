//! Questions to language models.

use serde_json::Value;

use super::image_ref::ImageRef;

/// A question to a language model, with all that was said before.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatQuestion {
    /// What it is for.
    pub purpose: ChatPurpose,
    /// Who the model is to be.
    pub system: String,
    /// What was said, the oldest first. The last is not the model's.
    pub turns: Vec<Turn>,
    /// The tools that it may call.
    pub tools: Vec<ChatTool>,
}

/// What a question is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatPurpose {
    /// A turn of an AI step.
    AiStep,
    /// Which element of the screen is meant.
    Element,
    /// Which app is meant.
    App,
    /// What pictures show.
    Vision,
    /// Whether a node's checks hold.
    Checks,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// By the workflow.
    User(Vec<Part>),
    /// By the model.
    Model {
        /// Its words.
        text: String,
        /// The tools that it called.
        calls: Vec<ModelToolCall>,
    },
    /// What a tool answered.
    Tool {
        /// [`ModelToolCall::id`]
        id: String,
        /// The tool's name.
        tool: String,
        /// Its answer, as text.
        text: String,
    },
}

/// A part of what the workflow says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A picture that a tool gave.
    Image(ImageRef),
}

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatTool {
    /// Its name.
    pub name: String,
    /// What it does, in its server's words.
    pub description: String,
    /// The JSON schema of its arguments.
    pub schema: Value,
}

/// A tool that a model calls.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelToolCall {
    /// By which its answer is told.
    pub id: String,
    /// Its name.
    pub tool: String,
    /// Its arguments as the model wrote them: JSON, if all went well.
    pub arguments: String,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChatReply {
    /// Its words.
    pub text: String,
    /// The tools that it wants called, in order.
    pub calls: Vec<ModelToolCall>,
    /// The model, by its name.
    pub model: String,
}
