//! Tasks that act on something described in the user's words: an app, a text to click, or a text to find. Each first
//! finds out what is meant, and then acts on it.

use serde_json::{Value, json};

use crate::machine::graph::{Click, FocusMethod, NodeKind, ScreenshotMode};
use crate::machine::interface::{Action, Outcome, ToolFailure, ToolResult};
use crate::machine::notice::NoticeKind;

use super::resolution::{
    App, AppQuestion, ElementQuestion, available_elements, chosen_app, chosen_element,
};
use super::tool::{Invocation, ToolTask, click_arguments, focus, returned_error, screenshot};
use super::{Step, TaskContext};

/// The longest text of a tool's answer in an error message, in characters.
const ERROR_CHARS_MAX: usize = 120;

/// What to do with the app once it is known.
#[derive(Debug, Clone, Copy)]
pub(super) enum Then {
    Focus,
    Screenshot { include_ocr: bool },
}

/// The task that finds out which app is meant, and then acts on it.
#[derive(Debug, Clone)]
pub struct AppTask {
    user_input: String,
    then: Then,
    state: AppState,
}

#[derive(Debug, Clone)]
enum AppState {
    New,
    Apps,
    Windows { apps: String },
    Asking(AppQuestion),
    Doing(ToolTask),
}

impl AppTask {
    pub(super) fn new(user_input: &str, then: Then) -> Self {
        Self {
            user_input: user_input.to_owned(),
            then,
            state: AppState::New,
        }
    }

    pub(super) fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        if let Some(app) = context.caches.apps.get(&self.user_input).cloned() {
            return self.act(&app, context);
        }
        self.state = AppState::Apps;
        context.call("list_apps", Some(json!({"user_apps_only": true})))
    }

    pub(super) fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        match (std::mem::replace(&mut self.state, AppState::New), outcome) {
            (AppState::Apps, Outcome::Called(Ok(apps))) => {
                context.tell_result("list_apps", &apps);
                self.state = AppState::Windows { apps: apps.text() };
                context.call("list_windows", None)
            }
            (AppState::Apps, Outcome::Called(Err(failure))) => not_listed("apps", &failure),
            (AppState::Windows { apps }, Outcome::Called(Ok(windows))) => {
                context.tell_result("list_windows", &windows);
                if matches!(apps.trim(), "" | "[]" | "No apps found") {
                    return self.is_not_running("no matching apps found");
                }
                let question = AppQuestion {
                    user_input: self.user_input.clone(),
                    apps,
                    windows: windows.text(),
                };
                let chat = Action::Chat(question.chat());
                self.state = AppState::Asking(question);
                Step::Do(chat)
            }
            (AppState::Windows { .. }, Outcome::Called(Err(failure))) => {
                not_listed("windows", &failure)
            }
            (AppState::Asking(_), Outcome::Chatted(Err(failure))) => Step::failed(format!(
                "LLM error during app resolution: {}",
                failure.detail()
            )),
            (AppState::Asking(question), Outcome::Chatted(Ok(reply))) => {
                match chosen_app(&reply.text, &question) {
                    Ok(app) => {
                        context.told.push(NoticeKind::AppResolved {
                            user_input: self.user_input.clone(),
                            name: app.name.clone(),
                            pid: app.pid,
                        });
                        let key = self.user_input.clone();
                        context.caches.apps.insert(key, app.clone());
                        self.act(&app, context)
                    }
                    Err(why) => self.is_not_running(&why),
                }
            }
            (AppState::Doing(mut task), outcome) => task.resume(outcome, context),
            _ => Step::misfit(),
        }
    }

    fn act(&mut self, app: &App, context: &mut TaskContext<'_>) -> Step {
        let invocation = match self.then {
            Then::Focus => {
                context.caches.focused_app = Some(app.name.clone());
                let pid = app.pid.to_string();
                Invocation::new("focus_window", focus(FocusMethod::Pid, Some(&pid)))
            }
            Then::Screenshot { include_ocr } => Invocation::new(
                "take_screenshot",
                screenshot(ScreenshotMode::Window, Some(&app.name), include_ocr),
            ),
        };
        let mut task = ToolTask::new(invocation);
        let step = task.begin(context);
        self.state = AppState::Doing(task);
        step
    }

    fn is_not_running(&self, why: &str) -> Step {
        Step::failed(format!(
            "App \"{}\" is not running ({why}). Use launch_app to start it first.",
            self.user_input
        ))
    }
}

fn not_listed(what: &str, failure: &ToolFailure) -> Step {
    match Step::call_failed("", failure) {
        Step::Failed(mut fault) => {
            fault.error = format!(
                "Failed to list {what}: Tool call failed: {}",
                failure.says()
            );
            Step::Failed(fault)
        }
        step => step,
    }
}

/// The task that finds a text on the screen, and then clicks it.
#[derive(Debug, Clone)]
pub struct ClickTask {
    target: String,
    state: ClickState,
}

#[derive(Debug, Clone)]
enum ClickState {
    New,
    Finding { task: FindTask, app: Option<String> },
    Clicking(ToolTask),
}

