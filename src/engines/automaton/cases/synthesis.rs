//! The models of a case that makes states, and its steps in the form in which a case records them.

use serde_json::{Value, json};

use crate::engines::automaton::machine::synthesis::{Answers, Element, RecordedAction};
use crate::engines::automaton::machine::{Ending, Notice, NoticeKind};

use super::recorder::{Recorder, error, result};
use super::settings::{to_ms, to_seconds};

/// The models of a case: what they answer, one entry a round.
pub(super) struct Models<'case> {
    rounds: std::slice::Iter<'case, Value>,
}

impl<'case> Models<'case> {
    pub(super) fn of(model: &'case Value) -> Self {
        let rounds = model.as_array().map(Vec::as_slice).unwrap_or_default();
        Self {
            rounds: rounds.iter(),
        }
    }

    /// Returns the answers of the next round, and the milliseconds that they take.
    pub(super) fn answer(&mut self) -> (Result<Answers, String>, u64) {
        let Some(round) = self.rounds.next() else {
            return (Err("the case has no further answer of a model".into()), 0);
        };
        let list = |name: &str| {
            let list = round.get(name).and_then(Value::as_array);
            list.map(Vec::as_slice).unwrap_or_default()
        };
        let keys = list("triggers").iter().filter_map(Value::as_str);
        let answers = Answers {
            choice: text(round.get("choose")),
            triggers: keys.map(str::to_owned).collect(),
            actions: list("actions").iter().map(action).collect(),
        };
        let takes = round.get("takes").and_then(Value::as_f64);
        (Ok(answers), takes.and_then(to_ms).unwrap_or(0))
    }
}

fn member<'json>(object: &'json Value, name: &str) -> &'json Value {
    object.get(name).unwrap_or(&Value::Null)
}

fn text(value: Option<&Value>) -> String {
    let text = value.and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn action(json: &Value) -> RecordedAction {
    let arguments = json
        .get("args")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let element = json.get("element").filter(|element| element.is_object());
    RecordedAction {
        name: text(json.get("name")),
        arguments: arguments
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        element: element.map(|element| {
            let number = |name: &str| element.get(name).and_then(Value::as_f64);
            let selector = element.get("enhanced_css_selector").and_then(Value::as_str);
            Element {
                selector: selector.map(str::to_owned),
                x: number("x"),
                y: number("y"),
                width: number("width"),
                height: number("height"),
            }
        }),
    }
}

/// The steps of a run that makes states.
#[derive(Default)]
pub(super) struct StepRecorder {
    parameters: Value,
    steps: Vec<Value>,
    /// The time at which a loop begins, as soon as something happens in it.
    begins_at: Option<Value>,
    /// The loop that goes on, and when it began.
    in_loop: Option<(Value, Recorder)>,
    /// The time at which the making of a state began, and the triggers that were offered.
    in_making: (Value, Vec<String>),
    ended: Option<(Value, Value)>,
}

impl StepRecorder {
    pub(super) fn new(parameters: &Value) -> Self {
        Self {
            parameters: parameters.clone(),
            ..Self::default()
        }
    }

    /// Takes in a notice.
    pub(super) fn take(&mut self, notice: Notice) {
        let at = to_seconds(notice.at.0);
        match notice.kind {
            NoticeKind::Started { .. } => self.begins_at = Some(at),
            NoticeKind::Making { why } => {
                self.open_loop();
                let result = json!({"success": false, "error": error(&why)});
                self.close_loop(&result, &at);
                self.in_making.0 = at;
            }
            NoticeKind::Offered { offers } => self.in_making.1 = offers,
            NoticeKind::StateMade { written } => {
                let (begin, offered) = std::mem::take(&mut self.in_making);
                self.steps.push(json!({
                    "do": "synthesise",
                    "at": begin,
                    "offered": offered,
                    "new_state": written,
                    "until": at,
                }));
                self.begins_at = Some(at);
            }
            NoticeKind::Ended { ref ending, .. } => self.end(ending, at),
            NoticeKind::Warning { .. } => {}
            _ => {
                self.open_loop();
                if let Some((_, recorder)) = &mut self.in_loop {
                    recorder.take(notice);
                }
            }
        }
    }

    fn end(&mut self, ending: &Ending, at: Value) {
        let result = result(ending);
        // A run that ends with the state that was made has no further loop.
        let has_loop = self.in_loop.is_some() || self.steps.is_empty();
        if has_loop {
            self.open_loop();
            let result =
                json!({"success": member(&result, "success"), "error": member(&result, "error")});
            self.close_loop(&result, &at);
        }
        self.ended = Some((result, at));
    }

    fn open_loop(&mut self) {
        if let Some(at) = self.begins_at.take() {
            self.in_loop = Some((at, Recorder::new(&self.parameters)));
        }
    }

    fn close_loop(&mut self, result: &Value, until: &Value) {
        if let Some((at, recorder)) = self.in_loop.take() {
            let (polls, runs) = recorder.into_parts();
            self.steps.push(json!({
                "do": "execute",
                "at": at,
                "polls": polls,
                "runs": runs,
                "result": result,
                "until": until,
            }));
        }
    }

    /// Returns everything in the form of `expect`.
    pub(super) fn into_expect(self, executed: &[String], states: &[String]) -> Value {
        let Some((result, at)) = self.ended else {
            return json!({"steps": self.steps, "final": null});
        };
        let has_broken = member(&result, "success").is_null();
        json!({
            "steps": self.steps,
            "final": {
                "success": member(&result, "success"),
                "error": member(&result, "error"),
                "message": member(&result, "message"),
                "executed": (!has_broken).then_some(executed),
                "states": states,
                "at": at,
            },
        })
    }
}
