//! The faults of the wikis and of the servers in front of them.

use http::header::RETRY_AFTER;
use serde_json::{Map, Value, json};

use super::super::fault_kinds::fault_kinds;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::edge::{missing_agent, page};
use super::errors::{error, error_with};
use super::site::Site;

fault_kinds! {
    /// A fault that Commons and Wikidata have.
    pub(crate) enum MediaWikiFault {
        /// The refusal of a request whose `User-Agent` has no contact.
        MissingAgent = "missing-agent-403",
        /// Status 429 with a wait of five seconds.
        Throttled = "throttled-429",
        /// Status 429 without a `Retry-After`.
        ThrottledBare = "throttled-bare",
        /// Status 200 and the error `ratelimited`.
        RateLimited = "ratelimited",
        /// The databases lag behind. The reply has status 200, the error `maxlag`, and a time to wait.
        MaxLag = "maxlag",
        ReadOnly = "readonly",
        /// The error for an exception in MediaWiki, with status 200.
        InternalError = "internal-api-error",
        SearchBackend = "search-backend-error",
        SearchBusy = "search-busy-error",
        BadGateway = "bad-gateway-html",
        /// The front servers cannot reach the wiki.
        Unavailable = "unavailable-503",
    }
}

pub(crate) fn reply(fault: MediaWikiFault, site: Site, request: &ParsedRequest) -> Reply {
    let is_modern = request.parameter("formatversion") != Some("1")
        && request.parameter("formatversion").is_some();
    let plain = |code: &str, info: &str| error(site, is_modern, code, info);
    match fault {
        MediaWikiFault::MissingAgent => missing_agent(),
        MediaWikiFault::Throttled => throttled().with(RETRY_AFTER, "5"),
        MediaWikiFault::ThrottledBare => throttled(),
        MediaWikiFault::RateLimited => plain(
            "ratelimited",
            "You've exceeded your rate limit. Please wait some time and try again.",
        ),
        MediaWikiFault::MaxLag => max_lag(site, is_modern),
        MediaWikiFault::ReadOnly => {
            let reason = "The primary database server is running in read-only mode.";
            let more = Map::from_iter([("readonlyreason".to_owned(), json!(reason))]);
            let text = "The wiki is currently in read-only mode.";
            error_with(site, is_modern, ("readonly", text), more)
        }
        MediaWikiFault::InternalError => plain(
            "internal_api_error_DBQueryError",
            "[5f2c7a10-3b1e-4c55-9d5e-0f6a2b7c8d90] Caught exception of type Wikimedia\\Rdbms\\DBQueryError",
        ),
        MediaWikiFault::SearchBackend => plain(
            "cirrussearch-backend-error",
            "We could not complete your search due to a temporary problem. Please try again later.",
        ),
        MediaWikiFault::SearchBusy => plain(
            "cirrussearch-too-busy-error",
            "Search is currently too busy. Please try again later.",
        ),
        MediaWikiFault::BadGateway => page(
            502,
            "Our servers are currently under maintenance or experiencing a technical issue",
        ),
        MediaWikiFault::Unavailable => Reply::new(
            503,
            "text/plain",
            b"upstream connect error or disconnect/reset before headers. reset reason: overflow"
                .to_vec(),
        ),
    }
}

pub(in crate::providers) fn throttled() -> Reply {
    page(
        429,
        "Your bot is making too many requests. Please reduce your request rate or contact bot-traffic@wikimedia.org (f263c81)",
    )
}

fn max_lag(site: Site, is_modern: bool) -> Reply {
    let details: [(&str, Value); 3] = [
        ("host", json!("10.64.48.35")),
        ("lag", json!(6.2)),
        ("type", json!("db")),
    ];
    let more = details.map(|(name, value)| (name.to_owned(), value));
    let text = "Waiting for 10.64.48.35: 6.2 seconds lagged.";
    error_with(site, is_modern, ("maxlag", text), Map::from_iter(more))
        .with(RETRY_AFTER, "5")
        .with_named("x-database-lag", "6")
}
