//! What a task may look at and change beside itself, and what it may want.

use serde_json::Value;

use crate::engines::workflow::machine::dialect::Dialect;
use crate::engines::workflow::machine::graph::Node;
use crate::engines::workflow::machine::interface::{
    Action, NoticeKind, ToolCall, ToolFailure, ToolResult,
};
use crate::engines::workflow::machine::values::parse_text;
use crate::kernel::Millis;

use super::caches::Caches;

/// The most of a tool's text that a trace holds, in bytes.
const TRACE_TEXT_BYTES_MAX: usize = 8_192;

/// What a task wants next.
#[derive(Debug)]
pub(in crate::engines::workflow::machine) enum Step {
    /// Something outside; the task is resumed with what comes of it.
    Do(Action),
    /// It is done, with this value.
    Done(Value),
    /// It cannot be done.
    Failed(Fault),
    /// It was interrupted by the user's stop.
    Stopped,
}

/// Why a node failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engines::workflow::machine) struct Fault {
    /// In words.
    pub(in crate::engines::workflow::machine) error: String,
    /// Whether something was sent and nobody knows what came of it.
    pub(in crate::engines::workflow::machine) is_unknown: bool,
}

impl Step {
    /// It cannot be done, for a reason that is known.
    pub(super) fn failed(error: impl Into<String>) -> Self {
        Self::Failed(Fault {
            error: error.into(),
            is_unknown: false,
        })
    }

    /// A call gave no result.
    pub(super) fn call_failed(what: &str, failure: &ToolFailure) -> Self {
        Self::Failed(Fault {
            error: format!("{what} failed: Tool call failed: {}", failure.says()),
            is_unknown: matches!(failure, ToolFailure::UnknownOutcome(_)),
        })
    }

    /// An outcome that answers another question: nobody makes one.
    pub(super) fn misfit() -> Self {
        Self::failed("an answer came that fits no question")
    }
}

/// What a task may look at and change beside itself.
pub(in crate::engines::workflow::machine) struct TaskContext<'run> {
    pub(in crate::engines::workflow::machine) node: &'run Node,
    pub(in crate::engines::workflow::machine) dialect: Dialect,
    pub(in crate::engines::workflow::machine) caches: &'run mut Caches,
    /// What is to be told of it.
    pub(in crate::engines::workflow::machine) told: &'run mut Vec<NoticeKind>,
    pub(in crate::engines::workflow::machine) now: Millis,
    /// What the run may still cost, in billionths of a dollar; none where nobody limits it.
    pub(in crate::engines::workflow::machine) nano_usd_left: Option<u64>,
    /// Whether the user has ended the run.
    pub(in crate::engines::workflow::machine) is_stopping: bool,
}

impl TaskContext<'_> {
    /// Calls a tool of the node's server.
    pub(super) fn call(&mut self, tool: &str, arguments: Option<Value>) -> Step {
        self.call_of_model(tool, arguments, None)
    }

    /// The same, as the call of this number, from 0, of an AI step.
    pub(super) fn call_of_model(
        &mut self,
        tool: &str,
        arguments: Option<Value>,
        index: Option<u32>,
    ) -> Step {
        self.told.push(NoticeKind::ToolCall {
            server: self.node.server.clone(),
            tool: tool.to_owned(),
            arguments: arguments.clone(),
            index,
        });
        Step::Do(Action::CallTool(ToolCall {
            server: self.node.server.clone(),
            tool: tool.to_owned(),
            arguments,
        }))
    }

    /// Tells what a tool answered.
    pub(super) fn tell_result(&mut self, tool: &str, result: &ToolResult) {
        let text = result.text();
        let images = result.images().map(|image| image.digest.to_string());
        self.told.push(NoticeKind::ToolResult {
            tool: tool.to_owned(),
            text: beginning(&text, TRACE_TEXT_BYTES_MAX).to_owned(),
            text_len: text.len(),
            images: images.collect(),
        });
    }

    /// A tool's answer as a value.
    pub(super) fn value(&self, result: &ToolResult) -> Value {
        match self.dialect {
            Dialect::Clickweave => parse_text(&result.text()),
            Dialect::Strict => strict_value(result),
        }
    }

    /// The entries of a list that a tool gave; none where it gave something else.
    pub(super) fn list(&self, result: &ToolResult) -> Vec<Value> {
        match self.value(result) {
            Value::Array(list) => list,
            _ => Vec::new(),
        }
    }
}

/// What the tool says is its value; else the first of its texts that is a list or an object; else
/// all of its text.
fn strict_value(result: &ToolResult) -> Value {
    if let Some(structured) = &result.structured {
        return structured.clone();
    }
    match parse_text(&result.text()) {
        Value::String(text) => {
            let mut values = result.texts().map(parse_text);
            let value = values.find(|value| value.is_array() || value.is_object());
            value.unwrap_or(Value::String(text))
        }
        value => value,
    }
}

/// The beginning of a text, cut between two letters.
pub(super) fn beginning(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
