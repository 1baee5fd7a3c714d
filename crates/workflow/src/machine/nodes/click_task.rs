//! A click at a text: the task finds the text, then clicks at its place.

use serde_json::{Value, json};

use crate::machine::graph::{Click, NodeKind};
use crate::machine::interface::{Outcome, ToolResult};
use crate::machine::notice::NoticeKind;

use super::context::{Step, TaskContext};
use super::find_task::{FindStep, FindTask};
use super::invocation::{Invocation, click_arguments};
use super::tool_task::ToolTask;

/// The longest text of a tool that an error shows, in characters.
const ERROR_CHARS_MAX: usize = 120;

/// A task that clicks at a text.
#[derive(Debug, Clone)]
pub struct ClickTask {
    target: String,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
    New,
    Finding { task: FindTask, app: Option<String> },
    Clicking(ToolTask),
}

impl ClickTask {
    pub(super) fn new(target: &str) -> Self {
        Self {
            target: target.to_owned(),
            state: State::New,
        }
    }

    pub(super) fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        let app = context.caches.focused_app.clone();
        let arguments = match &app {
            Some(app) => json!({"text": self.target, "app_name": app}),
            None => json!({"text": self.target}),
        };
        let mut task = FindTask::of_click(arguments, &self.target);
        let step = task.begin(context);
        self.state = State::Finding { task, app };
        step
    }

    pub(super) fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        match &mut self.state {
            State::New => Step::misfit(),
            State::Clicking(task) => task.resume(outcome, context),
            State::Finding { task, app } => match task.look(outcome, context) {
                FindStep::Go(step) => step,
                FindStep::Found(result) => {
                    let app = app.take();
                    self.click(&result, app, context)
                }
            },
        }
    }

    fn click(
        &mut self,
        result: &ToolResult,
        app: Option<String>,
        context: &mut TaskContext<'_>,
    ) -> Step {
        let matches = context.list(result);
        let target = &self.target;
        let Some(best) = matches.first() else {
            let text: String = result.text().chars().take(ERROR_CHARS_MAX).collect();
            return Step::failed(format!(
                "Could not find text '{target}' on screen (find_text returned: {text})"
            ));
        };
        let place = |axis: &str| best.get(axis).and_then(Value::as_f64);
        let missing = |axis| {
            Step::failed(format!(
                "find_text match for '{target}' missing '{axis}' coordinate"
            ))
        };
        let Some(x) = place("x") else {
            return missing("x");
        };
        let Some(y) = place("y") else {
            return missing("y");
        };
        let found_text = best.get("text").and_then(Value::as_str).unwrap_or(target);
        context.told.push(NoticeKind::TargetResolved {
            target: target.clone(),
            x,
            y,
            matched_text: found_text.to_owned(),
            app_name: app,
        });
        let NodeKind::Click(click) = &context.node.kind else {
            return Step::misfit();
        };
        let arguments = click_arguments(&Click {
            x: Some(x),
            y: Some(y),
            ..click.clone()
        });
        let mut task = ToolTask::new(Invocation::new("click", arguments));
        let step = task.begin(context);
        self.state = State::Clicking(task);
        step
    }
}
