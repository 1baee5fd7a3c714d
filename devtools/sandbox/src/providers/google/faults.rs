//! The failures of Google's search, word for word.

use http::header::RETRY_AFTER;
use serde_json::json;

use super::super::fault_kinds::fault_kinds;
use super::super::google_errors::{
    SEARCH_SERVICE, bad_gateway, bad_key, help, invalid_argument, plain,
};
use super::super::reply::Reply;

fault_kinds! {
    /// A fault that only Google's search has.
    pub(crate) enum GoogleFault {
        BadKey = "bad-key",
        BadCx = "bad-cx",
        InvalidValue = "invalid-value",
        ImageSearchOff = "image-search-off",
        KeyServiceBlocked = "key-service-blocked-403",
        KeyReferrerBlocked = "key-referrer-blocked-403",
        KeyAddressBlocked = "key-address-blocked-403",
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

pub(crate) fn reply(fault: GoogleFault) -> Reply {
    match fault {
        GoogleFault::BadKey => bad_key(SEARCH_SERVICE),
        GoogleFault::BadCx => invalid_argument("Request contains an invalid argument."),
        GoogleFault::InvalidValue => invalid_argument("Invalid Value"),
        GoogleFault::ImageSearchOff => invalid_argument("Image search is not enabled"),
        GoogleFault::KeyServiceBlocked => blocked_key(
            "API_KEY_SERVICE_BLOCKED",
            "Requests to this API customsearch.googleapis.com method google.customsearch.v1.CustomSearchService.List are blocked.",
        ),
        GoogleFault::KeyReferrerBlocked => blocked_key(
            "API_KEY_HTTP_REFERRER_BLOCKED",
            "Requests from referer <empty> are blocked.",
        ),
        GoogleFault::KeyAddressBlocked => blocked_key(
            "API_KEY_IP_ADDRESS_BLOCKED",
            "The provided API key has an IP address restriction. The originating IP address of the call (192.0.2.1) violates this restriction.",
        ),
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

/// Refuses a key that is valid, but blocked for this API.
fn blocked_key(reason: &str, message: &str) -> Reply {
    let error = json!({
        "code": 403, "message": message, "status": "PERMISSION_DENIED",
        "errors": [{"message": message, "domain": "global", "reason": "forbidden"}],
        "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason,
            "domain": "googleapis.com",
            "metadata": {"service": SEARCH_SERVICE, "consumer": "projects/123"}}],
    });
    Reply::pretty(403, &json!({"error": error}))
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
             "metadata": {"service": SEARCH_SERVICE, "consumer": "projects/123"}},
        ],
    });
    Reply::pretty(403, &json!({"error": error}))
}

fn quota(limit: &str, id: &str, value: &str) -> Reply {
    let message = format!(
        "Quota exceeded for quota metric 'Queries' and limit '{limit}' of service '{SEARCH_SERVICE}' for consumer 'project_number:123'."
    );
    let error = json!({
        "code": 429, "message": message, "status": "RESOURCE_EXHAUSTED",
        "errors": [{"message": message, "domain": "global", "reason": "rateLimitExceeded"}],
        "details": [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
             "domain": "googleapis.com", "metadata": {
                "quota_location": "global", "service": SEARCH_SERVICE, "consumer": "projects/123",
                "quota_limit_value": value, "quota_limit": id,
                "quota_metric": "customsearch.googleapis.com/requests"}},
            help(),
        ],
    });
    Reply::pretty(429, &json!({"error": error}))
}
