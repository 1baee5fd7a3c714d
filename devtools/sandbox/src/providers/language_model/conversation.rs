//! A conversation with a model, independent of the provider's format.

use serde_json::Value;

/// A conversation, with the tools that the model may call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::providers) struct Conversation {
    /// The system prompt, which gives the model its role.
    pub system: String,
    /// The turns, the oldest first.
    pub turns: Vec<Turn>,
    /// The names of the tools that the model may call.
    pub tools: Vec<String>,
    /// The number of tokens in the descriptions of the tools.
    pub tool_tokens: u64,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) enum Turn {
    User {
        text: String,
        /// The width and height of each picture, in pixels.
        images: Vec<(usize, usize)>,
    },
    Model,
    /// The answer of a tool.
    Tool {
        tool: String,
        text: String,
        is_error: bool,
    },
}

/// The model's next turn: words or a tool call.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) enum Saying {
    Text(String),
    Call(ToolCall),
}

/// A tool call of the model.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::providers) struct ToolCall {
    pub tool: String,
    pub arguments: Value,
}

impl Saying {
    /// Returns the turn as text: its words, or the arguments of its call.
    pub(in crate::providers) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Call(call) => call.arguments.to_string(),
        }
    }
}

impl Conversation {
    /// Returns the last text of the user and the sizes of its pictures.
    pub(super) fn last_user(&self) -> Option<(&str, &[(usize, usize)])> {
        self.turns.iter().rev().find_map(|turn| match turn {
            Turn::User { text, images } => Some((text.as_str(), images.as_slice())),
            _ => None,
        })
    }
}
