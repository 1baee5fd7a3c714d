//! The search for a text. Where the text is not there, but the screen's elements are known, a model
//! says which of them is meant, and the task looks for that one.

use serde_json::Value;

use crate::machine::interface::{Action, Outcome, ToolResult};
use crate::machine::notice::NoticeKind;

use super::context::{Step, TaskContext};
use super::invocation::Invocation;
use super::resolution::{ElementQuestion, available_elements, chosen_element};
use super::tool_task::returned_error;

/// A task that looks for a text.
#[derive(Debug, Clone)]
pub struct FindTask {
    arguments: Value,
    /// The words with which its failure begins.
    what: String,
    state: State,
}

#[derive(Debug, Clone)]
enum State {
    Asked,
    /// A model is asked which element is meant.
    Resolving {
        found: ToolResult,
        question: ElementQuestion,
    },
    /// The element that is meant is looked for.
    Again {
        found: ToolResult,
    },
}

/// The result of looking for a text.
pub(super) enum FindStep {
    Go(Step),
    /// The text was looked for: this is the answer, which may hold nothing.
    Found(ToolResult),
}

impl FindTask {
    /// Returns the task of a node that looks for a text.
    pub(super) fn of_node(invocation: Invocation) -> Self {
        Self {
            arguments: invocation.arguments.unwrap_or_default(),
            what: "MCP tool find_text".to_owned(),
            state: State::Asked,
        }
    }

    /// Returns the task of a click at this text.
    pub(super) fn of_click(arguments: Value, target: &str) -> Self {
        Self {
            arguments,
            what: format!("find_text for '{target}'"),
            state: State::Asked,
        }
    }

    pub(super) fn begin(&mut self, context: &mut TaskContext<'_>) -> Step {
        context.call("find_text", Some(self.arguments.clone()))
    }

    /// Goes on as the whole task of a node.
    pub(super) fn resume(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> Step {
        match self.look(outcome, context) {
            FindStep::Go(step) => step,
            FindStep::Found(result) => Step::Done(context.value(&result)),
        }
    }

    /// Goes on as a part of another task.
    pub(super) fn look(&mut self, outcome: Outcome, context: &mut TaskContext<'_>) -> FindStep {
        match (std::mem::replace(&mut self.state, State::Asked), outcome) {
            (State::Asked, Outcome::Called(Err(failure))) => {
                FindStep::Go(Step::call_failed(&self.what, &failure))
            }
            (State::Asked, Outcome::Called(Ok(found))) => {
                context.tell_result("find_text", &found);
                if found.is_error {
                    let error = returned_error("find_text", &found.text());
                    return FindStep::Go(Step::failed(error));
                }
                self.resolve(found, context)
            }
            (State::Resolving { found, question }, Outcome::Chatted(reply)) => {
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
            (State::Again { found }, Outcome::Called(again)) => match again {
                Ok(again) if !again.is_error => {
                    context.tell_result("find_text", &again);
                    FindStep::Found(again)
                }
                Err(failure) => match Step::call_failed(&self.what, &failure) {
                    // Nothing is looked for twice where nobody knows whether it was looked for.
                    Step::Failed(fault) if fault.is_unknown => FindStep::Go(Step::Failed(fault)),
                    _ => FindStep::Found(found),
                },
                Ok(_) => FindStep::Found(found),
            },
            _ => FindStep::Go(Step::misfit()),
        }
    }

    /// Asks which element is meant, where nothing was found and some are there.
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
        self.state = State::Resolving { found, question };
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
        self.state = State::Again { found };
        FindStep::Go(context.call("find_text", Some(arguments)))
    }
}