impl ClickTask {
    pub(super) fn new(target: &str) -> Self {
        Self {
            target: target.to_owned(),
            state: ClickState::New,
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
        self.state = ClickState::Finding { task, app };
        step
    }

    pub(super) fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        match &mut self.state {
            ClickState::New => Step::misfit(),
            ClickState::Clicking(task) => task.resume(outcome, context),
            ClickState::Finding { task, app } => match task.look(outcome, context) {
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
        self.state = ClickState::Clicking(task);
        step
    }
}

/// The task that finds a text on the screen. If it is not found but the tool lists the screen's elements, a model says
/// which of them is meant, and the task looks for that one.
#[derive(Debug, Clone)]
pub struct FindTask {
    arguments: Value,
    /// The beginning of the task's error messages, which names the call.
    what: String,
    state: FindState,
}

#[derive(Debug, Clone)]
enum FindState {
    Asked,
    /// A model is being asked which element is meant.
    Resolving {
        found: ToolResult,
        question: ElementQuestion,
    },
    /// The tool is looking for the element that is meant.
    Again {
        found: ToolResult,
    },
}

/// What the task needs next, or what it found.
enum FindStep {
    Go(Step),
    /// The tool's last answer, which may contain no match.
    Found(ToolResult),
}

impl FindTask {
    /// Returns the task for a node that only finds a text.
    pub(super) fn of_node(invocation: Invocation) -> Self {
        Self {
            arguments: invocation.arguments.unwrap_or_default(),
            what: "MCP tool find_text".to_owned(),
            state: FindState::Asked,
        }
    }

    /// Returns the task for a click, which has to find the text `target` first.
    pub(super) fn of_click(arguments: Value, target: &str) -> Self {
        Self {
            arguments,
            what: format!("find_text for '{target}'"),
            state: FindState::Asked,
        }
    }

    pub(super) fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        context.call("find_text", Some(self.arguments.clone()))
    }

    /// Resumes the task of a node that only finds a text.
    pub(super) fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        match self.look(outcome, context) {
            FindStep::Go(step) => step,
            FindStep::Found(result) => Step::Done(context.value(&result)),
        }
    }

    /// Resumes the task with an outcome, as part of any node's task.
    fn look(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> FindStep {
        match (
            std::mem::replace(&mut self.state, FindState::Asked),
            outcome,
        ) {
            (FindState::Asked, Outcome::Called(Err(failure))) => {
                FindStep::Go(Step::call_failed(&self.what, &failure))
            }
            (FindState::Asked, Outcome::Called(Ok(found))) => {
                context.tell_result("find_text", &found);
                if found.is_error {
                    let error = returned_error("find_text", &found.text());
                    return FindStep::Go(Step::failed(error));
                }
                self.resolve(found, context)
            }
            (FindState::Resolving { found, question }, Outcome::Chatted(reply)) => {
                let reply = reply.ok();
                let chosen = reply.and_then(|reply| chosen_element(&reply.text, &question));
                match chosen {
                    Some(name) => {
                        context.told.push(NoticeKind::ElementResolved {
                            target: question.target.clone(),
                            name: name.clone(),
                            app_name: question.app.clone(),
                        });
                        let key = (question.target, question.app);
                        context.caches.elements.insert(key, name.clone());
                        self.look_again(found, &name, context)
                    }
                    None => FindStep::Found(found),
                }
            }
            (FindState::Again { found }, Outcome::Called(again)) => match again {
                Ok(again) if !again.is_error => {
                    context.tell_result("find_text", &again);
                    FindStep::Found(again)
                }
                Err(failure) => match Step::call_failed(&self.what, &failure) {
                    // A call that may have been executed fails the whole task, so that it is not repeated.
                    Step::Failed(fault) if fault.is_unknown => FindStep::Go(Step::Failed(fault)),
                    _ => FindStep::Found(found),
                },
                Ok(_) => FindStep::Found(found),
            },
            _ => FindStep::Go(Step::misfit()),
        }
    }

    /// Asks a model which element is meant, if the tool found nothing but lists elements.
    fn resolve(&mut self, found: ToolResult, context: &mut TaskContext<'_>) -> FindStep {
        let text = |name: &str| self.arguments.get(name).and_then(Value::as_str);
        let elements = available_elements(&found.text());
        let (Some(target), false) = (text("text"), elements.is_empty()) else {
            return FindStep::Found(found);
        };
        if !context.list(&found).is_empty() {
            return FindStep::Found(found);
        }
        let app = text("app_name").map(str::to_owned);
        let question = ElementQuestion {
            target: target.to_owned(),
            app: app.or_else(|| context.caches.focused_app.clone()),
            elements,
        };
        let key = (question.target.clone(), question.app.clone());
        if let Some(name) = context.caches.elements.get(&key).cloned() {
            return self.look_again(found, &name, context);
        }
        let chat = Action::Chat(question.chat());
        self.state = FindState::Resolving { found, question };
        FindStep::Go(Step::Do(chat))
    }

    fn look_again(
        &mut self,
        found: ToolResult,
        name: &str,
        context: &mut TaskContext<'_>,
    ) -> FindStep {
        let mut arguments = self.arguments.clone();
        if let Some(text) = arguments.get_mut("text") {
            *text = Value::from(name);
        }
        self.state = FindState::Again { found };
        FindStep::Go(context.call("find_text", Some(arguments)))
    }
}
