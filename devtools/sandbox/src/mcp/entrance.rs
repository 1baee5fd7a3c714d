//! Checks a request before its message is parsed. Both eras of the protocol share these checks.

use http::header::ALLOW;
use serde_json::Value;

use crate::providers::{ParsedRequest, Reply};

use super::messages::RpcError;

/// The largest body accepted, in bytes.
const BODY_BYTES_MAX: usize = 1024 * 1024;
const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";
/// The error code for refusals that have no code of their own.
pub(super) const SERVER_ERROR: i64 = -32_000;

/// Returns the refusal of a POST that cannot contain a message, or `None` if it may contain one.
pub(super) fn refused_post(request: &ParsedRequest) -> Option<Reply> {
    if let Some(refused) = refused_origin(request) {
        return Some(refused);
    }
    if !(accepts(request, JSON) && accepts(request, EVENTS)) {
        let says = "Not Acceptable: Client must accept both application/json and text/event-stream";
        return Some(refusal(406, says));
    }
    let content_type = request.header("content-type").unwrap_or_default();
    if !media_type(content_type).eq_ignore_ascii_case(JSON) {
        let says = "Unsupported Media Type: Content-Type must be application/json";
        return Some(refusal(415, says));
    }
    (request.body.len() > BODY_BYTES_MAX).then(|| refusal(413, "Payload Too Large"))
}

/// Returns the refusal of a request from a page outside this machine, or `None` for any other request.
pub(super) fn refused_origin(request: &ParsedRequest) -> Option<Reply> {
    let origin = request.header("origin")?;
    let rest = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    let host = rest.rsplit_once(':').map_or(rest, |(host, _)| host);
    let is_local = matches!(host, "localhost" | "127.0.0.1");
    (!is_local).then(|| refusal(403, "Forbidden: Origin is not allowed"))
}

/// Returns whether the `Accept` header has this type by name; a wildcard does not suffice.
pub(super) fn accepts(request: &ParsedRequest, wanted: &str) -> bool {
    let accept = request.header("accept").unwrap_or_default();
    let mut types = accept.split(',').map(media_type);
    types.any(|one| one.eq_ignore_ascii_case(wanted))
}

fn media_type(value: &str) -> &str {
    let end = value.find(';').unwrap_or(value.len());
    value.get(..end).unwrap_or_default().trim()
}

/// Makes the refusal of a request whose message was not parsed.
pub(super) fn refusal(status: u16, says: &str) -> Reply {
    RpcError::new(SERVER_ERROR, says).reply(status, &Value::Null)
}

pub(super) fn wrong_method(allowed: &str) -> Reply {
    refusal(405, "Method not allowed.").with(ALLOW, allowed)
}
