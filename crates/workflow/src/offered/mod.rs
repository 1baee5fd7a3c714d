//! The workflows that the operator stored as tools.

use serde_json::{Map, Value, json};

use engine::Offered;
use engine::assistant::{quoted, stored_tool};
use settings::Settings;

use crate::stored::WorkflowEngine;

impl Offered for WorkflowEngine {
    /// Returns a tool without parameters: a workflow has none.
    fn stored_tool(name: &str, about: &Value, _settings: &Settings) -> Option<String> {
        let description = about.get("description")?.as_str()?;
        Some(stored_tool(name, description, &[], &[]))
    }

    fn stored_call(name: &str, _arguments: Map<String, Value>) -> Value {
        json!({"workflow": name})
    }

    fn progress(event: &Value) -> Option<String> {
        let kind = event.get("type")?.as_str()?;
        let node = event.get("nodeName").and_then(Value::as_str)?;
        (kind == "node_started").then(|| quoted(node))
    }
}
