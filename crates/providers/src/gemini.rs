//! Gemini `generateContent`, as the planner: with a JSON schema, and with function calls. Sources: python-genai 2.19;
//! the API's error page, and its pages on function calling and thought signatures. From the third generation on, the
//! API refuses a conversation that repeats a function call without the signature that came with the call.

use std::rc::Rc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use domain::chat::{ChatQuestion, ChatReply, ChatTool, ModelToolCall, Part, Turn};
use domain::{Failure, FailureKind, PlanAnswer, Secret};
use platform::{WireRequest, WireResponse};

use crate::chat::{CHAT_TOKENS_OUT_MAX, Images, arguments, check, meant_name, told_name};
use crate::planner::{
    CUT_BEFORE_TEXT, ModelQuestion, Planner, Usage, joined, malformed, plan, post, with,
};
use crate::response::{
    detail, endpoint, error_body, json_object, kind_of_status, list_at, retry_after_ms,
    secret_header, text_at,
};

/// The address at which Google serves the API.
pub const BASE_DEFAULT: &str = "https://generativelanguage.googleapis.com";
/// The default model: the cheapest that follows a schema and is not deprecated.
pub const MODEL_DEFAULT: &str = "gemini-3.5-flash-lite";

/// The models that are retired on 2026-12-01, and for each the model that then answers and is billed in its place.
/// `gemini-2.5-flash-lite` is not retired.
const REPLACED: [(&str, &str); 2] = [
    ("gemini-2.5-pro", "gemini-3.8-flash"),
    ("gemini-2.5-flash", "gemini-3.5-flash-lite"),
];

/// The prefix of the id of a call that Gemini made. The call's signature follows, if there is one.
const OWN: &str = "gemini";
/// The separator between a call's number and its signature.
const BEFORE_SIGNATURE: char = '~';
/// The text that the API accepts as the signature of a call that another model made.
const OF_ANOTHER_MODEL: &str = "skip_thought_signature_validator";
/// The longest stored signature, in bytes.
const SIGNATURE_BYTES_MAX: usize = 65_536;
/// The most calls read from one answer.
const CALLS_MAX: usize = 32;

/// Returns the model that answers and is billed in place of this one from 2026-12-01 on; `None` if this one is not
/// retired.
#[must_use]
pub fn replacement(model: &str) -> Option<&'static str> {
    let replaced = REPLACED.iter().find(|(asked, _)| *asked == model);
    replaced.map(|(_, answers)| *answers)
}

/// The settings of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeminiSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
    /// The API key, which is sent in a header.
    pub key: Secret,
    /// The model's name, for example [`MODEL_DEFAULT`].
    pub model: String,
}

impl GeminiSettings {
    /// Makes a request with this body and generation config.
    fn generate(&self, body: Value, config: Value) -> Result<WireRequest, Failure> {
        let path = format!("/v1beta/models/{}:generateContent", self.model);
        let url = endpoint(&self.base, &path, "GEMINI_BASE")?;
        let level = thinking_level(&self.model);
        let thinking = level.map(|level| ("thinkingConfig", json!({"thinkingLevel": level})));
        let body = with(body, [("generationConfig", with(config, thinking))]);
        let key = secret_header(&self.key)?;
        post(
            &url,
            Some(("x-goog-api-key", key)),
            body.to_string().into_bytes(),
        )
    }
}

impl Planner for GeminiSettings {
    fn id(&self) -> &'static str {
        "gemini"
    }

    fn name(&self) -> &'static str {
        "Gemini"
    }

    fn with_model(&self, model: &str) -> Rc<dyn Planner> {
        Rc::new(Self {
            model: model.to_owned(),
            ..self.clone()
        })
    }

    fn remark(&self) -> Option<String> {
        let (model, answers) = (&self.model, replacement(&self.model)?);
        Some(format!(
            "From 2026-12-01 on Google answers with {answers} where {model} is asked for, and bills that: \
             name {answers} in the setting, or another model."
        ))
    }

    /// Builds the request. Temperature and similar parameters are omitted, since models from version 3 on refuse them.
    fn ask(&self, question: &ModelQuestion) -> Result<WireRequest, Failure> {
        let body = json!({
            "systemInstruction": {"parts": [{"text": question.instruction}]},
            "contents": [{"role": "user", "parts": [{"text": question.prompt}]}],
        });
        let config = json!({
            "maxOutputTokens": question.output_tokens_max,
            "responseMimeType": "application/json",
            "responseJsonSchema": question.schema,
        });
        self.generate(body, config)
    }

    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure> {
        check(question)?;
        let body = json!({
            "systemInstruction": {"parts": [{"text": question.system}]},
            "contents": contents(question, images),
        });
        self.generate(
            with(body, tools(&question.tools)),
            json!({"maxOutputTokens": CHAT_TOKENS_OUT_MAX}),
        )
    }

    fn answer(&self, response: &WireResponse) -> Result<Value, Failure> {
        if response.status() != 200 {
            return Err(failure(response));
        }
        json_object(response)
    }

    fn usage(&self, generation: &Value) -> Usage {
        Usage::at(
            generation,
            "/usageMetadata/promptTokenCount",
            &[
                "/usageMetadata/candidatesTokenCount",
                "/usageMetadata/thoughtsTokenCount",
            ],
        )
    }

    fn plan(&self, generation: &Value) -> Result<PlanAnswer, Failure> {
        check_whole(generation)?;
        plan(&text(generation))
    }

    fn turn(&self, question: &ChatQuestion, generation: &Value) -> Result<ChatReply, Failure> {
        check_whole(generation)?;
        Ok(ChatReply {
            text: text(generation),
            calls: calls(question, generation),
            model: self.model.clone(),
        })
    }

    /// Accepts any text, even one that was cut off, since it already shows that the settings are valid.
    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure> {
        let generation = self.answer(response)?;
        let reason = ended(&generation)?;
        match text(&generation).trim() {
            "" if reason == "MAX_TOKENS" => Err(malformed(CUT_BEFORE_TEXT)),
            "" => Err(malformed(format!("no text, {}", detail(200, reason)))),
            _ => Ok(()),
        }
    }
}

