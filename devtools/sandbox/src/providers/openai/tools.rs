//! The functions that the model may call.

use serde_json::Value;

use super::super::reply::Reply;
use super::errors::{missing, refusal, wrong_type};
use super::strict_schema;

const TOOLS_MAX: usize = 128;
const NAME_CHARS_MAX: usize = 64;

/// Returns the names of the functions in a request.
pub(super) fn tools(body: &Value) -> Result<Vec<String>, Box<Reply>> {
    let tools = match body.get("tools") {
        None | Some(Value::Null) => return without_tools(body),
        Some(Value::Array(tools)) => tools,
        Some(_) => return Err(wrong_type("tools", "an array of objects")),
    };
    let length = |code: &str, message: &str| Err(refusal(Some("tools"), Some(code), message));
    match tools.len() {
        0 => {
            let message = "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
            return length("empty_array", message);
        }
        count if count > TOOLS_MAX => {
            let message = format!(
                "Invalid 'tools': array too long. Expected an array with maximum length {TOOLS_MAX}, but got an array with length {count} instead."
            );
            return length("array_above_max_length", &message);
        }
        _ => {}
    }
    let names = tools.iter().enumerate();
    let names = names.map(|(number, tool)| name(tool, &format!("tools[{number}]")));
    chosen(body, names.collect::<Result<_, _>>()?)
}

fn without_tools(body: &Value) -> Result<Vec<String>, Box<Reply>> {
    let mut names = ["tool_choice", "parallel_tool_calls"].into_iter();
    match names.find(|name| body.get(name).is_some()) {
        None => Ok(Vec::new()),
        Some(name) => {
            let message = format!(
                "Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
            );
            Err(refusal(Some(name), None, &message))
        }
    }
}

fn name(tool: &Value, place: &str) -> Result<String, Box<Reply>> {
    let text = |pointer: &str| tool.pointer(pointer).and_then(Value::as_str);
    if text("/type") != Some("function") {
        return Err(missing(&format!("{place}.type")));
    }
    let place = format!("{place}.function.name");
    let name = text("/function/name").ok_or_else(|| missing(&place))?;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > NAME_CHARS_MAX || !name.chars().all(is_letter) {
        let message = format!(
            "Invalid '{place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        );
        return Err(refusal(Some(&place), Some("invalid_value"), &message));
    }
    let Some(schema) = tool.pointer("/function/parameters") else {
        return Ok(name.to_owned());
    };
    let is_strict = tool.pointer("/function/strict") == Some(&Value::Bool(true));
    let mistake = match schema.get("type").and_then(Value::as_str) {
        Some("object") if is_strict => strict_schema::mistake(schema),
        Some("object") => None,
        kind => {
            let kind = kind.unwrap_or("None");
            Some(format!(
                "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
            ))
        }
    };
    match mistake {
        None => Ok(name.to_owned()),
        Some(mistake) => {
            let message = format!("Invalid schema for function '{name}': {mistake}");
            let code = Some("invalid_function_parameters");
            Err(refusal(
                Some(&place.replace(".name", ".parameters")),
                code,
                &message,
            ))
        }
    }
}

/// Returns the functions that the request's `tool_choice` allows.
fn chosen(body: &Value, names: Vec<String>) -> Result<Vec<String>, Box<Reply>> {
    let wrong = |message: &str| refusal(Some("tool_choice"), Some("invalid_value"), message);
    match body.get("tool_choice") {
        None => Ok(names),
        Some(Value::String(choice)) => match choice.as_str() {
            "none" => Ok(Vec::new()),
            "auto" | "required" => Ok(names),
            other => Err(wrong(&format!(
                "Invalid value: '{other}'. Supported values are: 'none', 'auto', and 'required'."
            ))),
        },
        Some(choice) => {
            let wanted = choice.pointer("/function/name").and_then(Value::as_str);
            let found = names.into_iter().find(|name| Some(name.as_str()) == wanted);
            match found {
                Some(name) => Ok(vec![name]),
                None => Err(wrong(
                    "Tool choice names a function that is not in 'tools'.",
                )),
            }
        }
    }
}
