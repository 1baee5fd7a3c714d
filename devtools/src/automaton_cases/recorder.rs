//! Records what a run emits, in the form of a case.

use serde_json::{Map, Value, json};

use automaton::machine::grammar::{Call, Text, TextPart, Value as Argument};
use automaton::machine::{Ending, Notice, NoticeKind, Place, WhyFailed};

/// The record of a run, in the form of a case.
#[derive(Default)]
pub(super) struct Recorder {
    parameters: Map<String, Value>,
    runs: Vec<Value>,
    result: Option<Value>,
}

impl Recorder {
    pub(super) fn new(parameters: &Value) -> Self {
        Self {
            parameters: parameters.as_object().cloned().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Records a notice.
    pub(super) fn take(&mut self, notice: Notice) {
        match notice.kind {
            NoticeKind::StateEntered { state, .. } => {
                self.runs.push(json!({"state": state, "calls": []}));
            }
            NoticeKind::ActionBegun { place, call } => {
                let call = json!({
                    "line": place.line,
                    "fn": call.function().as_ref(),
                    "args": self.arguments(&call),
                });
                self.change_run(|run| push(run, "calls", call));
            }
            NoticeKind::ActionFailed {
                place,
                cause,
                was_tried,
                ..
            } => self.change_run(|run| {
                if was_tried && let Some(call) = last(run, "calls") {
                    set(call, "failed", true.into());
                }
                let stopped = json!({"line": place.line, "kind": cause.as_ref()});
                set(run, "stopped", stopped);
            }),
            NoticeKind::Ended { ending, .. } => self.result = Some(result(&ending)),
            _ => {}
        }
    }

    /// Adds the browser events of an action to the current call.
    pub(super) fn take_events(&mut self, events: Vec<Value>) {
        self.change_run(|run| {
            if let Some(call) = last(run, "calls") {
                set(call, "events", events.into());
            }
        });
    }

    /// Returns the record in the form of `expect`, without looks and times.
    pub(super) fn into_expect(self, executed: &[usize]) -> Value {
        let mut result = self.result.unwrap_or_default();
        set(&mut result, "executed", executed.into());
        json!({"runs": self.runs, "result": result})
    }

    fn change_run(&mut self, change: impl FnOnce(&mut Value)) {
        if let Some(run) = self.runs.last_mut() {
            change(run);
        }
    }

    fn arguments(&self, call: &Call) -> Value {
        arguments(call, &self.parameters)
    }
}

/// Returns the arguments of a call with parameter values filled in.
pub(super) fn arguments(call: &Call, parameters: &Map<String, Value>) -> Value {
    let arguments = call.arguments().iter().map(|(name, value)| {
        let value = match value {
            Argument::Text(text) => filled_in(text, parameters).into(),
            Argument::Whole(whole) => (*whole).into(),
            Argument::Float(float) => (*float).into(),
            Argument::Flag(flag) => (*flag).into(),
            Argument::Nothing => Value::Null,
        };
        ((*name).to_owned(), value)
    });
    Value::Object(arguments.collect())
}

/// Returns a text with parameter values filled in.
pub(super) fn filled_in(text: &Text, parameters: &Map<String, Value>) -> String {
    let parts = text.parts().iter().map(|part| match part {
        TextPart::Literal(text) => text.as_str(),
        TextPart::Parameter(name) | TextPart::OneTimeCode(name) => {
            let value = parameters.get(name).and_then(Value::as_str);
            value.unwrap_or_default()
        }
        // NetGent extracts nothing.
        TextPart::Extracted(_) => "",
    });
    parts.collect()
}

/// Returns how a run ended.
fn result(ending: &Ending) -> Value {
    match ending {
        Ending::Completed { message, .. } => {
            json!({"success": true, "message": message, "error": null})
        }
        Ending::Failed { why, .. } => {
            json!({"success": false, "message": null, "error": error(why)})
        }
        Ending::Stopped => json!({"success": false, "message": null, "error": "stopped"}),
    }
}

/// Returns the error of a run.
fn error(why: &WhyFailed) -> Value {
    let mut error = json!({"kind": why.as_ref()});
    match why {
        WhyFailed::MultipleStates { states } => set(&mut error, "states", states.clone().into()),
        WhyFailed::StateTimeout { state } => set(&mut error, "state", (*state).into()),
        WhyFailed::Action {
            place: Place { state, line },
            cause,
        } => {
            set(&mut error, "state", (*state).into());
            set(&mut error, "line", (*line).into());
            set(&mut error, "cause", cause.as_ref().into());
        }
        _ => {}
    }
    error
}

fn set(object: &mut Value, name: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

fn push(object: &mut Value, name: &str, value: Value) {
    if let Some(list) = object.get_mut(name).and_then(Value::as_array_mut) {
        list.push(value);
    }
}

fn last<'value>(object: &'value mut Value, name: &str) -> Option<&'value mut Value> {
    object.get_mut(name)?.as_array_mut()?.last_mut()
}
