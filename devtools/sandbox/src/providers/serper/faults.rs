//! Serper's failures, which have a message and repeat the status.

use serde_json::json;

use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;

fault_kinds! {
    /// A fault that only Serper has.
    pub(crate) enum SerperFault {
        Unauthorized = "unauthorized-403",
        /// All credits are used up. The status is 400, and only the message states the reason.
        NoCredits = "no-credits-400",
        BadRequest = "bad-request-400",
        RateLimited = "rate-limited-429",
        ServerError = "server-error-500",
        BadGateway = "bad-gateway-html",
    }
}

pub(crate) fn reply(fault: SerperFault) -> Reply {
    match fault {
        SerperFault::Unauthorized => unauthorized(),
        SerperFault::NoCredits => refused(400, "Not enough credits"),
        SerperFault::BadRequest => refused(400, "Missing query parameter"),
        SerperFault::RateLimited => refused(429, "Too many requests"),
        SerperFault::ServerError => refused(500, "Internal server error"),
        SerperFault::BadGateway => Reply::html(
            502,
            "<html><head>\n<meta http-equiv=\"content-type\" content=\"text/html;charset=utf-8\">\n<title>502 Server Error</title>\n</head>\n<body>\n<h1>Error: Server Error</h1>\n<h2>The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds.</h2>\n</body></html>\n",
        ),
    }
}

pub(super) fn refused(status: u16, message: &str) -> Reply {
    Reply::json(status, &json!({"message": message, "statusCode": status}))
}

pub(super) fn unauthorized() -> Reply {
    refused(403, "Unauthorized.")
}
