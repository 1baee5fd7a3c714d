//! Gemini `generateContent` with function calls.
//! Source: the API's pages on function calling and on thought signatures. From the third generation
//! on, a call that is told again without the signature that came with it is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use domain::Failure;
use domain::chat::{ChatQuestion, ChatReply, ModelToolCall, Part, Turn};
use platform::{WireRequest, WireResponse};

use crate::chat::{CHAT_TOKENS_OUT_MAX, Images, arguments, check, meant_name, told_name};
use crate::gemini::{GeminiSettings, ended, failure, text, thinking_level};
use crate::planning::{Usage, malformed, post};
use crate::reading::{detail, endpoint, json_object, list_at, secret_header, text_at};

/// The beginning of a call's id. The signature follows, if there is one.
const OWN: &str = "gemini";
/// The character between the number of a call and its signature.
const BEFORE_SIGNATURE: char = '~';
/// The text in place of the signature for a call that another model made.
const OF_ANOTHER_MODEL: &str = "skip_thought_signature_validator";
/// The longest signature that is kept, in bytes.
const SIGNATURE_BYTES_MAX: usize = 65_536;
/// The most calls that are read of one answer.
const CALLS_MAX: usize = 32;

/// Asks for the next turn.
pub(crate) fn request(
    settings: &GeminiSettings,
    question: &ChatQuestion,
    images: &Images,
) -> Result<WireRequest, Failure> {
    check(question)?;
    let path = format!("/v1beta/models/{}:generateContent", settings.model);
    let url = endpoint(&settings.base, &path, "GEMINI_BASE")?;
    let mut config = json!({"maxOutputTokens": CHAT_TOKENS_OUT_MAX});
    if let (Some(level), Some(config)) = (thinking_level(&settings.model), config.as_object_mut()) {
        config.insert("thinkingConfig".into(), json!({"thinkingLevel": level}));
    }
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": question.system}]},
        "contents": contents(question, images),
        "generationConfig": config,
    });
    if let (false, Some(body)) = (question.tools.is_empty(), body.as_object_mut()) {
        let functions = question.tools.iter().map(|tool| {
            json!({
                "name": told_name(&question.tools, &tool.name),
                "description": tool.description,
                "parametersJsonSchema": tool.schema,
            })
        });
        let functions: Vec<_> = functions.collect();
        body.insert("tools".into(), json!([{"functionDeclarations": functions}]));
    }
    let key = secret_header(&settings.key)?;
    post(
        &url,
        Some(("x-goog-api-key", key)),
        body.to_string().into_bytes(),
    )
}

/// Returns the turns of the conversation. The answers of tools that follow one another are one turn
/// of the user.
fn contents(question: &ChatQuestion, images: &Images) -> Vec<Value> {
    let mut contents: Vec<(&'static str, Vec<Value>, bool)> = Vec::new();
    for turn in &question.turns {
        let (role, parts, is_of_tool) = match turn {
            Turn::User(parts) => ("user", user_parts(parts, images), false),
            Turn::Model { text, calls } => ("model", model_parts(question, text, calls), false),
            Turn::Tool { tool, text, .. } => {
                let name = told_name(&question.tools, tool);
                let response = json!({"name": name, "response": {"result": text}});
                ("user", vec![json!({"functionResponse": response})], true)
            }
        };
        match contents.last_mut() {
            Some((_, before, true)) if is_of_tool => before.extend(parts),
            _ => contents.push((role, parts, is_of_tool)),
        }
    }
    let contents = contents.into_iter();
    contents
        .map(|(role, parts, _)| json!({"role": role, "parts": parts}))
        .collect()
}

fn user_parts(parts: &[Part], images: &Images) -> Vec<Value> {
    let parts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(json!({"text": text})),
        Part::Image(image) => {
            let data = STANDARD.encode(images.get(&image.digest)?);
            Some(json!({"inlineData": {"mimeType": image.mime_type, "data": data}}))
        }
    });
    parts.collect()
}

fn model_parts(question: &ChatQuestion, text: &str, calls: &[ModelToolCall]) -> Vec<Value> {
    let mut parts = Vec::new();
    if !text.is_empty() || calls.is_empty() {
        parts.push(json!({"text": text}));
    }
    parts.extend(calls.iter().enumerate().map(|(place, call)| {
        let name = told_name(&question.tools, &call.tool);
        let mut part = json!({"functionCall": {"name": name, "args": arguments(call)}});
        let signature = match call.id.strip_prefix(OWN) {
            Some(rest) => rest
                .split_once(BEFORE_SIGNATURE)
                .map(|(_, signature)| signature),
            // Only the first of several calls has a signature.
            None => (place == 0).then_some(OF_ANOTHER_MODEL),
        };
        if let (Some(signature), Some(part)) = (signature, part.as_object_mut()) {
            part.insert("thoughtSignature".into(), signature.into());
        }
        part
    }));
    parts
}

/// Reads the next turn. The usage is returned also where the turn cannot be read, since it is paid
/// for.
pub(crate) fn read(
    question: &ChatQuestion,
    response: &WireResponse,
    model: &str,
) -> (Result<ChatReply, Failure>, Usage) {
    if response.status() != 200 {
        return (Err(failure(response)), Usage::default());
    }
    let generation = match json_object(response) {
        Ok(generation) => generation,
        Err(failure) => return (Err(failure), Usage::default()),
    };
    let usage = Usage::at(
        &generation,
        "/usageMetadata/promptTokenCount",
        &[
            "/usageMetadata/candidatesTokenCount",
            "/usageMetadata/thoughtsTokenCount",
        ],
    );
    let reply = ended(&generation).and_then(|reason| match reason {
        "STOP" | "" => Ok(reply(question, &generation, model)),
        _ => Err(malformed(format!("cut off, {}", detail(200, reason)))),
    });
    (reply, usage)
}

fn reply(question: &ChatQuestion, generation: &Value, model: &str) -> ChatReply {
    let parts = list_at(generation, "/candidates/0/content/parts").iter();
    let calls = parts.filter(|part| part.get("functionCall").is_some_and(Value::is_object));
    let calls = calls.take(CALLS_MAX).enumerate().map(|(place, part)| {
        let signature = text_at(part, "/thoughtSignature");
        let id = match signature.len() {
            1..=SIGNATURE_BYTES_MAX => format!("{OWN}{place}{BEFORE_SIGNATURE}{signature}"),
            _ => format!("{OWN}{place}"),
        };
        let given = part
            .pointer("/functionCall/args")
            .filter(|args| args.is_object());
        ModelToolCall {
            id,
            tool: meant_name(&question.tools, text_at(part, "/functionCall/name")),
            arguments: given.map_or_else(|| "{}".to_owned(), Value::to_string),
        }
    });
    ChatReply {
        text: text(generation),
        calls: calls.collect(),
        model: model.to_owned(),
    }
}
