//! Asks for chat completions with tools, at any endpoint that speaks OpenAI's form of them.
//! Sources: OpenAI's API reference and its guide on function calling.

use serde_json::json;

use domain::Failure;
use domain::chat::{ChatQuestion, ChatReply};
use platform::{WireRequest, WireResponse};

use crate::chat::{CHAT_TOKENS_OUT_MAX, Images, check, functions, messages, read_message};
use crate::openai::{OpenAiSettings, bearer, completion, is_openai, reasons, usage};
use crate::planning::{Usage, malformed, post};
use crate::reading::{endpoint, list_at, text_at};

/// Asks for the next turn.
pub(crate) fn request(
    settings: &OpenAiSettings,
    question: &ChatQuestion,
    images: &Images,
) -> Result<WireRequest, Failure> {
    check(question)?;
    let url = endpoint(&settings.base, "/chat/completions", "OPENAI_BASE")?;
    let mut body = json!({
        "model": settings.model,
        "messages": messages(question, images),
    });
    if let Some(body) = body.as_object_mut() {
        if let Some(functions) = functions(question) {
            body.insert("tools".into(), functions);
        }
        // The planner's request says which of the two limits a service takes.
        if is_openai(&url) {
            body.insert("max_completion_tokens".into(), CHAT_TOKENS_OUT_MAX.into());
            if reasons(&settings.model) {
                body.insert("reasoning_effort".into(), "low".into());
            }
        } else {
            body.insert("max_tokens".into(), CHAT_TOKENS_OUT_MAX.into());
        }
    }
    let key = settings.key.as_ref().filter(|key| !key.reveal().is_empty());
    let key = key.map(bearer).transpose()?;
    post(
        &url,
        key.map(|key| ("authorization", key)),
        body.to_string().into_bytes(),
    )
}

/// Reads the next turn. The usage is returned also where the turn cannot be read, since it is paid
/// for.
pub(crate) fn read(
    question: &ChatQuestion,
    response: &WireResponse,
    model: &str,
) -> (Result<ChatReply, Failure>, Usage) {
    let completion = match completion(response) {
        Ok(completion) => completion,
        Err(failure) => return (Err(failure), Usage::default()),
    };
    let reply = match list_at(&completion, "/choices").first() {
        Some(choice) => {
            let message = choice.get("message").unwrap_or(&serde_json::Value::Null);
            read_message(question, message, text_at(choice, "/finish_reason"), model)
        }
        None => Err(malformed("an answer without a choice")),
    };
    (reply, usage(&completion))
}
