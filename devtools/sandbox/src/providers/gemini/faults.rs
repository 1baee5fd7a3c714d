//! Gemini's errors, and its useless answers.

use serde_json::{Value, json};

use super::super::context::ProviderContext;
use super::super::fault_kinds::fault_kinds;
use super::super::google_errors::{bad_gateway, bad_key, help};
use super::super::language_model::{LAWLESS, chatty, fenced, naming_somebody_unknown};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::errors::{error, model_gone};
use super::generation::{envelope, text};
use super::request::read;

fault_kinds! {
    /// A fault that only Gemini has.
    pub(crate) enum GeminiFault {
        BadKey = "bad-key",
        InvalidArgument = "invalid-argument",
        UnknownField = "unknown-field",
        FailedPrecondition = "failed-precondition",
        CreditGone = "credit-gone-402",
        PermissionDenied = "permission-denied",
        ModelGone = "model-gone-404",
        QuotaDay = "quota-day",
        QuotaMinute = "quota-minute",
        QuotaBare = "quota-bare",
        Cancelled = "cancelled-499",
        Internal = "internal-500",
        Overloaded = "overloaded-503",
        Deadline = "deadline-504",
        BadGateway = "bad-gateway-html",
        Fenced = "fenced",
        MultiPart = "multi-part",
        ThoughtPart = "thought-part",
        MaxTokensEmpty = "max-tokens-empty",
        Safety = "safety",
        BlockedPrompt = "blocked-prompt",
        ExtraText = "extra-text",
        NotJson = "not-json",
        UnknownName = "unknown-name",
    }
}

const SERVICE: &str = "generativelanguage.googleapis.com";

pub(crate) fn reply(
    context: ProviderContext<'_>,
    fault: GeminiFault,
    request: &ParsedRequest,
) -> Reply {
    match fault {
        GeminiFault::BadKey => bad_key(SERVICE),
        GeminiFault::InvalidArgument => error(
            400,
            "INVALID_ARGUMENT",
            "Request contains an invalid argument.",
        ),
        GeminiFault::UnknownField => error(
            400,
            "INVALID_ARGUMENT",
            "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'generation_config.response_schema': Cannot find field.",
        ),
        GeminiFault::FailedPrecondition => error(
            400,
            "FAILED_PRECONDITION",
            "User location is not supported for the API use.",
        ),
        GeminiFault::CreditGone => error(
            402,
            "RESOURCE_EXHAUSTED",
            "Your prepayment credits are depleted. Please go to AI Studio to add credits.",
        ),
        GeminiFault::PermissionDenied => error(
            403,
            "PERMISSION_DENIED",
            "Your API key doesn't have the required permissions.",
        ),
        GeminiFault::ModelGone => model_gone(&request.model().unwrap_or_default()),
        GeminiFault::QuotaDay => quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "37s"),
        GeminiFault::QuotaMinute => {
            quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "1s")
        }
        GeminiFault::QuotaBare => error(
            429,
            "RESOURCE_EXHAUSTED",
            "Resource has been exhausted (e.g. check quota).",
        ),
        GeminiFault::Cancelled => error(499, "CANCELLED", "The operation was cancelled."),
        GeminiFault::Internal => error(
            500,
            "INTERNAL",
            "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
        ),
        GeminiFault::Overloaded => error(
            503,
            "UNAVAILABLE",
            "The model is overloaded. Please try again later.",
        ),
        GeminiFault::Deadline => error(
            504,
            "DEADLINE_EXCEEDED",
            "Deadline expired before operation could complete.",
        ),
        GeminiFault::BadGateway => bad_gateway(),
        _ => useless(context, fault, request),
    }
}

/// Responds with status 200, but with content that is no answer.
fn useless(context: ProviderContext<'_>, fault: GeminiFault, request: &ParsedRequest) -> Reply {
    let prompt = match read(context, request) {
        Ok(prompt) => prompt,
        Err(refusal) => return *refusal,
    };
    let text = text(context, &prompt);
    let part = |text: String| json!({"text": text});
    let candidate = |parts: Value| json!([{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}]);
    let candidates = match fault {
        GeminiFault::Fenced => candidate(json!([part(fenced(&text))])),
        GeminiFault::MultiPart => {
            let middle = text.char_indices().nth(text.chars().count() / 2);
            let (one, two) = text.split_at(middle.map_or(0, |(position, _)| position));
            candidate(json!([part(one.to_owned()), part(two.to_owned())]))
        }
        GeminiFault::ThoughtPart => {
            let thought =
                "**Weighing the table**\n\nThe target is {\"far\": true} from most of them.";
            candidate(json!([{"text": thought, "thought": true}, part(text)]))
        }
        GeminiFault::MaxTokensEmpty => json!([{"finishReason": "MAX_TOKENS", "index": 0}]),
        GeminiFault::Safety => json!([{"finishReason": "SAFETY", "index": 0, "safetyRatings": [
            {"category": "HARM_CATEGORY_HARASSMENT", "probability": "MEDIUM", "blocked": true}]}]),
        GeminiFault::ExtraText => candidate(json!([part(chatty(&text))])),
        GeminiFault::UnknownName => candidate(json!([part(naming_somebody_unknown().to_string())])),
        GeminiFault::BlockedPrompt => {
            let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"},
                "usageMetadata": {"promptTokenCount": 200, "totalTokenCount": 200},
                "modelVersion": prompt.model});
            return Reply::pretty(200, &blocked);
        }
        _ => candidate(json!([part(LAWLESS.to_owned())])),
    };
    Reply::pretty(200, &envelope(&prompt, &candidates, 60))
}

fn quota(id: &str, delay: &str) -> Reply {
    let metric = "generativelanguage.googleapis.com/generate_content_free_tier_requests";
    let message = format!(
        "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n* Quota exceeded for metric: {metric}, limit: 20\nPlease retry in {delay}."
    );
    let error = json!({
        "code": 429, "message": message, "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure",
             "violations": [{"quotaMetric": metric, "quotaId": id}]},
            help(),
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
        ],
    });
    Reply::pretty(429, &json!({"error": error}))
}
