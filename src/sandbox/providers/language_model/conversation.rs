//! What was said to a model and by it, whichever dialect it was said in.

use serde_json::Value;

/// All that was said, and what the model may call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::providers) struct Conversation {
    /// Who the model is to be.
    pub system: String,
    /// The oldest first.
    pub turns: Vec<Turn>,
    /// The names of the tools that it may call.
    pub tools: Vec<String>,
    /// What they are described with, in tokens.
    pub tool_tokens: u64,
}

/// One thing that was said.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) enum Turn {
    User {
        text: String,
        /// Width and height of each picture, in pixels.
        images: Vec<(usize, usize)>,
    },
    Model,
    /// What a tool answered.
    Tool {
        tool: String,
        text: String,
        is_error: bool,
    },
}

/// What the model says.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) enum Saying {
    Text(String),
    Call(ToolCall),
}

/// A tool that the model calls.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) struct ToolCall {
    pub tool: String,
    pub arguments: Value,
}

impl Saying {
    /// As a text, whatever it is.
    pub(in crate::providers) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Call(call) => call.arguments.to_string(),
        }
    }
}

impl Conversation {
    /// The last that the user said, with the sizes of its pictures.
    pub(super) fn last_user(&self) -> Option<(&str, &[(usize, usize)])> {
        self.turns.iter().rev().find_map(|turn| match turn {
            Turn::User { text, images } => Some((text.as_str(), images.as_slice())),
            _ => None,
        })
    }
}
