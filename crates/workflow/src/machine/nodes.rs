//! The tasks that carry out nodes: one kind of task for each kind of node.
//!
//! A task is begun, and then resumed with the outcome of each action that it requests, until it is done or has failed.
//! It knows nothing about edges, retries and variables.

mod ai;
mod desktop;
mod resolution;
mod tool;

use kernel::Millis;
use serde_json::{Value, json};

use super::graph::{AUTOMATE_NOUN, ChildKind, FocusMethod, Node, NodeKind, ScreenshotMode};
use super::interface::{
    Action, AutomateCall, Dialect, InvestigateCall, Outcome, ToolCall, ToolFailure, ToolResult,
};
use super::notice::NoticeKind;
use super::values::parse_text;
use ai::AiTask;
use desktop::{AppTask, ClickTask, FindTask, Then};
use tool::{ToolTask, invocation};

pub(super) use resolution::{Caches, evict};

/// The longest text of a tool's answer in a trace, in bytes.
const TRACE_TEXT_BYTES_MAX: usize = 8_192;

/// The task that carries out one attempt of a node.
#[derive(Debug, Clone)]
pub(super) enum Task {
    Tool(ToolTask),
    Find(FindTask),
    Click(ClickTask),
    App(AppTask),
    Ai(Box<AiTask>),
    Child(ChildTask),
    Automate(AutomateCall),
}

impl Task {
    /// Begins the task for an attempt of a node, which must not be a control node.
    pub fn begin(context: &mut TaskContext<'_>) -> (Self, Step) {
        let node = context.node;
        let mut task = match &node.kind {
            NodeKind::AiStep(step) => Self::Ai(Box::new(AiTask::new(step, context.now))),
            NodeKind::FindChain {
                person_a,
                person_b,
                options,
            } => Self::Child(ChildTask::new(InvestigateCall {
                person_a: person_a.clone(),
                person_b: person_b.clone(),
                options: options.clone(),
                nano_usd_max: context.nano_usd_left,
            })),
            NodeKind::Automate { request } => Self::Automate(AutomateCall {
                request: request.clone().into(),
                nano_usd_max: context.nano_usd_left,
            }),
            NodeKind::Click(click) if click.x.is_none() => match &click.target {
                Some(target) => Self::Click(ClickTask::new(target)),
                None => Self::of_invocation(&node.kind),
            },
            NodeKind::FocusWindow {
                method: FocusMethod::AppName,
                value: Some(app),
            } => Self::App(AppTask::new(app, Then::Focus)),
            NodeKind::TakeScreenshot {
                mode: ScreenshotMode::Window,
                target: Some(app),
                include_ocr,
            } => Self::App(AppTask::new(
                app,
                Then::Screenshot {
                    include_ocr: *include_ocr,
                },
            )),
            kind => Self::of_invocation(kind),
        };
        let step = match &mut task {
            Self::Tool(task) => task.begin(context),
            Self::Find(task) => task.begin(context),
            Self::Click(task) => task.begin(context),
            Self::App(task) => task.begin(context),
            Self::Ai(task) => task.begin(context),
            Self::Child(task) => task.begin(context),
            Self::Automate(call) => begin_automaton(call, context),
        };
        (task, step)
    }

    fn of_invocation(kind: &NodeKind) -> Self {
        let invocation = invocation(kind);
        if invocation.finds_text() {
            Self::Find(FindTask::of_node(invocation))
        } else {
            Self::Tool(ToolTask::new(invocation))
        }
    }

    /// Resumes the task with the outcome of the action that it requested last.
    pub fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        match self {
            Self::Tool(task) => task.resume(outcome, context),
            Self::Find(task) => task.resume(outcome, context),
            Self::Click(task) => task.resume(outcome, context),
            Self::App(task) => task.resume(outcome, context),
            Self::Ai(task) => task.resume(outcome, context),
            Self::Child(_) => ChildTask::resume(outcome, context),
            Self::Automate(_) => resume_automaton(outcome, context),
        }
    }
}

/// What a task needs next, or how it ended.
#[derive(Debug)]
pub(super) enum Step {
    /// The task requests this action, and must be resumed with its outcome.
    Do(Action),
    /// The task is done, and this is the node's value.
    Done(Value),
    /// The task has failed for this reason.
    Failed(Fault),
    /// The task ended because the user has stopped the run.
    Stopped,
}

/// Why an attempt of a node failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The reason in words, for viewers.
    pub error: String,
    /// Whether the attempt sent something whose outcome is unknown.
    pub is_unknown: bool,
}

impl Step {
    /// Returns the failure of an attempt that sent nothing whose outcome is unknown.
    fn failed(error: impl Into<String>) -> Self {
        Self::Failed(Fault {
            error: error.into(),
            is_unknown: false,
        })
    }

    /// Returns the failure of a task whose call, described by `what`, has no result.
    fn call_failed(what: &str, failure: &ToolFailure) -> Self {
        Self::Failed(Fault {
            error: format!("{what} failed: Tool call failed: {}", failure.says()),
            is_unknown: matches!(failure, ToolFailure::UnknownOutcome(_)),
        })
    }

    /// Returns the failure for an outcome that does not belong to the requested kind of action. No executor produces
    /// such an outcome.
    fn misfit() -> Self {
        Self::failed("an answer came that fits no question")
    }
}

