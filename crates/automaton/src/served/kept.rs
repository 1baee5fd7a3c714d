//! The automaton of a run with the states that were made in it, as a file that runs without a model.

use std::rc::Rc;

use serde_json::Value;

use engine::Opened;

use crate::stored::AutomatonEngine;

/// Returns the states of a run, those that were made in it first.
pub(super) fn kept_automaton(opened: &Opened<AutomatonEngine>, events: &[Rc<str>]) -> Value {
    let sent = opened.order.automaton();
    let sent = match sent {
        Value::Object(wrapper) => wrapper.get("state_repository").unwrap_or(sent),
        _ => sent,
    };
    let mut states = sent.as_array().cloned().unwrap_or_default();
    for event in events.iter().filter(|event| event.contains("\"state_")) {
        let event: Value = serde_json::from_str(event).unwrap_or_default();
        take(&mut states, &event);
    }
    Value::Array(states)
}

/// Changes the states as an event tells it.
fn take(states: &mut Vec<Value>, event: &Value) {
    let written = event.pointer("/payload/state").cloned();
    let position = event.pointer("/payload/position").and_then(Value::as_u64);
    let position = position.and_then(|at| usize::try_from(at).ok());
    match (event.get("type").and_then(Value::as_str), written) {
        (Some("state_made"), Some(written)) => states.insert(0, written),
        (Some("state_changed" | "state_kept"), Some(written)) => {
            if let Some(state) = position.and_then(|at| states.get_mut(at)) {
                *state = written;
            }
        }
        (Some("state_dropped"), _) if !states.is_empty() => drop(states.remove(0)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn states_become_what_the_events_tell() {
        let mut states = vec![json!("old")];
        for (event, expected) in [
            (
                json!({"type": "state_entered", "payload": {"state": 0}}),
                json!(["old"]),
            ),
            (
                json!({"type": "state_made", "payload": {"state": "a"}}),
                json!(["a", "old"]),
            ),
            (
                json!({"type": "state_kept", "payload": {"position": 0, "state": "b"}}),
                json!(["b", "old"]),
            ),
            (
                json!({"type": "state_changed", "payload": {"position": 1, "state": "new"}}),
                json!(["b", "new"]),
            ),
            (
                json!({"type": "state_made", "payload": {"state": "c"}}),
                json!(["c", "b", "new"]),
            ),
            (
                json!({"type": "state_dropped", "payload": {}}),
                json!(["b", "new"]),
            ),
            (
                json!({"type": "state_changed", "payload": {"position": 9, "state": "x"}}),
                json!(["b", "new"]),
            ),
        ] {
            take(&mut states, &event);
            assert_eq!(json!(states), expected, "{event}");
        }
    }
}
