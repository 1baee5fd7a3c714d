//! Parses and checks a request to run a model.

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::super::context::ProviderContext;
use super::super::language_model::Conversation;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::errors::{bad_token, error, no_route, no_such_model, refusal};
use super::messages;

/// The path below which the sandbox serves Cloudflare's API.
const PREFIX: &str = "/cloudflare";
/// The most tokens of an answer if the request states no limit.
const OUTPUT_TOKENS_DEFAULT: u64 = 256;
const INPUTS: [&str; 17] = [
    "messages",
    "prompt",
    "raw",
    "stream",
    "max_tokens",
    "temperature",
    "top_p",
    "top_k",
    "seed",
    "repetition_penalty",
    "frequency_penalty",
    "presence_penalty",
    "lora",
    "response_format",
    "tools",
    "functions",
    "tool_choice",
];

/// The parts of a checked request that determine the answer.
#[derive(Debug)]
pub(super) struct RunRequest {
    /// The last message of the user.
    pub prompt: String,
    /// The conversation, with the functions that the model may call.
    pub conversation: Conversation,
    /// The schema for the answer; `None` if it has no properties, because it then constrains nothing.
    pub schema: Option<Value>,
    pub output_tokens_max: u64,
}

/// Checks a request in the order of the real API: the token, the account, the model, then the inputs.
pub(super) fn read(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
) -> Result<RunRequest, Box<Reply>> {
    let credentials = context.credentials;
    let Some(authorization) = request.header("authorization") else {
        let message = "Missing X-Auth-Key, X-Auth-Email or Authorization headers";
        return Err(Box::new(error(400, 9106, message)));
    };
    if authorization.strip_prefix("Bearer ") != Some(&credentials.workers_ai_token) {
        return Err(Box::new(bad_token()));
    }
    let path = request.path.strip_prefix(PREFIX).unwrap_or_default();
    let account = format!(
        "/client/v4/accounts/{}/ai/run/",
        credentials.workers_ai_account_id
    );
    let Some(model) = path.strip_prefix(&account) else {
        return Err(Box::new(no_route(path)));
    };
    let model = percent_decode_str(model).decode_utf8_lossy();
    if model != credentials.workers_ai_model {
        return Err(Box::new(no_such_model(&model)));
    }
    inputs(&request.body)
}

fn inputs(body: &[u8]) -> Result<RunRequest, Box<Reply>> {
    let body: Value = serde_json::from_slice(body).map_err(|_| refusal("the body is not JSON"))?;
    let members = body
        .as_object()
        .ok_or_else(|| refusal("Type mismatch of '/', 'object' not in 'string'"))?;
    if let Some(name) = members.keys().find(|name| !INPUTS.contains(&name.as_str())) {
        let why = format!("Additional properties are not allowed at '/': '{name}'");
        return Err(refusal(&why));
    }
    let (conversation, prompt) = messages::read(&body)?;
    let output_tokens_max = match members.get("max_tokens") {
        None => OUTPUT_TOKENS_DEFAULT,
        Some(count) => count
            .as_u64()
            .filter(|count| *count > 0)
            .ok_or_else(|| refusal("Type mismatch of '/max_tokens', 'integer' is needed"))?,
    };
    Ok(RunRequest {
        prompt,
        conversation,
        schema: schema(&body)?,
        output_tokens_max,
    })
}

fn schema(body: &Value) -> Result<Option<Value>, Box<Reply>> {
    let Some(format) = body.get("response_format") else {
        return Ok(None);
    };
    match format.get("type").and_then(Value::as_str) {
        Some("json_schema" | "json_object") => {}
        _ => return Err(refusal("unknown type at '/response_format/type'")),
    }
    let schema = format.get("json_schema");
    let has_members = |schema: &&Value| {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.is_some_and(|properties| !properties.is_empty())
    };
    Ok(schema.filter(has_members).cloned())
}
