//! Parses the conversation so far, and checks that its messages have the order that the API requires. The sources are
//! OpenAI's API reference for chat completions, and refusals that are quoted in public threads.

use serde_json::Value;

use super::super::language_model::Turn;
use super::super::reply::Reply;
use super::content::{image_sizes, text_of};
use super::errors::{missing, refusal, wrong_type};

const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];
const NO_CALL: &str = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const NO_ANSWER: &str = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ";

/// The parsed messages of a request.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// The last message of the user.
    pub prompt: String,
    pub system: String,
    pub turns: Vec<Turn>,
}

/// The calls that await an answer, as pairs of the call's id and the tool.
type OpenCalls = Vec<(String, String)>;

/// Parses all messages of a request.
pub(super) fn read(body: &Value) -> Result<Messages, Box<Reply>> {
    let messages = body.get("messages").and_then(Value::as_array);
    let Some(messages) = messages.filter(|messages| !messages.is_empty()) else {
        return Err(missing("messages"));
    };
    let mut read = Messages::default();
    let mut open: OpenCalls = Vec::new();
    for (number, message) in messages.iter().enumerate() {
        let place = format!("messages[{number}]");
        let role = role(message, &place)?;
        if role != "tool" {
            check_answered(&open)?;
        }
        match role {
            "system" | "developer" => {
                let text = text_of(message, &place, &["text"])?;
                read.system.push_str(&text);
                read.system.push('\n');
            }
            "assistant" => {
                open = calls(message, &place)?;
                let has_content = message.get("content").is_some_and(|one| !one.is_null());
                if has_content || open.is_empty() {
                    text_of(message, &place, &["text", "refusal"])?;
                }
                read.turns.push(Turn::Model);
            }
            "tool" => {
                let tool = answered(message, &place, &mut open)?;
                let text = text_of(message, &place, &["text"])?;
                read.turns.push(Turn::Tool {
                    tool,
                    text,
                    is_error: false,
                });
            }
            _ => {
                let text = text_of(message, &place, &["text", "image_url"])?;
                text.clone_into(&mut read.prompt);
                let images = image_sizes(message, &place)?;
                read.turns.push(Turn::User { text, images });
            }
        }
    }
    check_answered(&open)?;
    Ok(read)
}

fn role<'message>(message: &'message Value, place: &str) -> Result<&'message str, Box<Reply>> {
    let place = format!("{place}.role");
    let Some(role) = message.get("role").and_then(Value::as_str) else {
        return Err(missing(&place));
    };
    if ROLES.contains(&role) {
        return Ok(role);
    }
    let message = format!(
        "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."
    );
    Err(refusal(Some(&place), Some("invalid_value"), &message))
}

fn check_answered(open: &OpenCalls) -> Result<(), Box<Reply>> {
    if open.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = open.iter().map(|(id, _)| id.as_str()).collect();
    let message = format!("{NO_ANSWER}{}", ids.join(", "));
    Err(refusal(Some("messages"), None, &message))
}

/// Returns the calls in a message, as pairs of the call's id and the tool.
fn calls(message: &Value, place: &str) -> Result<OpenCalls, Box<Reply>> {
    let place = format!("{place}.tool_calls");
    let calls = match message.get("tool_calls") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(calls)) => calls,
        Some(_) => return Err(wrong_type(&place, "an array of objects")),
    };
    if calls.is_empty() {
        let message = format!(
            "Invalid '{place}': empty array. Expected an array with minimum length 1, but got an empty array instead."
        );
        return Err(refusal(Some(&place), Some("empty_array"), &message));
    }
    let calls = calls.iter().enumerate();
    let calls = calls.map(|(number, call)| {
        let place = format!("{place}[{number}]");
        let text = |pointer: &str| call.pointer(pointer).and_then(Value::as_str);
        let id = text("/id").ok_or_else(|| missing(&format!("{place}.id")))?;
        if text("/type") != Some("function") {
            return Err(missing(&format!("{place}.type")));
        }
        let name = text("/function/name");
        let name = name.ok_or_else(|| missing(&format!("{place}.function.name")))?;
        if text("/function/arguments").is_none() {
            return Err(wrong_type(
                &format!("{place}.function.arguments"),
                "a string",
            ));
        }
        Ok((id.to_owned(), name.to_owned()))
    });
    calls.collect()
}

/// Returns the tool whose call a message answers, and removes the call from `open`.
fn answered(message: &Value, place: &str, open: &mut OpenCalls) -> Result<String, Box<Reply>> {
    let Some(id) = message.get("tool_call_id").and_then(Value::as_str) else {
        return Err(missing(&format!("{place}.tool_call_id")));
    };
    match open.iter().position(|(known, _)| known == id) {
        Some(at) => Ok(open.remove(at).1),
        None => Err(refusal(Some(&format!("{place}.role")), None, NO_CALL)),
    }
}
