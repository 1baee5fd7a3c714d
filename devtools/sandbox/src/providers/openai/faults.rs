//! The errors of OpenAI, Ollama and vLLM, and answers that no client can use.

use http::header::RETRY_AFTER;
use serde_json::{Value, json};

use super::super::context::ProviderContext;
use super::super::fault_kinds::fault_kinds;
use super::super::language_model::{
    LAWLESS, after_thinking, chatty, fenced, naming_somebody_unknown, without_its_end,
};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::completion::{body, choice, choice_ended, choice_of, completion, text};
use super::errors::{bad_key, error, invalid, no_such_model};
use super::request::read;

fault_kinds! {
    /// A fault that only chat completions have.
    pub(crate) enum OpenAiFault {
        BadKey = "bad-key",
        Country = "country-403",
        ModelGone = "model-gone-404",
        OllamaModel = "ollama-model-404",
        VllmModel = "vllm-model-404",
        Quota = "quota",
        CreditGone = "credit-gone",
        RateLimit = "rate-limit",
        SlowDown = "slow-down-503",
        ContextLength = "context-length",
        UnsupportedParameter = "unsupported-parameter",
        VllmBadRequest = "vllm-bad-request",
        Internal = "internal-500",
        Overloaded = "overloaded-503",
        BadGateway = "bad-gateway-html",
        ErrorAsSuccess = "error-as-success",
        Fenced = "fenced",
        ThinkBlock = "think-block",
        ThinkEnd = "think-end",
        ReasoningContent = "reasoning-content",
        ContentParts = "content-parts",
        ExtraText = "extra-text",
        NotJson = "not-json",
        Cut = "cut",
        CutWithoutText = "cut-without-text",
        ContentFilter = "content-filter",
        Refusal = "refusal",
        NullContent = "null-content",
        EmptyChoices = "empty-choices",
        NoChoices = "no-choices",
        NoUsage = "no-usage",
        UnknownName = "unknown-name",
    }
}

pub(crate) fn reply(
    context: ProviderContext<'_>,
    fault: OpenAiFault,
    request: &ParsedRequest,
) -> Reply {
    let model = &context.credentials.openai_model;
    match fault {
        OpenAiFault::BadKey => bad_key(),
        OpenAiFault::Country => error(
            403,
            "request_forbidden",
            Some("unsupported_country_region_territory"),
            "Country, region, or territory not supported",
        ),
        OpenAiFault::ModelGone => no_such_model(model),
        OpenAiFault::OllamaModel => {
            let message = format!("model '{model}' not found");
            Reply::json(404, &json!({"error": message}))
        }
        OpenAiFault::VllmModel => vllm(
            404,
            "NotFoundError",
            &format!("The model `{model}` does not exist."),
        ),
        OpenAiFault::Quota => error(
            429,
            "insufficient_quota",
            Some("insufficient_quota"),
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        OpenAiFault::CreditGone => error(
            429,
            "insufficient_quota",
            Some("credit_balance_exhausted"),
            "Your credit balance is exhausted.",
        ),
        OpenAiFault::RateLimit => error(
            429,
            "requests",
            Some("rate_limit_exceeded"),
            "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 1s.",
        )
        .with(RETRY_AFTER, "1"),
        OpenAiFault::SlowDown => {
            error(503, "service_unavailable_error", Some("slow_down"), "Slow down.")
        }
        OpenAiFault::ContextLength => invalid(
            Some("messages"),
            Some("context_length_exceeded"),
            "This model's maximum context length is 128 tokens.",
        ),
        OpenAiFault::UnsupportedParameter => invalid(
            Some("max_tokens"),
            Some("unsupported_parameter"),
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ),
        OpenAiFault::VllmBadRequest => vllm(400, "BadRequestError", "Extra inputs are not permitted"),
        OpenAiFault::Internal => error(
            500,
            "server_error",
            None,
            "The server had an error while processing your request. Sorry about that!",
        ),
        OpenAiFault::Overloaded => error(
            503,
            "service_unavailable_error",
            Some("server_is_overloaded"),
            "The engine is currently overloaded, please try again later.",
        ),
        OpenAiFault::BadGateway => {
            Reply::html(502, "<html><head><title>502 Bad Gateway</title></head></html>\n")
        }
        OpenAiFault::ErrorAsSuccess => {
            let error = json!({"message": "Provider returned error", "code": 502});
            Reply::json(200, &json!({"error": error}))
        }
        _ => odd(context, fault, request),
    }
}

/// Makes an error in the older form of vLLM, which has no enclosing object.
fn vllm(status: u16, kind: &str, message: &str) -> Reply {
    let error = json!({"object": "error", "message": message, "type": kind, "param": null,
        "code": status});
    Reply::json(status, &error)
}

/// Responds with status 200, but with unusable content.
fn odd(context: ProviderContext<'_>, fault: OpenAiFault, request: &ParsedRequest) -> Reply {
    let chat = match read(context, request) {
        Ok(chat) => chat,
        Err(refusal) => return *refusal,
    };
    let text = text(context, &chat);
    let part = |kind: &str, text: &str| json!({"type": kind, "text": text});
    let choice = match fault {
        OpenAiFault::Fenced => choice(&json!(fenced(&text))),
        OpenAiFault::ThinkBlock => choice(&json!(after_thinking(&text))),
        OpenAiFault::ThinkEnd => choice(&json!(format!("Far away.\n</think>\n{text}"))),
        OpenAiFault::ReasoningContent => {
            choice_of(&json!(text), "stop", ("reasoning_content", json!("{}")))
        }
        OpenAiFault::ContentParts => {
            let half = without_its_end(&text);
            let rest = text.strip_prefix(half.as_str()).unwrap_or_default();
            let parts = [
                part("reasoning", "{"),
                part("text", &half),
                part("text", rest),
            ];
            choice(&json!(parts))
        }
        OpenAiFault::ExtraText => choice(&json!(chatty(&text))),
        OpenAiFault::Cut => choice_ended(&json!(without_its_end(&text)), "length"),
        OpenAiFault::CutWithoutText => choice_ended(&Value::Null, "length"),
        OpenAiFault::ContentFilter => choice_ended(&json!(""), "content_filter"),
        OpenAiFault::Refusal => {
            let words = json!("I'm sorry, I can't help with that.");
            choice_of(&Value::Null, "stop", ("refusal", words))
        }
        OpenAiFault::NullContent => choice(&Value::Null),
        OpenAiFault::UnknownName => choice(&json!(naming_somebody_unknown().to_string())),
        OpenAiFault::EmptyChoices => return Reply::pretty(200, &body(&chat, &json!([]), 0)),
        OpenAiFault::NoChoices | OpenAiFault::NoUsage => {
            let mut body = body(&chat, &json!([choice(&json!(text))]), 60);
            let gone = if fault == OpenAiFault::NoUsage {
                "usage"
            } else {
                "choices"
            };
            if let Some(body) = body.as_object_mut() {
                body.remove(gone);
            }
            return Reply::pretty(200, &body);
        }
        _ => choice(&json!(LAWLESS)),
    };
    completion(&chat, &choice, 60)
}
