//! The errors of Workers AI and of Cloudflare's API, and answers that no client can use.

use http::header::RETRY_AFTER;
use serde_json::{Value, json};

use super::super::context::ProviderContext;
use super::super::fault_kinds::fault_kinds;
use super::super::language_model::{
    LAWLESS, after_thinking, chatty, fenced, naming_somebody_unknown, without_its_end,
};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::errors::{bad_input, bad_token, envelope, error, model_error, no_route, no_such_model};
use super::request::read;
use super::run::{self, generated, text_of};

fault_kinds! {
    /// A fault that only Workers AI has.
    pub(crate) enum WorkersAiFault {
        BadToken = "bad-token",
        NoRoute = "no-route-7003",
        NoSuchModel = "no-such-model-5007",
        InvalidModel = "invalid-model-3042",
        BadInput = "bad-input-5006",
        InvalidData = "invalid-data-5004",
        Incomplete = "incomplete-3003",
        NoJsonMode = "no-json-mode-5025",
        JsonModeFailed = "json-mode-failed",
        ModelAgreement = "model-agreement-5016",
        PrivateModel = "private-model-5018",
        PrivateModelToo = "private-model-3041",
        AccountBlocked = "account-blocked-3023",
        PaidPlan = "paid-plan-5035",
        NoLora = "no-lora-5005",
        OldSdk = "old-sdk-5019",
        TooLarge = "too-large-3006",
        Timeout = "timeout-3007",
        Aborted = "aborted-3008",
        ModelTimeout = "timeout-3046",
        NeuronsDay = "neurons-day-3036",
        NeuronsDayInPractice = "neurons-day-4006",
        Capacity = "capacity-3040",
        Throttled = "throttled-971",
        Internal = "internal-500",
        BadGateway = "bad-gateway-html",
        Thrown = "thrown-3040",
        FailureAsSuccess = "failure-as-success",
        StringResponse = "string-response",
        Fenced = "fenced",
        ThinkBlock = "think-block",
        ExtraText = "extra-text",
        Cut = "cut",
        NotJson = "not-json",
        NullResponse = "null-response",
        NoResponse = "no-response",
        OpenAiForm = "openai-form",
        UnknownName = "unknown-name",
    }
}

const DAY_USED_UP: &str = "you have used up your daily free allocation of 10,000 neurons, please upgrade to Cloudflare's Workers Paid plan if you would like to continue usage.";
const CAPACITY: &str = "Capacity temporarily exceeded, please try again.";
const NOT_ALLOWED: &str = "The account is not allowed to access this model";

pub(crate) fn reply(
    context: ProviderContext<'_>,
    fault: WorkersAiFault,
    request: &ParsedRequest,
) -> Reply {
    let model = &context.credentials.workers_ai_model;
    match fault {
        WorkersAiFault::BadToken => bad_token(),
        WorkersAiFault::NoRoute => no_route(&request.path),
        WorkersAiFault::NoSuchModel => no_such_model(model),
        WorkersAiFault::InvalidModel => error(404, 3042, "The model name is invalid"),
        WorkersAiFault::BadInput => bad_input("required properties at '/' are 'messages'"),
        WorkersAiFault::InvalidData => error(400, 5004, "Invalid data type for base64 input: x"),
        WorkersAiFault::Incomplete => error(400, 3003, "Request is missing headers or body: body"),
        WorkersAiFault::NoJsonMode => {
            model_error(400, 5025, "This model doesn't suuport JSON Schema.")
        }
        WorkersAiFault::JsonModeFailed => envelope(
            400,
            &json!([{"message": "AiError: JSON Mode couldn't be met"}]),
        ),
        WorkersAiFault::ModelAgreement => {
            error(403, 5016, "User has not agreed to Llama3.2 model terms")
        }
        WorkersAiFault::PrivateModel => error(403, 5018, NOT_ALLOWED),
        WorkersAiFault::PrivateModelToo => error(403, 3041, NOT_ALLOWED),
        WorkersAiFault::AccountBlocked => error(403, 3023, "Service unavailable for account"),
        WorkersAiFault::PaidPlan => error(403, 5035, "This model requires a Workers Paid plan"),
        WorkersAiFault::NoLora => error(
            405,
            5005,
            &format!("The model {model} does not support LoRa inference"),
        ),
        WorkersAiFault::OldSdk => error(405, 5019, "Request trying to use deprecated SDK version"),
        WorkersAiFault::TooLarge => error(413, 3006, "Request is too large"),
        WorkersAiFault::Timeout => error(408, 3007, "Request timeout"),
        WorkersAiFault::Aborted => error(408, 3008, "Request was aborted"),
        WorkersAiFault::ModelTimeout => model_error(408, 3046, "Request timeout"),
        WorkersAiFault::NeuronsDay => model_error(429, 3036, DAY_USED_UP),
        WorkersAiFault::NeuronsDayInPractice => model_error(429, 4006, DAY_USED_UP),
        WorkersAiFault::Capacity => error(429, 3040, CAPACITY),
        WorkersAiFault::Throttled => {
            let message = "Please wait and consider throttling your request speed";
            error(429, 971, message).with(RETRY_AFTER, "1")
        }
        WorkersAiFault::Internal => model_error(500, 3043, "Internal server error"),
        WorkersAiFault::BadGateway => Reply::html(
            502,
            "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<center><h1>502 Bad Gateway</h1></center>\n<hr><center>cloudflare</center>\n</body>\n</html>\n",
        ),
        // A Worker reports an error thrown by its binding in this form.
        WorkersAiFault::Thrown => {
            let message = format!("3040: {CAPACITY}");
            Reply::json(
                500,
                &json!({"success": false, "errors": [{"message": message}]}),
            )
        }
        WorkersAiFault::FailureAsSuccess => envelope(
            200,
            &json!([{"message": "AiError: JSON Mode couldn't be met"}]),
        ),
        _ => odd(context, fault, request),
    }
}

/// Responds with status 200, but with unusable content.
fn odd(context: ProviderContext<'_>, fault: WorkersAiFault, request: &ParsedRequest) -> Reply {
    let request = match read(context, request) {
        Ok(request) => request,
        Err(refusal) => return *refusal,
    };
    let text = text_of(&generated(context, &request));
    let response = match fault {
        WorkersAiFault::StringResponse => json!(text),
        WorkersAiFault::Fenced => json!(fenced(&text)),
        WorkersAiFault::ThinkBlock => json!(after_thinking(&text)),
        WorkersAiFault::ExtraText => json!(chatty(&text)),
        WorkersAiFault::Cut => json!(without_its_end(&text)),
        WorkersAiFault::NullResponse => Value::Null,
        WorkersAiFault::UnknownName => naming_somebody_unknown(),
        WorkersAiFault::NoResponse => return run::envelope(&request, &json!({}), 0),
        WorkersAiFault::OpenAiForm => {
            let message = json!({"role": "assistant", "content": text, "refusal": null});
            let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
            let result = json!({"object": "chat.completion", "choices": [choice]});
            return run::envelope(&request, &result, 60);
        }
        _ => json!(LAWLESS),
    };
    run::envelope(&request, &json!({"response": response}), 60)
}
