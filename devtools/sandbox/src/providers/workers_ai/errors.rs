//! The refusals of Cloudflare's API.

use serde_json::{Value, json};

use super::super::reply::Reply;

/// Makes a refusal with these errors, in Cloudflare's envelope.
pub(super) fn envelope(status: u16, errors: &Value) -> Reply {
    let body = json!({"errors": errors, "success": false, "result": {}, "messages": []});
    Reply::json(status, &body)
}

/// Makes a refusal with one error, which has Cloudflare's internal code.
pub(super) fn error(status: u16, code: u64, message: &str) -> Reply {
    envelope(status, &json!([{"message": message, "code": code}]))
}

/// Makes an error in the form of the model's own service.
pub(super) fn model_error(status: u16, code: u64, message: &str) -> Reply {
    let id = "f660721d-0000-4000-8000-000000000000";
    error(status, code, &format!("AiError: AiError: {message} ({id})"))
}

pub(super) fn bad_token() -> Reply {
    let errors = json!([{"code": 10000, "message": "Authentication error"}]);
    let body = json!({"result": null, "success": false, "errors": errors, "messages": []});
    Reply::json(401, &body)
}

pub(super) fn no_route(path: &str) -> Reply {
    let message = format!("Could not route to {path}, perhaps your object identifier is invalid?");
    error(404, 7003, &message)
}

pub(super) fn no_such_model(model: &str) -> Reply {
    model_error(400, 5007, &format!("No such model {model} or task"))
}

pub(super) fn bad_input(why: &str) -> Reply {
    model_error(400, 5006, &format!("Bad input: Error: {why}"))
}

/// Makes the refusal of an invalid request.
pub(super) fn refusal(why: &str) -> Box<Reply> {
    Box::new(bad_input(why))
}
