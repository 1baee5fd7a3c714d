//! The task of calling one tool once.

use crate::machine::interface::Outcome;

use super::context::{Step, TaskContext};
use super::invocation::Invocation;

/// One call of one tool.
#[derive(Debug, Clone)]
pub struct ToolTask {
    invocation: Invocation,
}

impl ToolTask {
    pub(super) fn new(invocation: Invocation) -> Self {
        Self { invocation }
    }

    pub(super) fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        if self.invocation.tool.is_empty() && !self.invocation.is_debugging {
            return Step::failed("McpToolCall has empty tool_name");
        }
        context.call(&self.invocation.tool, self.invocation.arguments.clone())
    }

    pub(super) fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        let tool = &self.invocation.tool;
        let Outcome::Called(result) = outcome else {
            return Step::misfit();
        };
        match result {
            Err(failure) if self.invocation.is_debugging => {
                Step::call_failed(&format!("AppDebugKit op {tool}"), &failure)
            }
            Err(failure) => Step::call_failed(&format!("MCP tool {tool}"), &failure),
            Ok(result) => {
                context.tell_result(tool, &result);
                if result.is_error {
                    return Step::failed(returned_error(tool, &result.text()));
                }
                Step::Done(context.value(&result))
            }
        }
    }
}

/// Returns the error of a tool that says that it failed, in the tool's words.
pub(super) fn returned_error(tool: &str, text: &str) -> String {
    format!("MCP tool {tool} returned error: {text}")
}
