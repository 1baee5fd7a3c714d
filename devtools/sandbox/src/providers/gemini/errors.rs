//! Gemini's refusals.

use serde_json::json;

use super::super::reply::Reply;

pub(super) fn error(code: u16, status: &str, message: &str) -> Reply {
    let error = json!({"code": code, "message": message, "status": status});
    Reply::pretty(code, &json!({"error": error}))
}

pub(super) fn model_gone(model: &str) -> Reply {
    let message = format!(
        "models/{model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods."
    );
    error(404, "NOT_FOUND", &message)
}
