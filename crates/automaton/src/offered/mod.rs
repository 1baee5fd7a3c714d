//! The automata that the operator stored as tools.

use serde_json::{Map, Value, json};

use engine::Offered;
use engine::assistant::stored_tool;
use settings::Settings;

use crate::stored::AutomatonEngine;

impl Offered for AutomatonEngine {
    /// Returns a tool whose parameters are those of the automaton; the secrets that the operator keeps are none.
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
