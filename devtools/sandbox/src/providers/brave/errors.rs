//! Makes Brave's refusals, which are always one JSON object.

use serde_json::{Value, json};

use super::super::reply::Reply;

const ID: &str = "5d832250-9396-4f6e-b84a-2a1fe524cd7d";
/// The time that a list of errors states, in seconds since 1970; clients should ignore it.
const TIME_S: u64 = 1_795_255_200;

pub(super) fn error(status: u16, code: &str, detail: &str, meta: &Value) -> Reply {
    let error = json!({"id": ID, "status": status, "code": code, "detail": detail, "meta": meta});
    Reply::json(
        status,
        &json!({"type": "ErrorResponse", "error": error, "time": TIME_S}),
    )
}

/// Makes a refusal in the form of the reference's examples, which has a list of errors.
pub(super) fn errors(status: u16, code: &str, detail: &str, meta: &Value) -> Reply {
    let error = json!({"id": ID, "status": status, "code": code, "detail": detail, "meta": meta});
    Reply::json(
        status,
        &json!({"type": "ErrorResponse", "errors": [error], "time": TIME_S}),
    )
}

/// Refuses a header or parameter that is missing, wrong or unknown.
pub(super) fn validation(kind: &str, (place, name): (&str, &str), message: &str) -> Reply {
    let wrong = json!([{"type": kind, "loc": [place, name], "msg": message, "input": null}]);
    error(
        422,
        "VALIDATION",
        "Unable to validate request parameter(s)",
        &json!({"errors": wrong}),
    )
}

pub(super) fn token_invalid() -> Reply {
    error(
        422,
        "SUBSCRIPTION_TOKEN_INVALID",
        "The provided subscription token is invalid.",
        &json!({"component": "authentication"}),
    )
}
