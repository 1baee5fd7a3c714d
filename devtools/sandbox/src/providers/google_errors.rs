//! The refusals of Google's search and of Gemini, word for word.

use serde_json::{Value, json};

use super::reply::Reply;

pub(super) const SEARCH_SERVICE: &str = "customsearch.googleapis.com";

/// Makes an error of the search, which has the newer and the older form in one body.
pub(super) fn plain(code: u16, status: &str, reason: &str, message: &str) -> Reply {
    let errors = json!([{"message": message, "domain": "global", "reason": reason}]);
    let error = json!({"code": code, "message": message, "errors": errors, "status": status});
    Reply::pretty(code, &json!({"error": error}))
}

pub(super) fn invalid_argument(message: &str) -> Reply {
    plain(400, "INVALID_ARGUMENT", "badRequest", message)
}

/// Refuses a request that has no key.
pub(super) fn no_key() -> Reply {
    let message = "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
    plain(403, "PERMISSION_DENIED", "forbidden", message)
}

pub(super) fn bad_key(service: &str) -> Reply {
    let message = "API key not valid. Please pass a valid API key.";
    let mut error = json!({
        "code": 400, "message": message, "status": "INVALID_ARGUMENT",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
             "domain": "googleapis.com", "metadata": {"service": service}},
            {"@type": "type.googleapis.com/google.rpc.LocalizedMessage", "locale": "en-US",
             "message": message},
        ],
    });
    if service == SEARCH_SERVICE
        && let Some(error) = error.as_object_mut()
    {
        let errors = json!([{"message": message, "domain": "global", "reason": "badRequest"}]);
        error.insert("errors".to_owned(), errors);
    }
    Reply::pretty(400, &json!({"error": error}))
}

pub(super) fn help() -> Value {
    json!({"@type": "type.googleapis.com/google.rpc.Help", "links": [{
        "description": "Request a higher quota limit.",
        "url": "https://cloud.google.com/docs/quota#requesting_higher_quota"}]})
}

pub(super) fn bad_gateway() -> Reply {
    Reply::html(
        502,
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<title>Error 502 (Server Error)!!1</title>\n<p><b>502.</b> <ins>That\u{2019}s an error.</ins>\n<p>The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds. <ins>That\u{2019}s all we know.</ins>\n",
    )
}
