//! Asks Workers AI with tools, by its REST API or by the Worker's own binding.
//! Source: Cloudflare's documentation of function calling in Workers AI. Older models answer with
//! `response` and plain `tool_calls`, newer ones as OpenAI's do.

use serde_json::{Value, json};

use domain::Failure;
use domain::chat::{ChatQuestion, ChatReply};
use platform::{WireRequest, WireResponse};

use crate::chat::{
    CHAT_TOKENS_OUT_MAX, Images, check, functions, messages, read_calls, read_message,
};
use crate::openai::usage;
use crate::planning::{Usage, generated_text};
use crate::reading::{list_at, text_at};
use crate::workers_ai::{WorkersAiSettings, answer, ask};

/// Asks for the next turn, by REST.
pub(crate) fn request(
    settings: &WorkersAiSettings,
    question: &ChatQuestion,
    images: &Images,
) -> Result<WireRequest, Failure> {
    ask(settings, inputs(question, images)?)
}

/// Returns what the model is given, as JSON text.
pub(crate) fn inputs(question: &ChatQuestion, images: &Images) -> Result<Vec<u8>, Failure> {
    check(question)?;
    let mut inputs = json!({
        "messages": messages(question, images),
        "max_tokens": CHAT_TOKENS_OUT_MAX,
    });
    if let (Some(functions), Some(inputs)) = (functions(question), inputs.as_object_mut()) {
        inputs.insert("tools".into(), functions);
    }
    Ok(inputs.to_string().into_bytes())
}

/// Reads the next turn from an answer of the REST API or of the binding.
pub(crate) fn read(
    question: &ChatQuestion,
    response: &WireResponse,
    model: &str,
) -> (Result<ChatReply, Failure>, Usage) {
    let answer = match answer(response) {
        Ok(answer) => answer,
        Err(failure) => return (Err(failure), Usage::default()),
    };
    let usage = usage(&answer);
    if let Some(choice) = list_at(&answer, "/choices").first() {
        let message = choice.get("message").unwrap_or(&Value::Null);
        let reason = text_at(choice, "/finish_reason");
        return (read_message(question, message, reason, model), usage);
    }
    let reply = ChatReply {
        text: generated_text(answer.get("response").unwrap_or(&Value::Null)),
        calls: read_calls(question, list_at(&answer, "/tool_calls")),
        model: model.to_owned(),
    };
    (Ok(reply), usage)
}
