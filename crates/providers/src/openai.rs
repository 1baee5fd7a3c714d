//! Any endpoint with OpenAI's chat completions, such as OpenAI itself, or Ollama and vLLM on a local server. It can
//! plan and call tools.
//!
//! Sources: OpenAI's API reference, structured outputs, error codes and its guide on function calling; Ollama's page on
//! compatibility; vLLM's page on its OpenAI-compatible server.

use std::rc::Rc;

use serde_json::{Value, json};
use url::Url;

use domain::chat::{ChatQuestion, ChatReply};
use domain::{Failure, FailureKind, PlanAnswer, Secret};
use platform::{WireRequest, WireResponse};

use crate::chat::{CHAT_TOKENS_OUT_MAX, Images, conversation, read_choice};
use crate::planner::{
    CUT_BEFORE_TEXT, ModelQuestion, Planner, Usage, generated_text, malformed, plan, post,
    unwrapped, with,
};
use crate::response::{
    detail, endpoint, error_body, json_object, kind_of_status, list_at, retry_after_ms,
    secret_header, text_at,
};

/// The address at which OpenAI serves the API.
pub const BASE_DEFAULT: &str = "https://api.openai.com/v1";

/// The settings of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAiSettings {
    /// The address before `/chat/completions`: [`BASE_DEFAULT`], `http://127.0.0.1:11434/v1`
    /// (Ollama) or `http://127.0.0.1:8000/v1` (vLLM).
    pub base: String,
    /// The key, which is sent as a bearer token; `None` for local servers, which need no key.
    pub key: Option<Secret>,
    /// The name of one of the endpoint's models.
    pub model: String,
}

impl OpenAiSettings {
    /// Makes a request whose body has these members and this limit of tokens.
    fn complete(&self, body: Value, tokens_max: u32) -> Result<WireRequest, Failure> {
        let url = endpoint(&self.base, "/chat/completions", "OPENAI_BASE")?;
        let is_openai = is_openai(&url);
        let limit = if is_openai {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        let members = [("model", json!(self.model)), (limit, json!(tokens_max))];
        let effort =
            (is_openai && reasons(&self.model)).then(|| ("reasoning_effort", json!("low")));
        let body = with(body, members.into_iter().chain(effort));
        let key = self.key.as_ref().filter(|key| !key.reveal().is_empty());
        let header = key.map(bearer).transpose()?;
        post(
            &url,
            header.map(|value| ("authorization", value)),
            body.to_string().into_bytes(),
        )
    }
}

impl Planner for OpenAiSettings {
    fn id(&self) -> &'static str {
        "openai"
    }

    fn name(&self) -> &'static str {
        "The OpenAI-compatible model"
    }

    fn with_model(&self, model: &str) -> Rc<dyn Planner> {
        Rc::new(Self {
            model: model.to_owned(),
            ..self.clone()
        })
    }

    fn ask(&self, question: &ModelQuestion) -> Result<WireRequest, Failure> {
        let schema = without_counts(question.schema.clone());
        let body = json!({
            "messages": question.messages(),
            "response_format": {"type": "json_schema", "json_schema": {
                "name": "answer", "strict": true, "schema": schema,
            }},
        });
        self.complete(body, question.output_tokens_max)
    }

    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure> {
        self.complete(conversation(question, images)?, CHAT_TOKENS_OUT_MAX)
    }

    /// Returns the body of a success. Some services report errors with a success status, so the body is checked for
    /// one.
    fn answer(&self, response: &WireResponse) -> Result<Value, Failure> {
        let status = response.status().as_u16();
        if status != 200 {
            return Err(failure(status, &error_body(response), response));
        }
        let completion = json_object(response)?;
        let error = completion.get("error").filter(|error| !error.is_null());
        let Some(error) = error.filter(|_| list_at(&completion, "/choices").is_empty()) else {
            return Ok(completion);
        };
        let status = error
            .get("code")
            .and_then(Value::as_u64)
            .and_then(|code| u16::try_from(code).ok());
        match status.filter(|status| (400..600).contains(status)) {
            Some(status) => Err(failure(status, &completion, response)),
            None => Err(malformed("an error told as success")),
        }
    }

    fn usage(&self, completion: &Value) -> Usage {
        usage(completion)
    }

    fn plan(&self, completion: &Value) -> Result<PlanAnswer, Failure> {
        plan(unwrapped(&whole_text(completion)?))
    }

    fn turn(&self, question: &ChatQuestion, completion: &Value) -> Result<ChatReply, Failure> {
        read_choice(question, completion, &self.model)
            .unwrap_or_else(|| Err(malformed("an answer without a choice")))
    }

    /// Accepts any text, even one that was cut off, since it already shows that the settings are valid.
    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure> {
        let completion = self.answer(response)?;
        let content = completion.pointer("/choices/0/message/content");
        let is_cut = text_at(&completion, "/choices/0/finish_reason") == "length";
        let text = match content.filter(|_| is_cut) {
            Some(content) => generated_text(content),
            None if is_cut => String::new(),
            None => whole_text(&completion)?,
        };
        match text.trim() {
            "" if is_cut => Err(malformed(CUT_BEFORE_TEXT)),
            "" => Err(malformed("an answer without text")),
            _ => Ok(()),
        }
    }
}

