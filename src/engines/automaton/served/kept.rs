//! The automaton of a run with the states that were made in it, as a file that runs without a model.

use std::rc::Rc;

use serde_json::Value;

use crate::engine::Opened;
use crate::engines::automaton::stored::AutomatonEngine;

/// Returns the states of a run, those that were made in it first.
pub(super) fn kept_automaton(opened: &Opened<AutomatonEngine>, events: &[Rc<str>]) -> Value {
    let sent = opened.order.automaton();
    let sent = match sent {
        Value::Object(wrapper) => wrapper.get("state_repository").unwrap_or(sent),
        _ => sent,
    };
    let mut states = sent.as_array().cloned().unwrap_or_default();
    for event in events
        .iter()
        .filter(|event| event.contains("\"state_made\""))
    {
        let event: Value = serde_json::from_str(event).unwrap_or_default();
        let is_made = event.get("type").and_then(Value::as_str) == Some("state_made");
        if let Some(state) = event.pointer("/payload/state").filter(|_| is_made) {
            states.insert(0, state.clone());
        }
    }
    Value::Array(states)
}
