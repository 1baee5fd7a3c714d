//! The good answers of chat completions.

use serde_json::{Value, json};

use crate::hash::hash;

use super::super::context::ProviderContext;
use super::super::language_model::{
    Saying, ToolCall, conform, plan, speak, tokens_given, tokens_in,
};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::request::{ChatRequest, read};

/// The number of tokens counted for each image, as for a small image in high detail.
const IMAGE_TOKENS: u64 = 255;

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let chat = match read(context, request) {
        Ok(chat) => chat,
        Err(refusal) => return *refusal,
    };
    let saying = saying(context, &chat);
    let text = saying.text();
    let tokens = tokens_in(&text);
    let limit = chat.output_tokens_max.filter(|most| tokens > *most);
    match (saying, limit) {
        (Saying::Call(call), None) => completion(&chat, &calling(&chat, &call), tokens),
        (Saying::Call(_), Some(most)) => {
            completion(&chat, &choice_ended(&Value::Null, "length"), most)
        }
        (Saying::Text(_), None) => completion(&chat, &choice(&json!(text)), tokens),
        (Saying::Text(_), Some(most)) => {
            let chars = usize::try_from(most * 4).unwrap_or(usize::MAX);
            let cut: String = text.chars().take(chars).collect();
            completion(&chat, &choice_ended(&json!(cut), "length"), most)
        }
    }
}

/// Returns the model's next turn.
fn saying(context: ProviderContext<'_>, chat: &ChatRequest) -> Saying {
    let spoken = speak(
        &chat.conversation,
        chat.wants_json,
        chat.schema.as_ref(),
        context.model_habit,
    );
    spoken.unwrap_or_else(|| Saying::Text(planned(context, chat)))
}

/// Returns the text of the model's answer, or the arguments of its call.
pub(super) fn text(context: ProviderContext<'_>, chat: &ChatRequest) -> String {
    saying(context, chat).text()
}

/// Returns the plan of an investigation as text. If the request wants JSON, the plan fits the request's schema.
fn planned(context: ProviderContext<'_>, chat: &ChatRequest) -> String {
    let plan = plan(context.world, &chat.prompt);
    if !chat.wants_json {
        let narration = plan.get("narration").and_then(Value::as_str);
        return narration.unwrap_or_default().to_owned();
    }
    match &chat.schema {
        Some(schema) => conform(Some(&plan), schema).to_string(),
        None => plan.to_string(),
    }
}

/// Makes a choice that calls a function. The arguments are JSON in a text.
fn calling(chat: &ChatRequest, call: &ToolCall) -> Value {
    let turns = chat.conversation.turns.len();
    let id = hash(&["call".into(), call.tool.as_str().into(), turns.into()]);
    let calls = json!([{"id": format!("call_{id:016x}"), "type": "function",
        "function": {"name": call.tool, "arguments": call.arguments.to_string()}}]);
    choice_of(&Value::Null, "tool_calls", ("tool_calls", calls))
}

/// Makes a choice that ended normally.
pub(super) fn choice(content: &Value) -> Value {
    choice_ended(content, "stop")
}

/// Makes a choice that ended for this reason, its `finish_reason`.
pub(super) fn choice_ended(content: &Value, reason: &str) -> Value {
    choice_of(content, reason, ("annotations", json!([])))
}

/// Makes a choice whose message has an additional member.
pub(super) fn choice_of(content: &Value, reason: &str, (name, value): (&str, Value)) -> Value {
    let mut message = json!({"role": "assistant", "content": content, "refusal": null});
    if let Some(message) = message.as_object_mut() {
        message.insert(name.to_owned(), value);
    }
    json!({"index": 0, "message": message, "logprobs": null, "finish_reason": reason})
}

/// Makes a completion that has one choice.
pub(super) fn completion(chat: &ChatRequest, choice: &Value, tokens: u64) -> Reply {
    Reply::pretty(200, &body(chat, &json!([choice]), tokens))
}

pub(super) fn body(chat: &ChatRequest, choices: &Value, tokens: u64) -> Value {
    let asked = tokens_given(&chat.conversation, IMAGE_TOKENS);
    let turns = chat.conversation.turns.len();
    let id = hash(&[
        "completion".into(),
        chat.prompt.as_str().into(),
        turns.into(),
    ]);
    json!({
        "id": format!("chatcmpl-{id:016x}"), "object": "chat.completion",
        "created": 1_800_000_000, "model": chat.model, "choices": choices,
        "usage": {
            "prompt_tokens": asked, "completion_tokens": tokens, "total_tokens": asked + tokens,
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
        "service_tier": "default", "system_fingerprint": null,
    })
}
