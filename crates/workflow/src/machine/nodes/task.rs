//! The task of a node, by the node's type.

use crate::machine::graph::{FocusMethod, NodeKind, ScreenshotMode};
use crate::machine::interface::{AutomateCall, InvestigateCall, Outcome};

use super::ai_task::AiTask;
use super::app_task::{AppTask, Then};
use super::automate_task;
use super::child_task::ChildTask;
use super::click_task::ClickTask;
use super::context::{Step, TaskContext};
use super::find_task::FindTask;
use super::invocation::invocation;
use super::tool_task::ToolTask;

/// The task that one attempt of a node carries out.
#[derive(Debug, Clone)]
pub enum Task {
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
            Self::Automate(call) => automate_task::begin(call, context),
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
            Self::Automate(_) => automate_task::resume(outcome, context),
        }
    }
}