/// Returns the value `Bearer KEY` for a header, marked so that `Debug` hides it.
pub(crate) fn bearer(key: &Secret) -> Result<http::HeaderValue, Failure> {
    secret_header(&format!("Bearer {}", key.reveal()).into())
}

/// Returns whether an address is OpenAI's own API, which decides the name of the token limit. OpenAI's reasoning models
/// refuse `max_tokens`, and OpenAI refuses both names together. Ollama ignores `max_completion_tokens` (ollama issue
/// 7125); vLLM accepts either.
fn is_openai(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host.ends_with(".openai.com") || host.ends_with(".openai.azure.com")
}

/// Returns whether an OpenAI model reasons before it answers and accepts a reasoning effort. Its reasoning counts
/// towards the answer's limit, so the effort should be low. All such models accept `low` except the chat and `pro`
/// models, but not all accept `minimal` or `none`.
fn reasons(model: &str) -> bool {
    let is_digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let is_named = model.starts_with("gpt-5") || model.strip_prefix('o').is_some_and(is_digit);
    is_named && !model.contains("-chat") && !model.contains("-pro")
}

/// Returns the schema without the item counts of lists, which fine-tuned OpenAI models and some compatible services
/// refuse.
fn without_counts(mut schema: Value) -> Value {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flatten() {
        if let Some(property) = property.1.as_object_mut() {
            property.remove("minItems");
            property.remove("maxItems");
        }
    }
    schema
}

/// Returns the token counts of a completion.
pub(crate) fn usage(completion: &Value) -> Usage {
    let tokens_out = ["/usage/completion_tokens"];
    Usage::at(completion, "/usage/prompt_tokens", &tokens_out)
}

/// Returns the text of the first choice. Fails if it was cut off, filtered or refused.
pub(crate) fn whole_text(completion: &Value) -> Result<String, Failure> {
    let Some(choice) = list_at(completion, "/choices").first() else {
        return Err(malformed("an answer without a choice"));
    };
    let reason = text_at(choice, "/finish_reason");
    if matches!(reason, "length" | "content_filter") {
        return Err(malformed(format!("cut off, {}", detail(200, reason))));
    }
    let content = choice.pointer("/message/content").unwrap_or(&Value::Null);
    let is_refusal = |part: &Value| text_at(part, "/type") == "refusal";
    if !text_at(choice, "/message/refusal").is_empty()
        || list_at(content, "").iter().any(is_refusal)
    {
        return Err(malformed("the model refused to answer"));
    }
    Ok(generated_text(content))
}

/// Returns the failure for an error. The error has the form `{"error":{"message","type","code"}}`, or lacks the outer
/// `error` in older versions of vLLM. Ollama's `{"error":"..."}` has no code, so only the status counts.
fn failure(status: u16, body: &Value, response: &WireResponse) -> Failure {
    let names = ["/error/code", "/error/type", "/code", "/type"].map(|place| text_at(body, place));
    let kind = names
        .iter()
        .find_map(|name| kind_of_name(name))
        .unwrap_or(match status {
            // The path is wrong, or the endpoint does not have the model.
            404 | 405 => FailureKind::Misconfigured,
            _ => kind_of_status(status),
        });
    let name = names.into_iter().find(|name| !name.is_empty());
    let told = detail(status, name.unwrap_or_default());
    Failure::new(kind, told).after(retry_after_ms(response))
}

fn kind_of_name(name: &str) -> Option<FailureKind> {
    Some(match name {
        "insufficient_quota"
        | "credit_balance_exhausted"
        | "billing_hard_limit_reached"
        | "billing_not_active" => FailureKind::Quota,
        "rate_limit_exceeded" | "slow_down" => FailureKind::Throttled,
        "invalid_api_key" | "model_not_found" | "NotFoundError" => FailureKind::Misconfigured,
        "unsupported_country_region_territory" => FailureKind::Closed,
        _ => return None,
    })
}
