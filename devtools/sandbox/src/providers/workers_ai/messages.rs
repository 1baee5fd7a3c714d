//! Parses the conversation so far. A text model only accepts texts. The answer of a tool belongs to a call in the
//! preceding message of the assistant. The sources are developers.cloudflare.com/workers-ai/features/function-calling
//! and its `ai-utils`.

use serde_json::Value;

use super::super::language_model::{Conversation, Turn, tokens_of_tools};
use super::super::reply::Reply;
use super::errors::refusal;

const ROLES: [&str; 4] = ["system", "user", "assistant", "tool"];

/// Parses the messages of a request. Returns the conversation and the last text of the user.
pub(super) fn read(body: &Value) -> Result<(Conversation, String), Box<Reply>> {
    let messages = body.get("messages").and_then(Value::as_array);
    let messages = messages.filter(|messages| !messages.is_empty());
    let messages = messages.ok_or_else(|| {
        refusal("oneOf at '/' not met, 0 matches: required properties at '/' are 'messages'")
    })?;
    let mut conversation = Conversation {
        tools: tools(body)?,
        tool_tokens: tokens_of_tools(body.get("tools")),
        ..Conversation::default()
    };
    let mut prompt = String::new();
    let mut called: Vec<Called> = Vec::new();
    for (number, message) in messages.iter().enumerate() {
        let place = format!("/messages/{number}");
        let member = |name: &str| message.get(name).and_then(Value::as_str);
        let (Some(role), Some(content)) = (member("role"), member("content")) else {
            let why = format!("required properties at '{place}' are 'role,content'");
            return Err(refusal(&why));
        };
        if !ROLES.contains(&role) {
            return Err(refusal(&format!("unknown role at '{place}/role'")));
        }
        match role {
            "system" => {
                conversation.system.push_str(content);
                conversation.system.push('\n');
            }
            "user" => {
                content.clone_into(&mut prompt);
                conversation.turns.push(Turn::User {
                    text: content.to_owned(),
                    images: Vec::new(),
                });
            }
            "assistant" => {
                called = calls(message, content);
                conversation.turns.push(Turn::Model);
            }
            _ => conversation.turns.push(Turn::Tool {
                tool: answered(message, &called, &place)?,
                text: content.to_owned(),
                is_error: false,
            }),
        }
    }
    Ok((conversation, prompt))
}

/// A tool call of the assistant: the tool, and the call's id if it has one.
struct Called {
    id: Option<String>,
    tool: String,
}

/// Returns the calls in a message of the assistant: its `tool_calls`, or its content if that has the form of a call.
fn calls(message: &Value, content: &str) -> Vec<Called> {
    let content: Value = serde_json::from_str(content).unwrap_or_default();
    let listed = message.get("tool_calls").and_then(Value::as_array);
    let calls = listed.cloned().unwrap_or_else(|| vec![content]);
    let calls = calls.iter().filter_map(|call| {
        let name = call.pointer("/function/name").or_else(|| call.get("name"));
        Some(Called {
            id: call.get("id").and_then(Value::as_str).map(str::to_owned),
            tool: name?.as_str()?.to_owned(),
        })
    });
    calls.collect()
}

/// Returns the tool whose call a message answers.
fn answered(message: &Value, called: &[Called], place: &str) -> Result<String, Box<Reply>> {
    let member = |name: &str| message.get(name).and_then(Value::as_str);
    let (id, name) = (member("tool_call_id"), member("name"));
    let fits = |call: &&Called| match (id, name) {
        (Some(id), _) => call.id.as_deref() == Some(id),
        (None, Some(name)) => call.tool == name,
        (None, None) => called.len() == 1,
    };
    let call = called.iter().find(fits);
    call.map(|call| call.tool.clone())
        .ok_or_else(|| refusal(&format!("the tool message at '{place}' answers no call")))
}

/// Returns the names of the functions in a request, which may have either of two forms.
fn tools(body: &Value) -> Result<Vec<String>, Box<Reply>> {
    let tools = match body.get("tools") {
        None => return Ok(Vec::new()),
        Some(Value::Array(tools)) => tools,
        Some(_) => return Err(refusal("Type mismatch of '/tools', 'array' is needed")),
    };
    let names = tools.iter().enumerate().map(|(number, tool)| {
        let function = match tool.get("type") {
            Some(kind) if kind != "function" => None,
            Some(_) => tool.get("function"),
            None => Some(tool),
        };
        let text = |name: &str| function?.get(name)?.as_str();
        let parameters = function.and_then(|function| function.get("parameters"));
        match (text("name"), text("description"), parameters) {
            (Some(name), Some(_), Some(Value::Object(_))) if !name.is_empty() => {
                Ok(name.to_owned())
            }
            _ => Err(refusal(&format!(
                "required properties at '/tools/{number}' are 'name,description,parameters'"
            ))),
        }
    });
    names.collect()
}
