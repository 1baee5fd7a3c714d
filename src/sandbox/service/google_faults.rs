//! Google's errors, word for word: shared by the search, and its form by the planner.

use http::header::RETRY_AFTER;
use serde_json::{Value, json};

use super::faults::kinds;
use super::reply::Reply;

kinds! {
    /// How the search fails.
    pub(super) enum GoogleFault {
        BadKey = "bad-key",
        BadCx = "bad-cx",
        InvalidValue = "invalid-value",
        Closed = "closed",
        Disabled = "disabled",
        DailyLimit = "daily-limit-403",
        QuotaDay = "quota-day",
        QuotaMinute = "quota-minute",
        ServerError = "server-error-500",
        Gone = "gone-410",
        BadGateway = "bad-gateway-html",
    }
}

const SERVICE: &str = "customsearch.googleapis.com";

pub(super) fn reply(fault: GoogleFault) -> Reply {
    match fault {
        GoogleFault::BadKey => bad_key(SERVICE),
        GoogleFault::BadCx => invalid_argument("Request contains an invalid argument."),
        GoogleFault::InvalidValue => invalid_argument("Invalid Value"),
        GoogleFault::Closed => plain(
            403,
            "PERMISSION_DENIED",
            "forbidden",
            "This project does not have the access to Custom Search JSON API.",
        ),
        GoogleFault::Disabled => disabled(),
        GoogleFault::DailyLimit => {
            let reason = "dailyLimitExceeded";
            let message = "Daily Limit Exceeded";
            let errors = json!([{"domain": "usageLimits", "reason": reason, "message": message}]);
            let error = json!({"errors": errors, "code": 403, "message": message});
            Reply::pretty(403, &json!({"error": error}))
        }
        GoogleFault::QuotaDay => quota("Queries per day", "DefaultPerDayPerProject", "100"),
        GoogleFault::QuotaMinute => quota(
            "Queries per minute per user",
            "DefaultPerMinutePerUser",
            "60",
        )
        .with(RETRY_AFTER, "1"),
        GoogleFault::ServerError => plain(
            500,
            "INTERNAL",
            "backendError",
            "Internal error encountered.",
        ),
        GoogleFault::Gone => plain(
            410,
            "NOT_FOUND",
            "gone",
            "The Custom Search JSON API has been discontinued.",
        ),
        GoogleFault::BadGateway => bad_gateway(),
    }
}

fn plain(code: u16, status: &str, reason: &str, message: &str) -> Reply {
    let errors = json!([{"message": message, "domain": "global", "reason": reason}]);
    let error = json!({"code": code, "message": message, "errors": errors, "status": status});
    Reply::pretty(code, &json!({"error": error}))
}

pub(super) fn invalid_argument(message: &str) -> Reply {
    plain(400, "INVALID_ARGUMENT", "badRequest", message)
}

/// No key at all.
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
    if service == SERVICE
        && let Some(error) = error.as_object_mut()
    {
        let errors = json!([{"message": message, "domain": "global", "reason": "badRequest"}]);
        error.insert("errors".to_owned(), errors);
    }
    Reply::pretty(400, &json!({"error": error}))
}

fn disabled() -> Reply {
    let page = "https://console.developers.google.com/apis/api/customsearch.googleapis.com/overview?project=123";
    let message = format!(
        "Custom Search API has not been used in project 123 before or it is disabled. Enable it by visiting {page} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry."
    );
    let error = json!({
        "code": 403, "message": message, "status": "PERMISSION_DENIED",
        "errors": [{"message": message, "domain": "usageLimits", "reason": "accessNotConfigured",
                    "extendedHelp": "https://console.developers.google.com"}],
        "details": [
            {"@type": "type.googleapis.com/google.rpc.Help",
             "links": [{"description": "Google developers console API activation", "url": page}]},
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED",
             "domain": "googleapis.com",
             "metadata": {"service": SERVICE, "consumer": "projects/123"}},
        ],
    });
    Reply::pretty(403, &json!({"error": error}))
}

fn quota(limit: &str, id: &str, value: &str) -> Reply {
    let message = format!(
        "Quota exceeded for quota metric 'Queries' and limit '{limit}' of service '{SERVICE}' for consumer 'project_number:123'."
    );
    let error = json!({
        "code": 429, "message": message, "status": "RESOURCE_EXHAUSTED",
        "errors": [{"message": message, "domain": "global", "reason": "rateLimitExceeded"}],
        "details": [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
             "domain": "googleapis.com", "metadata": {
                "quota_location": "global", "service": SERVICE, "consumer": "projects/123",
                "quota_limit_value": value, "quota_limit": id,
                "quota_metric": "customsearch.googleapis.com/requests"}},
            help(),
        ],
    });
    Reply::pretty(429, &json!({"error": error}))
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
