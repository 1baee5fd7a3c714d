//! The operator's stored documents that are tools: a document says so itself, and describes itself.

use std::fmt::Write as _;

use serde_json::Value;

use crate::Problem;

/// The longest description of a stored tool, in characters. It is kept where a list of documents is read from.
const DESCRIPTION_CHARS_MAX: usize = 500;

/// The longest text that a stored tool takes as a parameter, in characters.
pub const STORED_TEXT_CHARS_MAX: usize = 4_096;

/// The parameter that every tool has which begins a run.
const WAIT: &str = r#""waitMs":{"type":"integer","minimum":0,"maximum":600000,"description":"Answer after so many milliseconds even if the run goes on; get_run waits on."}"#;

/// Reads whether a document that is to be stored is a tool: its members `tool` and `description`. Returns the
/// description, or `None` where it is no tool.
pub fn tool_description(document: &Value) -> Result<Option<&str>, Problem> {
    match document.get("tool") {
        None | Some(Value::Null | Value::Bool(false)) => return Ok(None),
        Some(Value::Bool(true)) => {}
        Some(_) => return Err(Problem::field("tool", "must be true or false")),
    }
    let description = document.get("description").and_then(Value::as_str);
    let is_seen = |sign: char| !sign.is_whitespace() && !sign.is_control();
    let is_one =
        |text: &&str| text.chars().count() <= DESCRIPTION_CHARS_MAX && text.contains(is_seen);
    let what = format!(
        "must say in 1 to {DESCRIPTION_CHARS_MAX} characters what the tool does, for the assistants that choose it"
    );
    let description = description.filter(is_one);
    let description = description.ok_or_else(|| Problem::field("description", what))?;
    Ok(Some(description.trim()))
}

/// Returns the JSON of a stored document as a tool of this name. Each of `parameters` is a text; those that are not
/// among the `given` ones are needed.
#[must_use]
pub fn stored_tool(name: &str, description: &str, parameters: &[&str], given: &[&str]) -> String {
    let mut properties = String::new();
    let mut needed = Vec::new();
    for parameter in parameters {
        let name = Value::from(*parameter);
        properties.push_str(&name.to_string());
        let _ = write!(
            properties,
            r#":{{"type":"string","minLength":1,"maxLength":{STORED_TEXT_CHARS_MAX}}},"#
        );
        if !given.contains(parameter) {
            needed.push(name);
        }
    }
    let (name, description, needed) = (
        Value::from(name),
        Value::from(description),
        Value::from(needed),
    );
    format!(
        r#"{{"name":{name},"description":{description},"inputSchema":{{"type":"object","properties":{{{properties}{WAIT}}},"required":{needed},"additionalProperties":false}}}}"#
    )
}
