//! The refusals of OpenAI.

use serde_json::{Value, json};

use super::super::reply::Reply;

pub(super) fn error(status: u16, kind: &str, code: Option<&str>, message: &str) -> Reply {
    let error = json!({"message": message, "type": kind, "param": null, "code": code});
    Reply::pretty(status, &json!({"error": error}))
}

pub(super) fn invalid(param: Option<&str>, code: Option<&str>, message: &str) -> Reply {
    let kind = "invalid_request_error";
    let param = param.map_or(Value::Null, Value::from);
    let error = json!({"message": message, "type": kind, "param": param, "code": code});
    Reply::pretty(400, &json!({"error": error}))
}

pub(super) fn no_key() -> Reply {
    let message = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
    error(401, "invalid_request_error", None, message)
}

pub(super) fn bad_key() -> Reply {
    let message = "Incorrect API key provided: sandbox-********-key. You can find your API key at https://platform.openai.com/account/api-keys.";
    error(
        401,
        "invalid_request_error",
        Some("invalid_api_key"),
        message,
    )
}

pub(super) fn no_such_model(model: &str) -> Reply {
    let message = format!("The model `{model}` does not exist or you do not have access to it.");
    error(
        404,
        "invalid_request_error",
        Some("model_not_found"),
        &message,
    )
}

/// Makes the refusal of an invalid request.
pub(super) fn refusal(param: Option<&str>, code: Option<&str>, message: &str) -> Box<Reply> {
    Box::new(invalid(param, code, message))
}

/// Makes the refusal of a request that lacks the member at this place.
pub(super) fn missing(place: &str) -> Box<Reply> {
    let message = format!("Missing required parameter: '{place}'.");
    refusal(Some(place), Some("missing_required_parameter"), &message)
}

/// Makes the refusal of a member with the wrong type.
pub(super) fn wrong_type(place: &str, wanted: &str) -> Box<Reply> {
    let message = format!("Invalid type for '{place}': expected {wanted}.");
    refusal(Some(place), Some("invalid_type"), &message)
}
