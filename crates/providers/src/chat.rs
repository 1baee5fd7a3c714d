//! What all models with tools share: the names of tools in requests, the limits of a conversation, and OpenAI's form of
//! a conversation, which other services have adopted.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use domain::chat::{
    ChatQuestion, ChatReply, ChatTool, ModelToolCall, Part, QUESTION_IMAGES_MAX, Turn,
};
use domain::{Failure, FailureKind, Sha256Digest};

use crate::planner::{generated_text, malformed, with};
use crate::response::{list_at, text_at};

/// The most tokens of an answer, including reasoning.
pub const CHAT_TOKENS_OUT_MAX: u32 = 4_096;
/// The longest conversation, in bytes of text. The tools' descriptions and answers count towards it.
pub const CHAT_BYTES_MAX: usize = 262_144;
/// The most images of one question.
pub const CHAT_IMAGES_MAX: usize = QUESTION_IMAGES_MAX;
/// The most calls read from one answer.
const CALLS_MAX: usize = 32;
/// The longest tool name that all models accept, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The bytes of images, by digest.
pub type Images = BTreeMap<Sha256Digest, Vec<u8>>;

/// Refuses a conversation that exceeds the limits.
pub(crate) fn check(question: &ChatQuestion) -> Result<(), Failure> {
    let turns = question.turns.iter().map(|turn| match turn {
        Turn::User(parts) => parts.iter().map(part_bytes).sum(),
        Turn::Model { text, calls } => {
            let calls = calls
                .iter()
                .map(|call| call.arguments.len() + call.tool.len());
            text.len() + calls.sum::<usize>()
        }
        Turn::Tool { text, .. } => text.len(),
    });
    let tools = question
        .tools
        .iter()
        .map(|tool| tool.description.len() + tool.schema.to_string().len());
    let bytes = turns.sum::<usize>() + tools.sum::<usize>() + question.system.len();
    if bytes > CHAT_BYTES_MAX {
        let what = format!(
            "a conversation of {bytes} bytes; a model is asked with {CHAT_BYTES_MAX} at most"
        );
        return Err(Failure::new(FailureKind::TooLarge, what));
    }
    Ok(())
}

fn part_bytes(part: &Part) -> usize {
    match part {
        Part::Text(text) => text.len(),
        Part::Image(_) => 0,
    }
}

/// Returns the name by which models call a tool. Models allow fewer characters in names than MCP servers do.
pub(crate) fn told_name(tools: &[ChatTool], name: &str) -> String {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let begins_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if begins_well && name.len() <= NAME_BYTES_MAX && name.bytes().all(is_sign) {
        return name.to_owned();
    }
    let place = tools.iter().position(|tool| tool.name == name);
    let signs: String = name
        .chars()
        .map(|sign| match u8::try_from(sign) {
            Ok(byte) if is_sign(byte) => sign,
            _ => '_',
        })
        .take(NAME_BYTES_MAX - 12)
        .collect();
    format!("t{}_{signs}", place.unwrap_or(tools.len()))
}

/// Returns the MCP name of the tool that a model calls by this name.
pub(crate) fn meant_name(tools: &[ChatTool], told: &str) -> String {
    let meant = tools
        .iter()
        .find(|tool| told_name(tools, &tool.name) == told);
    meant.map_or_else(|| told.to_owned(), |tool| tool.name.clone())
}

/// Returns the arguments that a model wrote, or an empty object if they are not a JSON object.
pub(crate) fn arguments(call: &ModelToolCall) -> Value {
    let read: Option<Value> = serde_json::from_str(&call.arguments).ok();
    read.filter(Value::is_object).unwrap_or_else(|| json!({}))
}

/// Returns the body of a request for the next turn, in OpenAI's form.
pub(crate) fn conversation(question: &ChatQuestion, images: &Images) -> Result<Value, Failure> {
    check(question)?;
    let tools = functions(&question.tools).map(|functions| ("tools", functions));
    Ok(with(json!({"messages": messages(question, images)}), tools))
}

/// Returns the messages of a conversation.
fn messages(question: &ChatQuestion, images: &Images) -> Vec<Value> {
    let mut messages = vec![json!({"role": "system", "content": question.system})];
    messages.extend(question.turns.iter().map(|turn| match turn {
        Turn::User(parts) => json!({"role": "user", "content": content(parts, images)}),
        Turn::Model { text, calls } => {
            let text = Some(text).filter(|text| !text.is_empty());
            let mut message = json!({"role": "assistant", "content": text});
            if let (false, Some(message)) = (calls.is_empty(), message.as_object_mut()) {
                let calls = calls.iter().map(|call| {
                    let function = json!({
                        "name": told_name(&question.tools, &call.tool),
                        "arguments": arguments(call).to_string(),
                    });
                    json!({"id": call.id, "type": "function", "function": function})
                });
                message.insert("tool_calls".into(), calls.collect());
            }
            message
        }
        Turn::Tool { id, text, .. } => {
            json!({"role": "tool", "tool_call_id": id, "content": text})
        }
    }));
    messages
}

