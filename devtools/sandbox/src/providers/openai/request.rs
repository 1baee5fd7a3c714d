//! Parses and checks a request for a chat completion.

use serde_json::Value;

use super::super::context::ProviderContext;
use super::super::language_model::{Conversation, tokens_of_tools};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::errors::{bad_key, no_key, no_such_model, refusal};
use super::tools::tools;
use super::{messages, strict_schema};

const MEMBERS: [&str; 23] = [
    "model",
    "messages",
    "response_format",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "n",
    "stop",
    "seed",
    "stream",
    "stream_options",
    "frequency_penalty",
    "presence_penalty",
    "logprobs",
    "reasoning_effort",
    "service_tier",
    "store",
    "metadata",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "user",
];

/// The parts of a checked request that determine the answer.
#[derive(Debug)]
pub(super) struct ChatRequest {
    pub model: String,
    /// The last message of the user.
    pub prompt: String,
    /// The conversation, with the functions that the model may call.
    pub conversation: Conversation,
    pub wants_json: bool,
    pub schema: Option<Value>,
    pub output_tokens_max: Option<u64>,
}

/// Checks a request in the order of the real API: the key, the names of members, the model, then the value of each
/// member.
pub(super) fn read(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
) -> Result<ChatRequest, Box<Reply>> {
    let credentials = context.credentials;
    let authorization = request.header("authorization");
    let key = authorization.and_then(|value| value.strip_prefix("Bearer "));
    let key = key.ok_or_else(|| Box::new(no_key()))?;
    if key != credentials.openai_key {
        return Err(Box::new(bad_key()));
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    chat(&body, &credentials.openai_model)
}

fn chat(body: &Value, known_model: &str) -> Result<ChatRequest, Box<Reply>> {
    let Some(members) = body.as_object() else {
        let message = "We could not parse the JSON body of your request.";
        return Err(refusal(None, None, message));
    };
    if let Some(name) = members
        .keys()
        .find(|name| !MEMBERS.contains(&name.as_str()))
    {
        let message = format!("Unrecognized request argument supplied: {name}");
        return Err(refusal(None, None, &message));
    }
    let Some(model) = body.get("model").and_then(Value::as_str) else {
        return Err(refusal(None, None, "you must provide a model parameter"));
    };
    if model != known_model {
        return Err(Box::new(no_such_model(model)));
    }
    let messages = messages::read(body)?;
    let conversation = Conversation {
        system: messages.system,
        turns: messages.turns,
        tools: tools(body)?,
        tool_tokens: tokens_of_tools(body.get("tools")),
    };
    let (wants_json, schema) = format(body)?;
    Ok(ChatRequest {
        model: model.to_owned(),
        prompt: messages.prompt,
        conversation,
        wants_json,
        schema,
        output_tokens_max: limit(body)?,
    })
}

fn limit(body: &Value) -> Result<Option<u64>, Box<Reply>> {
    let [old, new] = ["max_tokens", "max_completion_tokens"].map(|name| body.get(name));
    if old.is_some() && new.is_some() {
        let message =
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
        let code = Some("invalid_parameter_combination");
        return Err(refusal(Some("max_tokens"), code, message));
    }
    let Some(limit) = old.or(new) else {
        return Ok(None);
    };
    match limit.as_u64().filter(|limit| *limit > 0) {
        Some(limit) => Ok(Some(limit)),
        None => Err(refusal(
            Some("max_tokens"),
            Some("integer_below_min_value"),
            "Invalid limit.",
        )),
    }
}

/// Returns whether the request wants JSON, and the schema for it, if any.
fn format(body: &Value) -> Result<(bool, Option<Value>), Box<Reply>> {
    let wrong = |message: &str| refusal(Some("response_format"), None, message);
    let Some(format) = body.get("response_format") else {
        return Ok((false, None));
    };
    match format.get("type").and_then(Value::as_str) {
        Some("text") => return Ok((false, None)),
        Some("json_object") => return Ok((true, None)),
        Some("json_schema") => {}
        _ => return Err(wrong("Invalid value for 'response_format.type'.")),
    }
    let member = |name: &str| format.pointer(&format!("/json_schema/{name}"));
    let name = member("name").and_then(Value::as_str).unwrap_or_default();
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !(1..=64).contains(&name.len()) || !name.chars().all(is_letter) {
        return Err(wrong(
            "Missing required parameter: 'response_format.json_schema.name'.",
        ));
    }
    let Some(schema) = member("schema").filter(|schema| schema.is_object()) else {
        return Err(wrong(
            "Missing required parameter: 'response_format.json_schema.schema'.",
        ));
    };
    if member("strict") == Some(&Value::Bool(true))
        && let Some(mistake) = strict_schema::mistake(schema)
    {
        let message = format!("Invalid schema for response_format '{name}': {mistake}");
        return Err(wrong(&message));
    }
    Ok((true, Some(schema.clone())))
}
