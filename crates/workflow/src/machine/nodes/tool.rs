//! The task of a node that calls a single tool, and which tool and arguments each node type has.

use serde_json::{Map, Value, json};

use crate::machine::graph::{Click, FocusMethod, MouseButton, NodeKind, ScreenshotMode};
use crate::machine::interface::Outcome;

use super::{Step, TaskContext};

/// The task of a node that calls a single tool.
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

/// Returns the error message for a tool that has reported an error.
pub(super) fn returned_error(tool: &str, text: &str) -> String {
    format!("MCP tool {tool} returned error: {text}")
}

/// A tool to call, and its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Invocation {
    pub(super) tool: String,
    pub(super) arguments: Option<Value>,
    /// Whether the tool belongs to the debugging kit, whose error messages have another form.
    pub(super) is_debugging: bool,
}

impl Invocation {
    /// Returns the call of a tool that does not belong to the debugging kit.
    pub(super) fn new(tool: &str, arguments: Value) -> Self {
        Self {
            tool: tool.to_owned(),
            arguments: Some(arguments),
            is_debugging: false,
        }
    }

    /// Returns whether the tool finds texts. If such a tool finds nothing, its answer may list the texts on the screen.
    pub(super) fn finds_text(&self) -> bool {
        self.tool == "find_text" && !self.is_debugging
    }
}

/// Returns the tool call of a node that makes exactly one. Other nodes have tasks of their own.
pub(super) fn invocation(kind: &NodeKind) -> Invocation {
    let (tool, arguments) = match kind {
        NodeKind::McpToolCall {
            tool_name,
            arguments,
        } => {
            let arguments = match arguments {
                Value::Null => json!({}),
                any => any.clone(),
            };
            (tool_name.as_str(), arguments)
        }
        NodeKind::AppDebugKitOp {
            operation_name,
            parameters,
        } => {
            return Invocation {
                tool: operation_name.clone(),
                arguments: Some(parameters.clone()).filter(|any| !any.is_null()),
                is_debugging: true,
            };
        }
        kind => desktop_tool(kind),
    };
    Invocation::new(tool, arguments)
}

/// Returns the desktop tool that a node calls, and the arguments of the call.
fn desktop_tool(kind: &NodeKind) -> (&'static str, Value) {
    match kind {
        NodeKind::TakeScreenshot {
            mode,
            target,
            include_ocr,
        } => (
            "take_screenshot",
            screenshot(*mode, target.as_deref(), *include_ocr),
        ),
        NodeKind::FindText { search_text } => ("find_text", json!({"text": search_text})),
        NodeKind::FindImage {
            template_image,
            threshold,
            max_results,
        } => {
            let mut arguments = json!({"threshold": threshold, "max_results": max_results});
            add(
                &mut arguments,
                "template_image_base64",
                template_image.clone(),
            );
            ("find_image", arguments)
        }
        NodeKind::Click(click) => ("click", click_arguments(click)),
        NodeKind::TypeText { text } => ("type_text", json!({"text": text})),
        NodeKind::PressKey { key, modifiers } => {
            let mut arguments = json!({"key": key});
            let modifiers = Some(modifiers.clone()).filter(|keys| !keys.is_empty());
            add(&mut arguments, "modifiers", modifiers);
            ("press_key", arguments)
        }
        NodeKind::Scroll { delta_y, x, y } => {
            let mut arguments = json!({"delta_y": delta_y});
            add(&mut arguments, "x", *x);
            add(&mut arguments, "y", *y);
            ("scroll", arguments)
        }
        NodeKind::ListWindows { app_name } => {
            let mut arguments = json!({});
            add(&mut arguments, "app_name", app_name.clone());
            ("list_windows", arguments)
        }
        NodeKind::FocusWindow { method, value } => {
            ("focus_window", focus(*method, value.as_deref()))
        }
        // These nodes call no desktop tool of their own, so no task uses this value.
        NodeKind::AiStep(_)
        | NodeKind::McpToolCall { .. }
        | NodeKind::AppDebugKitOp { .. }
        | NodeKind::FindChain { .. }
        | NodeKind::Automate { .. }
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::Loop { .. }
        | NodeKind::EndLoop { .. }
        | NodeKind::Unknown => ("", json!({})),
    }
}

/// Returns the arguments for the tool `take_screenshot`.
pub(super) fn screenshot(mode: ScreenshotMode, app: Option<&str>, include_ocr: bool) -> Value {
    let mode = match mode {
        ScreenshotMode::Screen => "screen",
        ScreenshotMode::Window => "window",
        ScreenshotMode::Region => "region",
    };
    let mut arguments = json!({"mode": mode, "include_ocr": include_ocr});
    add(&mut arguments, "app_name", app);
    arguments
}

/// Returns the arguments for the tool `click`.
pub(super) fn click_arguments(click: &Click) -> Value {
    let button = match click.button {
        MouseButton::Left => "left",
        MouseButton::Right => "right",
        MouseButton::Center => "center",
    };
    let mut arguments = json!({"button": button, "click_count": click.click_count});
    add(&mut arguments, "x", click.x);
    add(&mut arguments, "y", click.y);
    arguments
}

/// Returns the arguments for the tool `focus_window`. An id that is no number is left out.
pub(super) fn focus(method: FocusMethod, value: Option<&str>) -> Value {
    let mut arguments = json!({});
    let number = value.and_then(|value| value.parse::<u64>().ok());
    match method {
        FocusMethod::AppName => add(&mut arguments, "app_name", value),
        FocusMethod::WindowId => add(&mut arguments, "window_id", number),
        FocusMethod::Pid => add(&mut arguments, "pid", number),
    }
    arguments
}

fn add(arguments: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let (Some(value), Some(members)) = (value, arguments.as_object_mut()) {
        let members: &mut Map<String, Value> = members;
        members.insert(name.to_owned(), value.into());
    }
}
