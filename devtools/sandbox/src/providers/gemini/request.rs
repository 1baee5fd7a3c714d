//! Parses and checks a request to generate content.

use serde_json::{Value, json};

use super::super::context::ProviderContext;
use super::super::google_errors::{bad_key, no_key};
use super::super::language_model::{Conversation, tokens_of_tools, user_text};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::contents::turns;
use super::errors::model_gone;
use super::members::{check_members, invalid, member};
use super::schema::unknown_keyword;
use super::tools::tools;

const TOP_LEVEL: [&str; 9] = [
    "contents",
    "systemInstruction",
    "safetySettings",
    "tools",
    "toolConfig",
    "cachedContent",
    "serviceTier",
    "generationConfig",
    "model",
];
const GENERATION: [&str; 18] = [
    "temperature",
    "topP",
    "topK",
    "candidateCount",
    "maxOutputTokens",
    "stopSequences",
    "responseLogprobs",
    "logprobs",
    "presencePenalty",
    "frequencyPenalty",
    "seed",
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "responseModalities",
    "mediaResolution",
    "thinkingConfig",
    "speechConfig",
];
const THINKING: [&str; 3] = ["thinkingLevel", "thinkingBudget", "includeThoughts"];
const THINKING_LEVELS: [&str; 4] = ["MINIMAL", "LOW", "MEDIUM", "HIGH"];

/// The largest request in bytes, including pictures.
const BODY_BYTES_MAX: usize = 20 * 1024 * 1024;

/// The parts of a checked request that determine the answer.
#[derive(Debug)]
pub(super) struct GenerateContentRequest {
    pub model: String,
    /// All texts of the user, for models that plan an investigation.
    pub text: String,
    pub conversation: Conversation,
    pub wants_json: bool,
    pub schema: Option<Value>,
    pub output_tokens_max: Option<u64>,
}

/// Checks a request in the order of the real API: the key, the model, then the members of the body.
pub(super) fn read(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
) -> Result<GenerateContentRequest, Box<Reply>> {
    let credentials = context.credentials;
    let key = request
        .header("x-goog-api-key")
        .or_else(|| request.parameter("key"));
    let key = key.ok_or_else(|| Box::new(no_key()))?;
    if key != credentials.gemini_key {
        return Err(Box::new(bad_key("generativelanguage.googleapis.com")));
    }
    let model = request.model().unwrap_or_default();
    if !credentials.gemini_models.contains(&model) {
        return Err(Box::new(model_gone(&model)));
    }
    if request.body.len() > BODY_BYTES_MAX {
        let message = format!("Request payload size exceeds the limit: {BODY_BYTES_MAX} bytes.");
        return Err(invalid(&message));
    }
    let body: Value = serde_json::from_slice(&request.body)
        .map_err(|failure| invalid(&format!("Invalid JSON payload received. {failure}")))?;
    check_members(&body, "", &TOP_LEVEL)?;
    let conversation = Conversation {
        system: system(&body),
        turns: turns(&body, !is_before_3(&model))?,
        tools: tools(&body)?,
        tool_tokens: tokens_of_tools(member(&body, "tools")),
    };
    let config = body
        .get("generationConfig")
        .cloned()
        .unwrap_or_else(|| json!({}));
    check_config(&config, &model)?;
    let has_mime = config.get("responseMimeType").is_some();
    if has_mime && !conversation.tools.is_empty() && is_before_3(&model) {
        return Err(invalid(
            "Function calling with a response mime type: 'application/json' is unsupported",
        ));
    }
    Ok(GenerateContentRequest {
        model,
        text: user_text(&conversation),
        conversation,
        wants_json: config.get("responseMimeType").and_then(Value::as_str)
            == Some("application/json"),
        schema: config.get("responseJsonSchema").cloned(),
        output_tokens_max: config.get("maxOutputTokens").and_then(Value::as_u64),
    })
}

/// Returns the text of the system instruction.
fn system(body: &Value) -> String {
    let parts = member(body, "systemInstruction").and_then(|system| system.get("parts"));
    let parts = parts.and_then(Value::as_array).into_iter().flatten();
    let texts = parts.filter_map(|part| part.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn check_config(config: &Value, model: &str) -> Result<(), Box<Reply>> {
    check_members(config, "generation_config", &GENERATION)?;
    let mime = config
        .get("responseMimeType")
        .and_then(Value::as_str)
        .unwrap_or("text/plain");
    if !matches!(mime, "text/plain" | "application/json" | "text/x.enum") {
        return Err(invalid(&format!(
            "* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are `text/plain`, `application/json`, `application/xml`, `application/yaml` and `text/x.enum`, not `{mime}`.\n"
        )));
    }
    let schemas = ["responseSchema", "responseJsonSchema"].map(|name| config.get(name));
    if schemas.iter().all(Option::is_some) {
        return Err(invalid(
            "Only one of response_schema and response_json_schema may be set.",
        ));
    }
    if schemas.iter().any(Option::is_some) && mime != "application/json" {
        return Err(invalid(&format!(
            "Response schema with mimetype: '{mime}' is unsupported"
        )));
    }
    if let [Some(schema), _] = schemas
        && schema.get("additionalProperties").is_some()
    {
        return Err(invalid(
            "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'generation_config.response_schema': Cannot find field.",
        ));
    }
    if let Some(name) = config.get("responseJsonSchema").and_then(unknown_keyword) {
        return Err(invalid(&format!(
            "Invalid JSON payload received. Unknown name \"{name}\" at 'generation_config.response_json_schema': Cannot find field."
        )));
    }
    check_sampling(config, model)?;
    check_thinking(config, model)
}

/// Refuses sampling parameters for models from version 3 on, which should not get them. The real API's message is
/// unknown, so this one is made up.
fn check_sampling(config: &Value, model: &str) -> Result<(), Box<Reply>> {
    let mut names = ["temperature", "topP", "topK", "candidateCount"].into_iter();
    match names.find(|name| config.get(name).is_some()) {
        Some(name) if !is_before_3(model) => {
            Err(invalid(&format!("{name} is not supported for this model.")))
        }
        _ => Ok(()),
    }
}

fn is_before_3(model: &str) -> bool {
    model.starts_with("gemini-1") || model.starts_with("gemini-2")
}

fn check_thinking(config: &Value, model: &str) -> Result<(), Box<Reply>> {
    let Some(thinking) = config.get("thinkingConfig") else {
        return Ok(());
    };
    check_members(thinking, "generation_config.thinking_config", &THINKING)?;
    let Some(level) = thinking.get("thinkingLevel") else {
        return Ok(());
    };
    if is_before_3(model) {
        return Err(invalid("Thinking level is not supported for this model."));
    }
    let known = |level: &str| {
        THINKING_LEVELS
            .iter()
            .any(|one| one.eq_ignore_ascii_case(level))
    };
    if !level.as_str().is_some_and(known) {
        return Err(invalid(&format!(
            "Invalid value at 'generation_config.thinking_config.thinking_level' (type.googleapis.com/google.ai.generativelanguage.v1beta.ThinkingConfig.ThinkingLevel), {level}"
        )));
    }
    let is_minimal = |level: &str| level.eq_ignore_ascii_case("minimal");
    if model.starts_with("gemini-3.7-flash") && level.as_str().is_some_and(is_minimal) {
        return Err(invalid(
            "Thinking level MINIMAL is not supported for this model.",
        ));
    }
    if thinking.get("thinkingBudget").is_some() {
        return Err(invalid(
            "You can only set only one of thinking budget and thinking level.",
        ));
    }
    Ok(())
}
