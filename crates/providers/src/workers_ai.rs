//! A text model of Cloudflare's Workers AI, which plans in JSON mode and calls tools. It is called through its REST
//! API, or through the Worker's own binding, which takes the same inputs and returns the same answer without the
//! envelope.
//!
//! Source: Cloudflare's documentation of Workers AI (JSON mode, function calling, errors, the model's page). Where
//! documentation and practice differ (the error codes 4006 and 3036), both are supported. When they call tools, older
//! models answer with `response` and plain `tool_calls`, newer models in OpenAI's format.

use std::rc::Rc;

use serde_json::{Value, json};

use domain::chat::{ChatQuestion, ChatReply};
use domain::{Failure, FailureKind, PlanAnswer, Secret};
use platform::{WireRequest, WireResponse};

use crate::chat::{CHAT_TOKENS_OUT_MAX, Images, conversation, read_calls, read_choice};
use crate::openai::{bearer, usage, whole_text};
use crate::planner::{
    ModelQuestion, Planner, Usage, generated_text, malformed, plan, post, unwrapped, with,
};
use crate::response::{
    endpoint, error_body, json_object, kind_of_status, list_at, retry_after_ms, text_at,
    unbuildable,
};

/// The address at which Cloudflare serves its API.
pub const BASE_DEFAULT: &str = "https://api.cloudflare.com";
/// The default model: it follows a schema and is not deprecated (as of 2026-05).
pub const MODEL_DEFAULT: &str = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";

/// The address of requests that go to the Worker's own binding. The platform's bindings use such names themselves, and
/// no web host has this one.
pub const AI_BINDING: &str = "http://workers-binding.ai/run/";

/// The settings of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkersAiSettings {
    /// The model's name, for example [`MODEL_DEFAULT`]. It must support JSON mode.
    pub model: String,
    /// How the platform's models are accessed.
    pub access: Access,
}

/// How the models of Workers AI are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// By the REST API.
    Rest {
        /// Scheme, host and port, and the API's path if it has one.
        base: String,
        /// Cloudflare's id of the account.
        account_id: String,
        /// An API token with permission for Workers AI, sent in a header.
        token: Secret,
    },
    /// By the Worker's own binding, which needs no token. Its inputs must be a plain JavaScript object, as `JSON.parse`
    /// makes it. In a `Map`, the schema would be lost.
    Binding,
}

impl WorkersAiSettings {
    /// Makes a request with these inputs. For the binding, the request's path is the model, and its body is the inputs.
    fn run(&self, inputs: &Value) -> Result<WireRequest, Failure> {
        let inputs = inputs.to_string().into_bytes();
        match &self.access {
            Access::Rest {
                base,
                account_id,
                token,
            } => {
                let path = format!("/client/v4/accounts/{account_id}/ai/run/{}", self.model);
                let url = endpoint(base, &path, "WORKERS_AI_BASE")?;
                post(&url, Some(("authorization", bearer(token)?)), inputs)
            }
            Access::Binding => http::Request::post(format!("{AI_BINDING}{}", self.model))
                .body(inputs)
                .map_err(unbuildable),
        }
    }
}

impl Planner for WorkersAiSettings {
    fn id(&self) -> &'static str {
        "workers-ai"
    }

    fn name(&self) -> &'static str {
        "Workers AI"
    }

    fn with_model(&self, model: &str) -> Rc<dyn Planner> {
        Rc::new(Self {
            model: model.to_owned(),
            ..self.clone()
        })
    }

    fn ask(&self, question: &ModelQuestion) -> Result<WireRequest, Failure> {
        self.run(&json!({
            "messages": question.messages(),
            // The platform's default limit of 256 tokens would cut off a plan.
            "max_tokens": question.output_tokens_max,
            // The API expects the schema itself here, and not in an object with a name as OpenAI does.
            "response_format": {"type": "json_schema", "json_schema": question.schema},
        }))
    }

    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure> {
        let inputs = conversation(question, images)?;
        let limit = ("max_tokens", json!(CHAT_TOKENS_OUT_MAX));
        self.run(&with(inputs, [limit]))
    }

    /// Returns the model's answer, without the REST API's envelope.
    ///
    /// An error thrown by the binding arrives as a response with an error status and the body
    /// `{"success":false,"errors":[{"message":"3036: ..."}]}`.
    fn answer(&self, response: &WireResponse) -> Result<Value, Failure> {
        if response.status() != 200 {
            return Err(failure(response));
        }
        let mut body = json_object(response)?;
        if body.get("success") == Some(&Value::Bool(false)) {
            return Err(failure(response));
        }
        Ok(match body.get_mut("result") {
            Some(result) if result.is_object() => result.take(),
            _ => body,
        })
    }

    fn usage(&self, answer: &Value) -> Usage {
        usage(answer)
    }

    fn plan(&self, answer: &Value) -> Result<PlanAnswer, Failure> {
        plan(unwrapped(&text(answer)?))
    }

    fn turn(&self, question: &ChatQuestion, answer: &Value) -> Result<ChatReply, Failure> {
        if let Some(reply) = read_choice(question, answer, &self.model) {
            return reply;
        }
        Ok(ChatReply {
            text: generated_text(answer.get("response").unwrap_or(&Value::Null)),
            calls: read_calls(question, list_at(answer, "/tool_calls")),
            model: self.model.clone(),
        })
    }

    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure> {
        if text(&self.answer(response)?)?.trim().is_empty() {
            return Err(malformed("an answer without text"));
        }
        Ok(())
    }
}

