//! Gemini's good answers.

use serde_json::{Value, json};

use crate::hash::hash;

use super::super::context::ProviderContext;
use super::super::language_model::{Saying, conform, plan, speak, tokens_given, tokens_in};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::contents::signature;
use super::request::{GenerateContentRequest, read};

/// The number of tokens counted for each picture.
const IMAGE_TOKENS: u64 = 258;

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let prompt = match read(context, request) {
        Ok(prompt) => prompt,
        Err(refusal) => return *refusal,
    };
    let saying = saying(context, &prompt);
    let tokens = tokens_in(&saying.text());
    if prompt.output_tokens_max.is_some_and(|most| tokens > most) {
        // The answer ends without any text, as if the model's thoughts had used up all tokens.
        let cut = json!([{"finishReason": "MAX_TOKENS", "index": 0}]);
        return Reply::pretty(
            200,
            &envelope(&prompt, &cut, prompt.output_tokens_max.unwrap_or(0)),
        );
    }
    let part = match saying {
        Saying::Text(text) => {
            let signature = format!(
                "{:016x}{:016x}",
                hash(&[text.as_str().into()]),
                hash(&["more".into()])
            );
            json!({"text": text, "thoughtSignature": signature})
        }
        Saying::Call(call) => {
            let turns = prompt.conversation.turns.len();
            let id = hash(&[call.tool.as_str().into(), turns.into()]) >> 32;
            json!({
                "functionCall": {"name": call.tool, "args": call.arguments, "id": format!("{id:08x}")},
                "thoughtSignature": signature(&call.tool),
            })
        }
    };
    let candidates = json!([{
        "content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0,
    }]);
    Reply::pretty(200, &envelope(&prompt, &candidates, tokens))
}

/// Returns the model's next turn.
fn saying(context: ProviderContext<'_>, prompt: &GenerateContentRequest) -> Saying {
    let spoken = speak(
        &prompt.conversation,
        prompt.wants_json,
        prompt.schema.as_ref(),
        context.model_habit,
    );
    spoken.unwrap_or_else(|| Saying::Text(planned(context, prompt)))
}

/// Returns the text of the model's answer, or the arguments of its call.
pub(super) fn text(context: ProviderContext<'_>, prompt: &GenerateContentRequest) -> String {
    saying(context, prompt).text()
}

/// Returns the plan of an investigation as text. If the request wants JSON, the plan fits its schema.
fn planned(context: ProviderContext<'_>, prompt: &GenerateContentRequest) -> String {
    let plan = plan(context.world, &prompt.text);
    if !prompt.wants_json {
        let narration = plan.get("narration").and_then(Value::as_str);
        return narration.unwrap_or_default().to_owned();
    }
    match &prompt.schema {
        Some(schema) => conform(Some(&plan), schema).to_string(),
        None => plan.to_string(),
    }
}

pub(super) fn envelope(prompt: &GenerateContentRequest, candidates: &Value, tokens: u64) -> Value {
    let asked = tokens_given(&prompt.conversation, IMAGE_TOKENS);
    let words = tokens_given(&prompt.conversation, 0);
    let mut details = vec![json!({"modality": "TEXT", "tokenCount": words})];
    if asked > words {
        details.push(json!({"modality": "IMAGE", "tokenCount": asked - words}));
    }
    let id = format!(
        "{:016x}",
        hash(&[
            "response".into(),
            prompt.text.as_str().into(),
            prompt.conversation.turns.len().into()
        ])
    );
    json!({
        "candidates": candidates,
        "usageMetadata": {
            "promptTokenCount": asked, "candidatesTokenCount": tokens,
            "totalTokenCount": asked + tokens, "promptTokensDetails": details,
        },
        "modelVersion": prompt.model, "responseId": id,
    })
}
