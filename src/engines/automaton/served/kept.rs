//! The automaton of a run with the states that were made in it, as a file that runs without a model.

use std::rc::Rc;

use serde_json::Value;

use crate::engine::Opened;
use crate::engines::automaton::stored::AutomatonEngine;

/// The beginnings of the kinds of events that change the automaton.
const CHANGES: [&str; 4] = ["state_made", "state_changed", "state_kept", "state_dropped"];

/// Returns the states of a run as they are by its events so far: those that were made in it first.
pub(super) fn kept_automaton(opened: &Opened<AutomatonEngine>, events: &[Rc<str>]) -> Value {
    let sent = opened.order.automaton();
    let sent = match sent {
        Value::Object(wrapper) => wrapper.get("state_repository").unwrap_or(sent),
        _ => sent,
    };
    let mut states = sent.as_array().cloned().unwrap_or_default();
    for event in events {
        // Most events say something else, and are not read.
        if CHANGES.iter().any(|kind| event.contains(kind)) {
            let event: Value = serde_json::from_str(event).unwrap_or_default();
            change(&mut states, &event);
        }
    }
    Value::Array(states)
}

fn change(states: &mut Vec<Value>, event: &Value) {
    let kind = event.get("type").and_then(Value::as_str);
    let state = event.pointer("/payload/state").cloned();
    let position = event.pointer("/payload/position").and_then(Value::as_u64);
    let position = position.and_then(|position| usize::try_from(position).ok());
    match (kind, state) {
        (Some("state_made"), Some(state)) => states.insert(0, state),
        (Some("state_dropped"), _) if !states.is_empty() => drop(states.remove(0)),
        (Some("state_changed" | "state_kept"), Some(state)) => {
            let place = position.and_then(|position| states.get_mut(position));
            if let Some(place) = place {
                *place = state;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn events_make_change_and_drop_states() {
        let mut states = vec![json!("A")];
        for (kind, payload, expected) in [
            ("state_made", json!({"state": "B"}), json!(["B", "A"])),
            (
                "state_kept",
                json!({"position": 0, "state": "C"}),
                json!(["C", "A"]),
            ),
            (
                "state_changed",
                json!({"position": 1, "state": "D"}),
                json!(["C", "D"]),
            ),
            (
                "state_changed",
                json!({"position": 2, "state": "E"}),
                json!(["C", "D"]),
            ),
            ("state_left", json!({"state": 0}), json!(["C", "D"])),
            ("state_dropped", json!({}), json!(["D"])),
            ("state_dropped", json!({}), json!([])),
            ("state_dropped", json!({}), json!([])),
        ] {
            change(&mut states, &json!({"type": kind, "payload": payload}));
            assert_eq!(Value::from(states.clone()), expected, "{kind}");
        }
    }
}