/// Returns the text of an answer. In JSON mode `response` is an object, or that object as a text. Some models answer in
/// OpenAI's form instead.
fn text(answer: &Value) -> Result<String, Failure> {
    match answer.get("response") {
        Some(response) => Ok(generated_text(response)),
        None => whole_text(answer),
    }
}

fn failure(response: &WireResponse) -> Failure {
    let status = response.status().as_u16();
    let body = error_body(response);
    let errors = list_at(&body, "/errors");
    let says = |words: &str| {
        let mut messages = errors.iter().map(|error| text_at(error, "/message"));
        messages.any(|message| message.contains(words))
    };
    // These two errors do not always come with a code, so they are recognised by their text.
    let told = if says("JSON Mode couldn't be met") {
        Some((FailureKind::Malformed, "the schema could not be met".into()))
    } else if says("daily free allocation") {
        Some((FailureKind::Quota, "the day's neurons are used up".into()))
    } else {
        let mut codes = errors.iter().flat_map(codes_of);
        codes.find_map(|code| kind_of_code(code).map(|kind| (kind, format!("code {code}"))))
    };
    let failure = if let Some((kind, told)) = told {
        Failure::new(kind, format!("HTTP {status}, {told}"))
    } else {
        let kind = match status {
            // Status 200 is a refusal reported as a success, and 404 a path that does not exist.
            200 => FailureKind::Malformed,
            404 | 405 => FailureKind::Misconfigured,
            _ => kind_of_status(status),
        };
        Failure::new(kind, format!("HTTP {status}"))
    };
    failure.after(retry_after_ms(response))
}

/// Returns the codes of an error: its `code`, or the number before a colon in its message (`AiError: 5025: ...`).
fn codes_of(error: &Value) -> impl Iterator<Item = u64> {
    let member = error
        .get("code")
        .and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let mut message = text_at(error, "/message");
    while let Some(rest) = message.strip_prefix("AiError") {
        message = rest.trim_start_matches([':', ' ']);
    }
    let in_message = message.split(':').next().and_then(|code| code.parse().ok());
    member.into_iter().chain(in_message)
}

/// Returns the kind of failure for a code of Workers AI, or of Cloudflare's API in front of it; `None` if it is
/// unknown.
fn kind_of_code(code: u64) -> Option<FailureKind> {
    Some(match code {
        // The account's daily neurons, the unit of use, are used up.
        3036 | 4006 => FailureKind::Quota,
        // The model is out of capacity, or too many requests reached the API.
        3040 | 971 => FailureKind::Throttled,
        // The model timed out or was aborted.
        3007 | 3008 | 3046 => FailureKind::Down,
        3006 => FailureKind::TooLarge,
        // The model needs the paid plan, or the account is blocked.
        5035 | 3023 => FailureKind::Closed,
        // The model does not exist, is not allowed, has unaccepted terms or no JSON mode; the token or the account id
        // is wrong.
        3042 | 5007 | 3041 | 5018 | 5016 | 5025 | 10_000 | 6003 | 6103 | 6111 | 9103 | 9106
        | 9109 | 7000 | 7003 => FailureKind::Misconfigured,
        // The inputs are invalid.
        3003 | 5004 | 5005 | 5006 | 5019 => FailureKind::Refused,
        _ => return None,
    })
}
