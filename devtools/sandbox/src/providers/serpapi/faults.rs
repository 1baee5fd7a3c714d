//! SerpApi's failures. Nearly all have a body of JSON, with one sentence as the `error`.
//!
//! They follow serpapi.com, `api-status-and-error-codes`.

use serde_json::json;

use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;

fault_kinds! {
    /// A fault that only SerpApi has.
    pub(crate) enum SerpApiFault {
        BadKey = "bad-key-401",
        AccountDeleted = "account-deleted-403",
        OutOfSearches = "out-of-searches-429",
        HourlyLimit = "hourly-limit-429",
        MissingQuery = "missing-query-400",
        ServerError = "server-error-500",
        Unavailable = "unavailable-503",
        /// A search that has failed, although the status is 200.
        SearchFailed = "search-failed",
        BadGateway = "bad-gateway-html",
    }
}

pub(crate) fn reply(fault: SerpApiFault) -> Reply {
    match fault {
        SerpApiFault::BadKey => bad_key(),
        SerpApiFault::AccountDeleted => refused(
            403,
            "The account associated with this API key doesn't have permission to perform the request.",
        ),
        SerpApiFault::OutOfSearches => refused(429, "Your account has run out of searches."),
        SerpApiFault::HourlyLimit => refused(
            429,
            "You are exceeding the hourly throughput limit of your account. Please try again later.",
        ),
        SerpApiFault::MissingQuery => refused(400, "Missing query `q` parameter."),
        SerpApiFault::ServerError => refused(
            500,
            "Something went wrong on SerpApi's end. Please contact support@serpapi.com for assistance.",
        ),
        SerpApiFault::Unavailable => refused(
            503,
            "Service is temporarily unavailable. Please try again later.",
        ),
        SerpApiFault::SearchFailed => Reply::pretty(
            200,
            &json!({
                "search_metadata": {"id": "6aa5c742f6e9266efae862a0", "status": "Error"},
                "error": "We couldn't get valid results for this search. Please try again later.",
            }),
        ),
        SerpApiFault::BadGateway => Reply::html(
            502,
            "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>\n<center><h1>502 Bad Gateway</h1></center>\n<hr><center>cloudflare</center>\n</body>\n</html>\n",
        ),
    }
}

pub(super) fn refused(status: u16, message: &str) -> Reply {
    Reply::pretty(status, &json!({"error": message}))
}

pub(super) fn bad_key() -> Reply {
    refused(
        401,
        "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key",
    )
}