/// Returns the lowest thinking level of a model. It is `None` for models before version 3, which refuse any level. Not
/// all later models have `minimal`; `gemini-flash-latest` does not.
fn thinking_level(model: &str) -> Option<&'static str> {
    let family = model.strip_prefix("gemini-")?;
    if family.starts_with(['1', '2']) {
        return None;
    }
    let is_lite = family.starts_with("3.5-flash-lite");
    Some(if is_lite { "minimal" } else { "low" })
}

/// Returns an error if the answer was cut off.
fn check_whole(generation: &Value) -> Result<(), Failure> {
    match ended(generation)? {
        "STOP" | "" => Ok(()),
        reason => Err(malformed(format!("cut off, {}", detail(200, reason)))),
    }
}

/// Returns the reason for which generation ended. A blocked prompt has no candidate, so its reason is read elsewhere.
fn ended(generation: &Value) -> Result<&str, Failure> {
    if generation
        .pointer("/candidates/0")
        .is_some_and(Value::is_object)
    {
        return Ok(text_at(generation, "/candidates/0/finishReason"));
    }
    let reason = text_at(generation, "/promptFeedback/blockReason");
    Err(malformed(format!("no text, {}", detail(200, reason))))
}

/// Returns the text of the answer. JSON may span several parts, which are joined; thoughts are skipped. The answer may
/// have no content at all.
fn text(generation: &Value) -> String {
    let is_answer = |part: &&Value| {
        let thought = part.get("thought");
        matches!(thought, None | Some(Value::Null | Value::Bool(false)))
    };
    let parts = list_at(generation, "/candidates/0/content/parts").iter();
    joined(parts.filter(is_answer).map(|part| text_at(part, "/text")))
}

/// Returns the failure for an error response.
fn failure(response: &WireResponse) -> Failure {
    let status = response.status().as_u16();
    let body = error_body(response);
    let name = text_at(&body, "/error/status");
    let details = list_at(&body, "/error/details");
    let is_key = details
        .iter()
        .any(|detail| text_at(detail, "/reason") == "API_KEY_INVALID")
        || text_at(&body, "/error/message").starts_with("API key not valid");
    let mut violations = details
        .iter()
        .flat_map(|detail| list_at(detail, "/violations"));
    let is_daily = violations.any(|violation| text_at(violation, "/quotaId").contains("PerDay"));
    let kind = match status {
        // Gemini answers an invalid key with 400, and an unknown model with 404.
        400 if is_key => FailureKind::Misconfigured,
        400 if name == "FAILED_PRECONDITION" => FailureKind::Closed,
        403 | 404 => FailureKind::Misconfigured,
        429 if is_daily => FailureKind::Quota,
        _ => kind_of_status(status),
    };
    let hint = details
        .iter()
        .find_map(|detail| duration_ms(text_at(detail, "/retryDelay")));
    Failure::new(kind, detail(status, name)).after(hint.or_else(|| retry_after_ms(response)))
}

/// Parses a duration like `37s` or `1.5s` to milliseconds.
fn duration_ms(text: &str) -> Option<u64> {
    const HOUR_SECONDS: f64 = 3_600.0;
    let seconds = text.strip_suffix('s')?.parse::<f64>().ok()?;
    if !seconds.is_finite() || seconds < 0.0 {
        return None;
    }
    // The number is at most 3,600,000, which fits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Some((seconds.min(HOUR_SECONDS) * 1_000.0).round() as u64)
}

/// Returns the member of a request that declares the tools, or `None` if there are none.
fn tools(tools: &[ChatTool]) -> Option<(&'static str, Value)> {
    let function = |tool: &ChatTool| {
        json!({
            "name": told_name(tools, &tool.name),
            "description": tool.description,
            "parametersJsonSchema": tool.schema,
        })
    };
    let functions: Vec<Value> = tools.iter().map(function).collect();
    (!functions.is_empty()).then(|| ("tools", json!([{"functionDeclarations": functions}])))
}

/// Returns the turns of the conversation. Consecutive answers of tools are joined to one turn of the user, as the API
/// expects.
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
            // Gemini signs only the first of several calls in a turn, so the others need no replacement.
            None => (place == 0).then_some(OF_ANOTHER_MODEL),
        };
        if let (Some(signature), Some(part)) = (signature, part.as_object_mut()) {
            part.insert("thoughtSignature".into(), signature.into());
        }
        part
    }));
    parts
}

fn calls(question: &ChatQuestion, generation: &Value) -> Vec<ModelToolCall> {
    let parts = list_at(generation, "/candidates/0/content/parts").iter();
    parts
        .filter(|part| part.get("functionCall").is_some_and(Value::is_object))
        .take(CALLS_MAX)
        .enumerate()
        .map(|(place, part)| {
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
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_strings_with_an_s() {
        assert_eq!(duration_ms("37s"), Some(37_000));
        assert_eq!(duration_ms("1.5s"), Some(1_500));
        assert_eq!(duration_ms("999999s"), Some(3_600_000));
        assert_eq!(duration_ms("-1s"), None);
        assert_eq!(duration_ms("soon"), None);
    }
}
