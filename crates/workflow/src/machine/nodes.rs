//! The tasks of the types of nodes: each asks for one thing after the other.
//!
//! A task is begun, then resumed with what came of each thing that it asked for, until it is done or
//! has failed. It knows nothing of edges, retries and variables.

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

/// The longest text of a tool that a trace holds, in bytes.
const TRACE_TEXT_BYTES_MAX: usize = 8_192;

/// The task that one attempt of a node carries out.
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
    /// Begins an attempt of a node that is no control node.
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

    /// Goes on with the outcome of the last action that the task asked for.
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

/// The next step of a task.
#[derive(Debug)]
pub(super) enum Step {
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
pub(super) struct Fault {
    /// The reason in words.
    pub error: String,
    /// Whether something was sent and nobody knows what came of it.
    pub is_unknown: bool,
}

impl Step {
    /// Returns the step of a task that cannot be done, for a reason that is known.
    fn failed(error: impl Into<String>) -> Self {
        Self::Failed(Fault {
            error: error.into(),
            is_unknown: false,
        })
    }

    /// Returns the step of a task whose call gave no result.
    fn call_failed(what: &str, failure: &ToolFailure) -> Self {
        Self::Failed(Fault {
            error: format!("{what} failed: Tool call failed: {}", failure.says()),
            is_unknown: matches!(failure, ToolFailure::UnknownOutcome(_)),
        })
    }

    /// Returns the step of a task whose outcome answers another question. No engine makes such an
    /// outcome.
    fn misfit() -> Self {
        Self::failed("an answer came that fits no question")
    }
}

/// The part of the run that a task may look at and change beside itself.
pub(super) struct TaskContext<'run> {
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
    fn call(&mut self, tool: &str, arguments: Option<Value>) -> Step {
        self.call_of_model(tool, arguments, None)
    }

    /// Calls a tool of the node's server, as the call of this number, from 0, of an AI step.
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

    /// Tells what a tool answered.
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

    /// Returns a tool's answer as a value.
    fn value(&self, result: &ToolResult) -> Value {
        match self.dialect {
            Dialect::Strict => strict_value(result),
            Dialect::Seed | Dialect::Clickweave => parse_text(&result.text()),
        }
    }

    /// Returns the entries of a list that a tool gave. The list is empty where the tool gave
    /// something else.
    fn list(&self, result: &ToolResult) -> Vec<Value> {
        match self.value(result) {
            Value::Array(list) => list,
            _ => Vec::new(),
        }
    }
}

/// Returns what viewers are told of the pictures and sounds that a tool gave and the run does not keep.
pub(super) fn warnings(tool: &str, result: &ToolResult) -> impl Iterator<Item = NoticeKind> {
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
fn beginning(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// A task that waits for a run of another engine.
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

/// Begins the automaton.
fn begin_automaton(call: &AutomateCall, context: &mut TaskContext<'_>) -> Step {
    let message = match call.request.get(AUTOMATE_NOUN).and_then(Value::as_str) {
        Some(name) => format!("Begins the {AUTOMATE_NOUN} {name}."),
        None => format!("Begins an {AUTOMATE_NOUN}."),
    };
    tell_of_automaton(context, None, message);
    Step::Do(Action::Automate(call.clone()))
}

/// Takes in how the automaton ended: its end, and what it read, are the node's value.
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
