//! Brave's failures, word for word as the real API sends them.

use serde_json::json;

use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;
use super::errors::{error, errors, token_invalid, validation};

fault_kinds! {
    /// A fault that only Brave has.
    pub(crate) enum BraveFault {
        TokenInvalid = "token-invalid-422",
        TokenInvalidList = "token-invalid-list-422",
        SubscriptionNotFound = "subscription-not-found-404",
        OptionNotInPlan = "option-not-in-plan-400",
        Validation = "validation-422",
        RateLimited = "rate-limited-429",
        /// The rate limit, in the form of the reference's examples.
        RateLimitedList = "rate-limited-list-429",
        QuotaLimited = "quota-limited-429",
        QuotaLimitedList = "quota-limited-list-429",
        ServerError = "server-error-500",
        BadGateway = "bad-gateway-html",
    }
}

const RATE: (&str, &str) = ("RATE_LIMITED", "Request rate limit exceeded for plan.");
const QUOTA: (&str, &str) = ("QUOTA_LIMITED", "Request quota limit exceeded for plan.");

pub(crate) fn reply(fault: BraveFault) -> Reply {
    let limits = json!({"component": "rate_limiter", "plan": "Search", "rate_limit": 50,
        "rate_current": 50, "quota_limit": 1000, "quota_current": 1000});
    match fault {
        BraveFault::TokenInvalid => token_invalid(),
        BraveFault::TokenInvalidList => errors(
            422,
            "SUBSCRIPTION_TOKEN_INVALID",
            "The provided subscription token is invalid.",
            &json!({"component": "authentication"}),
        ),
        BraveFault::SubscriptionNotFound => error(
            404,
            "SUBSCRIPTION_NOT_FOUND",
            "No subscription found.",
            &json!({"component": "subscriptions"}),
        ),
        BraveFault::OptionNotInPlan => error(
            400,
            "OPTION_NOT_IN_PLAN",
            "The option is not subscribed in the plan.",
            &json!({"component": "subscriptions"}),
        ),
        BraveFault::Validation => validation(
            "string_too_long",
            ("query", "q"),
            "String should have at most 400 characters",
        ),
        BraveFault::RateLimited => limited(error(429, RATE.0, RATE.1, &limits), "1"),
        BraveFault::RateLimitedList => limited(errors(429, RATE.0, RATE.1, &limits), "1"),
        BraveFault::QuotaLimited => limited(error(429, QUOTA.0, QUOTA.1, &limits), "1419704"),
        BraveFault::QuotaLimitedList => limited(errors(429, QUOTA.0, QUOTA.1, &limits), "1419704"),
        BraveFault::ServerError => error(
            500,
            "INTERNAL",
            "An internal error has occurred.",
            &json!({}),
        ),
        BraveFault::BadGateway => Reply::html(
            502,
            "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<center><h1>502 Bad Gateway</h1></center>\n<hr><center>cloudflare</center>\n</body>\n</html>\n",
        ),
    }
}

/// Adds the headers of an exhausted limit, which do not include `Retry-After`.
fn limited(reply: Reply, reset_s: &str) -> Reply {
    reply
        .with_named("x-ratelimit-limit", "50, 1000")
        .with_named("x-ratelimit-remaining", "0, 0")
        .with_named("x-ratelimit-reset", &format!("1, {reset_s}"))
}
