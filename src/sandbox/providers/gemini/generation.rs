//! The planner's good answers.

use serde_json::{Value, json};

use crate::hash::hash;

use super::super::context::ProviderContext;
use super::super::language_model::{conform, plan, tokens_in};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::request::{GenerateContentRequest, read};

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let prompt = match read(context, request) {
        Ok(prompt) => prompt,
        Err(refusal) => return *refusal,
    };
    let text = text(context, &prompt);
    let tokens = tokens_in(&text);
    if prompt.output_tokens_max.is_some_and(|most| tokens > most) {
        // What was written so far is lost with the thoughts.
        let cut = json!([{"finishReason": "MAX_TOKENS", "index": 0}]);
        return Reply::pretty(
            200,
            &envelope(&prompt, &cut, prompt.output_tokens_max.unwrap_or(0)),
        );
    }
    let signature = format!(
        "{:016x}{:016x}",
        hash(&[text.as_str().into()]),
        hash(&["more".into()])
    );
    let candidates = json!([{
        "content": {"role": "model", "parts": [{"text": text, "thoughtSignature": signature}]},
        "finishReason": "STOP", "index": 0,
    }]);
    Reply::pretty(200, &envelope(&prompt, &candidates, tokens))
}

/// The text of the model's answer: JSON that fits the schema, where JSON was asked for.
pub(super) fn text(context: ProviderContext<'_>, prompt: &GenerateContentRequest) -> String {
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
    let asked = tokens_in(&prompt.text);
    let id = format!(
        "{:016x}",
        hash(&["response".into(), prompt.text.as_str().into()])
    );
    json!({
        "candidates": candidates,
        "usageMetadata": {
            "promptTokenCount": asked, "candidatesTokenCount": tokens,
            "totalTokenCount": asked + tokens,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": asked}],
        },
        "modelVersion": prompt.model, "responseId": id,
    })
}
