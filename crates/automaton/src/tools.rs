//! What clients see of automata: the record of a run, the stored automata, and the tools that stored automata become.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use engine::assistant::stored_tool;
use engine::{Opened, RunDocument, StoredDocuments, Tools, record};
use settings::Settings;

use crate::requests::{AUTOMATON_BODY_BYTES_MAX, PUBLIC_AUTOMATA, check_stored_automaton};
use crate::wire::{AUTOMATON_ENGINE, AutomatonEngine};

impl Tools for AutomatonEngine {
    const PAGE: Option<&'static str> = Some("/automaton");
    const STORED_DOCUMENTS: Option<StoredDocuments> = Some(StoredDocuments {
        path: "automata",
        noun: "automaton",
        key_prefix: "automaton:",
        variable: PUBLIC_AUTOMATA,
        may_be_any: false,
        bytes_max: AUTOMATON_BODY_BYTES_MAX,
        check: check_stored_automaton,
        list,
    });
    const RUN_DOCUMENT: Option<RunDocument<Self>> = Some(RunDocument {
        name: "automaton",
        make: kept_automaton,
    });

    fn outline(opened: &Opened<Self>, events: &[Rc<str>], _is_ended: bool) -> Value {
        let order = &opened.order;
        let members = json!({
            "name": order.name,
            "automaton": order.automaton,
            "prompts": order.prompts,
            "parameters": order.parameters,
            "secrets": order.secrets,
            "origins": order.origins,
            "browser": order.browser,
        });
        record::outline(opened, AUTOMATON_ENGINE, members, events)
    }

    /// Returns a tool for a stored automaton. It takes the automaton's parameters, except for secrets that the operator
    /// keeps. Returns `None` if the automaton has no description.
    fn stored_tool(name: &str, about: &Value, settings: &Settings) -> Option<String> {
        let description = about.get("description")?.as_str()?;
        let texts = |member: &str| {
            let list = about.get(member).and_then(Value::as_array);
            let texts = list.into_iter().flatten().filter_map(Value::as_str);
            texts.collect::<Vec<_>>()
        };
        let mut parameters = texts("parameters");
        if let Ok(providers) = &settings.providers {
            let kept = &providers.kept_secrets;
            parameters.retain(|name| kept.iter().all(|secret| secret.name != *name));
        }
        Some(stored_tool(name, description, &parameters, &texts("given")))
    }

    fn stored_call(name: &str, arguments: Map<String, Value>) -> Value {
        json!({"automaton": name, "parameters": arguments})
    }
}

/// Returns the names and metadata of the stored automata, and the names of the operator's secrets.
fn list(named: Vec<(String, Option<Value>)>, settings: &Settings, is_shown: bool) -> Value {
    let automata = named.into_iter().map(|(name, about)| {
        let of = |member| about.as_ref().and_then(|about| about.get(member));
        json!({
            "name": name,
            "states": of("states"),
            "prompts": of("prompts"),
            "parameters": of("parameters"),
        })
    });
    let providers = settings.providers.iter().filter(|_| is_shown);
    let has_browser = settings
        .providers
        .iter()
        .any(|providers| providers.browser.is_some());
    let secrets = providers
        .flat_map(|providers| &providers.kept_secrets)
        .map(|secret| json!({"name": secret.name, "origins": secret.origins}));
    json!({
        "automata": automata.collect::<Vec<_>>(),
        "secrets": secrets.collect::<Vec<_>>(),
        "hasBrowser": has_browser,
        "startedBy": settings.shared_access(PUBLIC_AUTOMATA).as_str(),
    })
}

/// Returns the states of a run, including those that models made. They form a file that runs without a model.
fn kept_automaton(opened: &Opened<AutomatonEngine>, events: &[Rc<str>]) -> Value {
    let sent = &opened.order.automaton;
    let list = match sent {
        Value::Object(wrapper) => wrapper.get("state_repository").unwrap_or(sent),
        _ => sent,
    };
    let mut states = list.as_array().cloned().unwrap_or_default();
    for event in events.iter().filter(|event| event.contains("\"state_")) {
        let event: Value = serde_json::from_str(event).unwrap_or_default();
        take(&mut states, &event);
    }
    Value::Array(states)
}

/// Applies an event to the list of states, if the event changes it.
fn take(states: &mut Vec<Value>, event: &Value) {
    let written = event.pointer("/payload/state").cloned();
    let position = event
        .pointer("/payload/position")
        .and_then(Value::as_u64)
        .and_then(|at| usize::try_from(at).ok());
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
