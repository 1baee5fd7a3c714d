//! Something done with an app that the user names in words: the task finds out which running app is
//! meant, then does it.

use crate::machine::graph::{FocusMethod, ScreenshotMode};
use crate::machine::interface::{Action, Outcome, ToolFailure};
use crate::machine::notice::NoticeKind;

use super::caches::App;
use super::context::{Step, TaskContext};
use super::invocation::{Invocation, focus, screenshot};
use super::resolution::{AppQuestion, chosen_app};
use super::tool_task::ToolTask;

/// The action on the app.
#[derive(Debug, Clone, Copy)]
pub(super) enum Then {
    Focus,
    Screenshot { include_ocr: bool },
}

/// A task that finds out which app is meant, and does something with it.
#[derive(Debug, Clone)]
pub struct AppTask {
    user_input: String,
    then: Then,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
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
            state: State::New,
        }
    }

    pub(super) fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        if let Some(app) = context.caches.apps.get(&self.user_input).cloned() {
            return self.act(&app, context);
        }
        self.state = State::Apps;
        context.call(
            "list_apps",
            Some(serde_json::json!({"user_apps_only": true})),
        )
    }

    pub(super) fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        match (std::mem::replace(&mut self.state, State::New), outcome) {
            (State::Apps, Outcome::Called(Ok(apps))) => {
                context.tell_result("list_apps", &apps);
                self.state = State::Windows { apps: apps.text() };
                context.call("list_windows", None)
            }
            (State::Apps, Outcome::Called(Err(failure))) => not_listed("apps", &failure),
            (State::Windows { apps }, Outcome::Called(Ok(windows))) => {
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
                self.state = State::Asking(question);
                Step::Do(chat)
            }
            (State::Windows { .. }, Outcome::Called(Err(failure))) => {
                not_listed("windows", &failure)
            }
            (State::Asking(_), Outcome::Chatted(Err(failure))) => Step::failed(format!(
                "LLM error during app resolution: {}",
                failure.detail()
            )),
            (State::Asking(question), Outcome::Chatted(Ok(reply))) => {
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
            (State::Doing(mut task), outcome) => task.resume(outcome, context),
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
        self.state = State::Doing(task);
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