/// Returns the content of a message: a text if there are no images, otherwise a list of parts.
fn content(parts: &[Part], images: &Images) -> Value {
    if let [Part::Text(text)] = parts {
        return json!(text);
    }
    let parts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(json!({"type": "text", "text": text})),
        Part::Image(image) => {
            let bytes = images.get(&image.digest)?;
            let url = data_url(&image.mime_type, bytes);
            Some(json!({"type": "image_url", "image_url": {"url": url}}))
        }
    });
    parts.collect()
}

/// Returns a `data:` URL with these bytes.
fn data_url(mime_type: &str, bytes: &[u8]) -> String {
    format!("data:{mime_type};base64,{}", STANDARD.encode(bytes))
}

/// Returns the tools in OpenAI's form, or `None` if there are none, since the member must then be absent.
fn functions(tools: &[ChatTool]) -> Option<Value> {
    let function = |tool: &ChatTool| {
        json!({"type": "function", "function": {
            "name": told_name(tools, &tool.name),
            "description": tool.description,
            "parameters": tool.schema,
        }})
    };
    (!tools.is_empty()).then(|| tools.iter().map(function).collect())
}

/// Reads the first choice of an answer in OpenAI's form.
pub(crate) fn read_choice(
    question: &ChatQuestion,
    completion: &Value,
    model: &str,
) -> Option<Result<ChatReply, Failure>> {
    let choice = list_at(completion, "/choices").first()?;
    let message = choice.get("message").unwrap_or(&Value::Null);
    let reason = text_at(choice, "/finish_reason");
    Some(read_message(question, message, reason, model))
}

fn read_message(
    question: &ChatQuestion,
    message: &Value,
    reason: &str,
    model: &str,
) -> Result<ChatReply, Failure> {
    if !text_at(message, "/refusal").is_empty() || reason == "content_filter" {
        return Err(malformed("the model refused to answer"));
    }
    let text = generated_text(message.get("content").unwrap_or(&Value::Null));
    let calls = read_calls(question, list_at(message, "/tool_calls"));
    if reason == "length" && calls.is_empty() && text.is_empty() {
        return Err(malformed("an answer that was cut off before any text"));
    }
    Ok(ChatReply {
        text,
        // The arguments of a call are incomplete if the answer was cut off, so such calls are dropped.
        calls: if reason == "length" {
            Vec::new()
        } else {
            calls
        },
        model: model.to_owned(),
    })
}

/// Reads tool calls in OpenAI's form, or in the simpler form of some other services.
pub(crate) fn read_calls(question: &ChatQuestion, calls: &[Value]) -> Vec<ModelToolCall> {
    let calls = calls
        .iter()
        .take(CALLS_MAX)
        .enumerate()
        .map(|(place, call)| {
            let function = call.get("function").unwrap_or(call);
            let arguments = match function.get("arguments") {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) | None => String::new(),
                Some(object) => object.to_string(),
            };
            let id = text_at(call, "/id");
            ModelToolCall {
                id: if id.is_empty() {
                    format!("call_{place}")
                } else {
                    id.to_owned()
                },
                tool: meant_name(&question.tools, text_at(function, "/name")),
                arguments,
            }
        });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> ChatTool {
        ChatTool {
            name: name.into(),
            description: String::new(),
            schema: json!({"type": "object"}),
        }
    }

    #[test]
    fn each_tool_has_a_name_that_models_take_and_is_known_by_it() {
        let long = "a".repeat(80);
        let tools = [
            "find_text",
            "files.read",
            "1st",
            "naïve tool",
            &long,
            "files_read",
        ]
        .map(tool);
        let told: Vec<_> = tools
            .iter()
            .map(|tool| told_name(&tools, &tool.name))
            .collect();
        assert_eq!(told[0], "find_text");
        for (name, tool) in told.iter().zip(&tools) {
            assert!(name.len() <= 64 && name.is_ascii(), "{name}");
            assert_eq!(meant_name(&tools, name), tool.name);
        }
        assert_eq!(meant_name(&tools, "nothing"), "nothing");
    }
}