/// What a task can use of the run.
pub(super) struct TaskContext<'run> {
    pub node: &'run Node,
    pub dialect: Dialect,
    pub caches: &'run mut Caches,
    /// The notices that the task wants to emit about its node.
    pub told: &'run mut Vec<NoticeKind>,
    pub now: Millis,
    /// What the run may still spend, in billionths of a dollar; `None` for no limit.
    pub nano_usd_left: Option<u64>,
    /// Whether the user has stopped the run.
    pub is_stopping: bool,
}

impl TaskContext<'_> {
    /// Requests a call of a tool on the node's server, and emits a notice of the call.
    fn call(&mut self, tool: &str, arguments: Option<Value>) -> Step {
        self.call_of_model(tool, arguments, None)
    }

    /// Requests a call of a tool on the node's server, and emits a notice of the call. `index` is the number of the
    /// call in an AI step, from 0.
    fn call_of_model(&mut self, tool: &str, arguments: Option<Value>, index: Option<u32>) -> Step {
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

    /// Emits a tool's answer, and warnings about pictures and sounds that were not stored.
    fn tell_result(&mut self, tool: &str, result: &ToolResult) {
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

    /// Returns a tool's answer as a value, according to the dialect.
    fn value(&self, result: &ToolResult) -> Value {
        match self.dialect {
            Dialect::Strict => strict_value(result),
            Dialect::Seed | Dialect::Clickweave => parse_text(&result.text()),
        }
    }

    /// Returns the list in a tool's answer; empty if the answer is no list.
    fn list(&self, result: &ToolResult) -> Vec<Value> {
        match self.value(result) {
            Value::Array(list) => list,
            _ => Vec::new(),
        }
    }
}

/// Returns the warnings about pictures and sounds in a tool's answer that were not stored.
pub(super) fn warnings(tool: &str, result: &ToolResult) -> impl Iterator<Item = NoticeKind> {
    let left_out = result.left_out();
    left_out.map(move |media| NoticeKind::Warning(format!("of what {tool} answered {media}")))
}

/// Returns a tool's structured content; if there is none, the first text that is a JSON list or object; and if there is
/// none either, all of the text.
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

/// Returns at most `bytes_max` bytes from the start of a text, without splitting a character.
fn beginning(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The task of a node that begins an investigation and waits for its end.
#[derive(Debug, Clone)]
pub(super) struct ChildTask {
    call: InvestigateCall,
}

impl ChildTask {
    fn new(call: InvestigateCall) -> Self {
        Self { call }
    }

    fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        let InvestigateCall {
            person_a, person_b, ..
        } = &self.call;
        context.told.push(NoticeKind::Child {
            kind: ChildKind::Chain,
            run: None,
            message: format!("Looks for a chain from {person_a} to {person_b}."),
        });
        Step::Do(Action::Investigate(self.call.clone()))
    }

    fn resume(outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        let Outcome::Investigated(end) = outcome else {
            return Step::misfit();
        };
        match end {
            Ok(end) => {
                let hops = end.path.len().saturating_sub(1);
                let value = json!({
                    "found": !end.path.is_empty(),
                    "hops": hops,
                    "path": end.path,
                    "run": end.run,
                    "message": end.message,
                });
                context.told.push(NoticeKind::Child {
                    kind: ChildKind::Chain,
                    run: Some(end.run),
                    message: end.message,
                });
                Step::Done(value)
            }
            Err(failure) => {
                context.told.push(NoticeKind::Child {
                    kind: ChildKind::Chain,
                    run: failure.run,
                    message: failure.message.clone(),
                });
                Step::failed(failure.message)
            }
        }
    }
}

/// Requests the automaton of a node, and emits a notice that the automaton begins.
fn begin_automaton(call: &AutomateCall, context: &mut TaskContext<'_>) -> Step {
    let message = match call.request.get(AUTOMATE_NOUN).and_then(Value::as_str) {
        Some(name) => format!("Begins the {AUTOMATE_NOUN} {name}."),
        None => format!("Begins an {AUTOMATE_NOUN}."),
    };
    tell_of_automaton(context, None, message);
    Step::Do(Action::Automate(call.clone()))
}

/// Handles the end of the automaton. The node's value contains how the automaton ended, and what it read from its last
/// page.
fn resume_automaton(outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
    let Outcome::Automated(end) = outcome else {
        return Step::misfit();
    };
    match end {
        Ok(end) => {
            let member = |name| end.value.get(name).cloned().unwrap_or_default();
            let value = json!({
                "end_state": member("endState"),
                "url": member("url"),
                "title": member("title"),
                "texts": member("texts"),
                "run": end.run,
                "message": end.message,
            });
            tell_of_automaton(context, Some(end.run), end.message);
            Step::Done(value)
        }
        Err(failure) => {
            tell_of_automaton(context, failure.run, failure.message.clone());
            Step::Failed(Fault {
                error: failure.message,
                is_unknown: failure.is_unknown,
            })
        }
    }
}

fn tell_of_automaton(context: &mut TaskContext<'_>, run: Option<String>, message: String) {
    context.told.push(NoticeKind::Child {
        kind: ChildKind::Automate,
        run,
        message,
    });
}
