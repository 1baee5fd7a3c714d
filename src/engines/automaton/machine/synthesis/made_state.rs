//! The state that becomes of a model's answers.

use serde_json::{Value, json};

use crate::engines::automaton::machine::states::{Automaton, Prompt, State};

use super::offer::Offer;
use super::recorded_action::RecordedAction;

/// The name of the action that ends the making of a state, and is not kept.
const TERMINATE: &str = "terminate";

/// The answers of models while a state was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    /// The answer that chooses one of the prompts.
    pub choice: String,
    /// The keys of the triggers that identify the page.
    pub triggers: Vec<String>,
    /// The actions that were recorded. None of them was carried out.
    pub actions: Vec<RecordedAction>,
}

/// A state that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeState {
    /// The state.
    pub state: State,
    /// The state as it is written in a file, in the old format.
    pub written: Value,
}

impl MadeState {
    /// Makes the state of a prompt. Keys that were not offered are dropped, so that a state may have no
    /// checks. An error is a part of a sentence.
    pub fn of(prompt: &Prompt, offers: &[Offer], answers: &Answers) -> Result<Self, String> {
        let offered = |key: &String| offers.iter().find(|offer| offer.key == *key);
        let checks = answers.triggers.iter().filter_map(offered);
        let checks = checks.map(|offer| json!({"type": offer.kind, "value": offer.value}));
        let kept = answers
            .actions
            .iter()
            .filter(|action| action.name != TERMINATE);
        let actions = kept.map(|action| {
            let source = action.source();
            source.ok_or("an action was recorded without its element")
        });
        let written = json!({
            "name": prompt.name,
            "description": prompt.description,
            "checks": checks.collect::<Vec<_>>(),
            "actions": actions.collect::<Result<Vec<_>, _>>()?,
            "end_state": prompt.end_state,
        });
        let list = Value::Array(vec![written.clone()]);
        let read = Automaton::from_json(&list).map_err(|error| error.to_string())?;
        let state = read.states.into_iter().next();
        Ok(Self {
            state: state.ok_or("the state cannot be read")?,
            written,
        })
    }
}
