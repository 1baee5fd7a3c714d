//! The stored form of a model's answer.

use serde::{Deserialize, Serialize};

use domain::chat::{ChatReply, ModelToolCall};

/// The stored form of a [`ChatReply`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyForm {
    text: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<ModelCallForm>,
}

/// A tool that a model calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ModelCallForm {
    id: String,
    tool: String,
    arguments: String,
}

impl ReplyForm {
    /// Returns the stored form of an answer.
    #[must_use]
    pub fn of(reply: &ChatReply) -> Self {
        let calls = reply.calls.iter().map(|call| ModelCallForm {
            id: call.id.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
        });
        Self {
            text: reply.text.clone(),
            model: reply.model.clone(),
            calls: calls.collect(),
        }
    }

    /// Reads the answer back.
    #[must_use]
    pub fn read(self) -> ChatReply {
        let calls = self.calls.into_iter().map(|call| ModelToolCall {
            id: call.id,
            tool: call.tool,
            arguments: call.arguments,
        });
        ChatReply {
            calls: calls.collect(),
            text: self.text,
            model: self.model,
        }
    }
}
