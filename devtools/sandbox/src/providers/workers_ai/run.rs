//! The good answers of Workers AI.

use serde_json::{Value, json};

use super::super::context::ProviderContext;
use super::super::language_model::{Saying, conform, plan, speak, tokens_given, tokens_in};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::request::{RunRequest, read};

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let run = match read(context, request) {
        Ok(run) => run,
        Err(refusal) => return *refusal,
    };
    let spoken = speak(
        &run.conversation,
        run.schema.is_some(),
        run.schema.as_ref(),
        context.model_habit,
    );
    if let Some(Saying::Call(call)) = spoken {
        let tokens = tokens_in(&call.arguments.to_string());
        let calls = json!([{"name": call.tool, "arguments": call.arguments}]);
        return envelope(
            &run,
            &json!({"response": null, "tool_calls": calls}),
            tokens,
        );
    }
    let generated = generated(context, &run);
    let tokens = tokens_in(&text_of(&generated));
    if tokens <= run.output_tokens_max {
        return envelope(&run, &json!({"response": generated}), tokens);
    }
    let chars = usize::try_from(run.output_tokens_max * 4).unwrap_or(usize::MAX);
    let cut: String = text_of(&generated).chars().take(chars).collect();
    envelope(&run, &json!({"response": cut}), run.output_tokens_max)
}

/// Returns what the model writes: an object that fits the schema, or a sentence if there is no schema.
pub(super) fn generated(context: ProviderContext<'_>, run: &RunRequest) -> Value {
    if let Some(saying) = speak(
        &run.conversation,
        run.schema.is_some(),
        run.schema.as_ref(),
        context.model_habit,
    ) {
        let text = saying.text();
        return match &run.schema {
            Some(_) => serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text)),
            None => Value::from(text),
        };
    }
    let plan = plan(context.world, &run.prompt);
    match &run.schema {
        Some(schema) => conform(Some(&plan), schema),
        None => plan.get("narration").cloned().unwrap_or_default(),
    }
}

pub(super) fn text_of(generated: &Value) -> String {
    generated
        .as_str()
        .map_or_else(|| generated.to_string(), str::to_owned)
}

/// Makes a reply: Cloudflare's envelope around the result and the number of tokens used.
pub(super) fn envelope(run: &RunRequest, result: &Value, tokens: u64) -> Reply {
    let asked = tokens_given(&run.conversation, 0);
    let mut result = result.clone();
    if let Some(result) = result.as_object_mut() {
        let usage = json!({"prompt_tokens": asked, "completion_tokens": tokens,
            "total_tokens": asked + tokens});
        let calls = result.entry("tool_calls");
        calls.or_insert_with(|| json!([]));
        result.insert("usage".to_owned(), usage);
    }
    let body = json!({"result": result, "success": true, "errors": [], "messages": []});
    Reply::json(200, &body)
}
