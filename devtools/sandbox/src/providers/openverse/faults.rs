//! Openverse's failures. Nearly all have a body of JSON, an object with a `detail`.

use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use serde_json::{Value, json};

use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;

fault_kinds! {
    /// A fault that only Openverse has.
    pub(crate) enum OpenverseFault {
        Unauthorized = "unauthorized-401",
        BadRequest = "bad-request-400",
        Throttled = "throttled-429",
        /// Status 429 without a `Retry-After`.
        ThrottledBare = "throttled-bare",
        /// All searches of the day are used up.
        ThrottledDay = "throttled-day",
        ServerError = "server-error-500",
        Unavailable = "unavailable-503",
        BadGateway = "bad-gateway-html",
    }
}

pub(crate) fn reply(fault: OpenverseFault) -> Reply {
    match fault {
        OpenverseFault::Unauthorized => unauthorized("Incorrect authentication credentials."),
        OpenverseFault::BadRequest => refused("license", "License 'x' does not exist."),
        OpenverseFault::Throttled => {
            throttled("Request was throttled. Expected available in 2 seconds.")
                .with(RETRY_AFTER, "2")
                .with_named("x-ratelimit-limit-anon_burst", "20/min")
                .with_named("x-ratelimit-available-anon_burst", "0")
        }
        OpenverseFault::ThrottledBare => throttled("Request was throttled."),
        OpenverseFault::ThrottledDay => {
            throttled("Request was throttled. Expected available in 51840 seconds.")
                .with(RETRY_AFTER, "51840")
                .with_named("x-ratelimit-limit-anon_sustained", "200/day")
                .with_named("x-ratelimit-available-anon_sustained", "0")
        }
        OpenverseFault::ServerError => detail(500, &json!("An internal server error occurred.")),
        OpenverseFault::Unavailable => detail(
            503,
            &json!("Service temporarily unavailable, try again later."),
        ),
        OpenverseFault::BadGateway => Reply::html(
            502,
            "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<center><h1>502 Bad Gateway</h1></center>\n</body>\n</html>\n",
        ),
    }
}

fn throttled(text: &str) -> Reply {
    detail(429, &json!(text))
}

pub(super) fn detail(status: u16, detail: &Value) -> Reply {
    Reply::json(status, &json!({"detail": detail}))
}

/// Refuses a parameter with a wrong value.
pub(super) fn refused(name: &str, message: &str) -> Reply {
    detail(400, &json!({name: [message]}))
}

/// Refuses a request that requires an account.
pub(super) fn unauthorized(message: &str) -> Reply {
    detail(401, &json!(message)).with(WWW_AUTHENTICATE, "Bearer realm=\"api\"")
}
