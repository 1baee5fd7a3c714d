//! The part of the run that a task may look at and change beside itself, and what it may want.

use serde_json::Value;

use kernel::Millis;

use crate::machine::dialect::Dialect;
use crate::machine::graph::Node;
use crate::machine::interface::{Action, ToolCall, ToolFailure, ToolResult};
use crate::machine::notice::NoticeKind;
use crate::machine::values::parse_text;

use super::caches::Caches;

/// The longest text of a tool that a trace holds, in bytes.
const TRACE_TEXT_BYTES_MAX: usize = 8_192;

/// The next step of a task.
#[derive(Debug)]
pub enum Step {
    /// The task wants an action outside, and is resumed with what comes of it.
    Do(Action),
    /// The task is done, with this value.
    Done(Value),
    /// The task cannot be done.
    Failed(Fault),
    /// The task was interrupted by the user's stop.
    Stopped,
}

/// The reason why a node failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The reason in words.
    pub error: String,
    /// Whether something was sent and nobody knows what came of it.
    pub is_unknown: bool,
}

impl Step {
    /// Returns the step of a task that cannot be done, for a reason that is known.
    pub(super) fn failed(error: impl Into<String>) -> Self {
        Self::Failed(Fault {
            error: error.into(),
            is_unknown: false,
        })
    }

    /// Returns the step of a task whose call gave no result.
    pub(super) fn call_failed(what: &str, failure: &ToolFailure) -> Self {
        Self::Failed(Fault {
            error: format!("{what} failed: Tool call failed: {}", failure.says()),
            is_unknown: matches!(failure, ToolFailure::UnknownOutcome(_)),
        })
    }

    /// Returns the step of a task whose outcome answers another question. No engine makes such an
    /// outcome.
    pub(super) fn misfit() -> Self {
        Self::failed("an answer came that fits no question")
    }
}

/// The part of the run that a task may look at and change beside itself.
pub struct TaskContext<'run> {
    pub node: &'run Node,
    pub dialect: Dialect,
    pub caches: &'run mut Caches,
    /// The events that are to be told of the node.
    pub told: &'run mut Vec<NoticeKind>,
    pub now: Millis,
    /// The amount that the run may still cost, in billionths of a dollar; `None` where nobody
    /// limits it.
    pub nano_usd_left: Option<u64>,
    /// Whether the user has ended the run.
    pub is_stopping: bool,
}

impl TaskContext<'_> {
    /// Calls a tool of the node's server.
    pub(super) fn call(&mut self, tool: &str, arguments: Option<Value>) -> Step {
        self.call_of_model(tool, arguments, None)
    }

    /// Calls a tool of the node's server, as the call of this number, from 0, of an AI step.
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
            image_count: result.image_count(),
            images: images.collect(),
        });
        self.told.extend(warnings(tool, result));
    }

    /// Returns a tool's answer as a value.
    pub(super) fn value(&self, result: &ToolResult) -> Value {
        match self.dialect {
            Dialect::Strict => strict_value(result),
            Dialect::Seed | Dialect::Clickweave => parse_text(&result.text()),
        }
    }

    /// Returns the entries of a list that a tool gave. The list is empty where the tool gave
    /// something else.
    pub(super) fn list(&self, result: &ToolResult) -> Vec<Value> {
        match self.value(result) {
            Value::Array(list) => list,
            _ => Vec::new(),
        }
    }
}

/// Returns what viewers are told of the pictures and sounds that a tool gave and the run does not keep.
pub fn warnings(tool: &str, result: &ToolResult) -> impl Iterator<Item = NoticeKind> {
    let left_out = result.left_out();
    left_out.map(move |media| NoticeKind::Warning(format!("of what {tool} answered {media}")))
}

/// Returns what the tool says is its value; otherwise the first of its texts that is a list or an
/// object; otherwise all of its text.
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

/// Returns the beginning of a text, cut between two letters.
pub(super) fn beginning(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
