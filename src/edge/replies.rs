//! Answers with their headers. Static files get theirs from `public/_headers`; answers made here do
//! not, so the same rules stand here again.

use futures::Stream;
use worker::{Headers, Response, Result};

use engine::Problem;

use crate::http::security_headers;

/// Answers with a refusal.
pub(super) fn problem(problem: &Problem) -> Result<Response> {
    let response = Response::from_json(problem)?.with_status(problem.status());
    let headers = response.headers();
    headers.set("content-type", "application/problem+json")?;
    headers.set("cache-control", "no-store")?;
    if problem.status() == 401 {
        headers.set("www-authenticate", "Bearer")?;
    }
    if let Some((name, value)) = problem.header() {
        headers.set(name, value)?;
    }
    Ok(response)
}

/// Answers with a JSON document.
pub(super) fn json<T: serde::Serialize>(body: &T) -> Result<Response> {
    json_text(&serde_json::to_string(body)?)
}

/// Answers with a JSON document that is text already.
pub(super) fn json_text(text: &str) -> Result<Response> {
    let response = Response::ok(text)?;
    response.headers().set("content-type", "application/json")?;
    response.headers().set("cache-control", "no-store")?;
    Ok(response)
}

/// Answers with a JSON document that a browser saves under a name of letters, digits, `.`, `-` and
/// `_`.
pub(super) fn download(text: &str, name: &str) -> Result<Response> {
    let response = json_text(text)?;
    let disposition = format!("attachment; filename=\"{name}\"");
    response
        .headers()
        .set("content-disposition", &disposition)?;
    Ok(response)
}

/// Answers with bytes as a file to be saved.
pub(super) fn download_bytes(bytes: Vec<u8>, kind: &str, name: &str) -> Result<Response> {
    let response = Response::from_bytes(bytes)?;
    let headers = response.headers();
    headers.set("content-type", kind)?;
    headers.set("cache-control", "no-store")?;
    headers.set(
        "content-disposition",
        &format!("attachment; filename=\"{name}\""),
    )?;
    Ok(response)
}

/// Answers with bytes that a run keeps. Somebody's server may have said what they are, so that only
/// pictures are shown, and all else is saved.
pub(super) fn artifact(bytes: Vec<u8>, kind: &str) -> Result<Response> {
    if !matches!(kind, "image/jpeg" | "image/png") {
        return download_bytes(bytes, "application/octet-stream", "artifact");
    }
    let response = Response::from_bytes(bytes)?;
    let headers = response.headers();
    headers.set("content-type", kind)?;
    // The address is that of the bytes; the run may be deleted.
    headers.set("cache-control", "private, max-age=600")?;
    Ok(response)
}

/// Answers with status 303, which tells the client to read another address.
pub(super) fn see_other(address: &str) -> Result<Response> {
    let response = Response::empty()?.with_status(303);
    response.headers().set("location", address)?;
    Ok(response)
}

/// Answers with server-sent events, which are never stored, compressed or held back on the way.
pub(super) fn event_stream(
    frames: impl Stream<Item = Result<Vec<u8>>> + 'static,
) -> Result<Response> {
    let response = Response::from_stream(frames)?;
    set_stream_headers(response.headers())?;
    Ok(response)
}

/// Answers with the bytes of server-sent events that are there already.
pub(super) fn events(bytes: Vec<u8>) -> Result<Response> {
    let response = Response::from_bytes(bytes)?;
    set_stream_headers(response.headers())?;
    Ok(response)
}

/// Sets the headers of a stream.
pub(super) fn set_stream_headers(headers: &Headers) -> Result<()> {
    headers.set("content-type", "text/event-stream; charset=utf-8")?;
    headers.set("cache-control", "no-store, no-transform")?;
    headers.set("x-accel-buffering", "no")
}

/// Sets the headers that every answer carries.
pub(super) fn set_common_headers(
    headers: &Headers,
    readable_by: Option<&str>,
    frame_ancestors: &str,
    is_https: bool,
) -> Result<()> {
    // A file's answer comes with its own values of these headers.
    headers.delete("strict-transport-security")?;
    headers.delete("access-control-allow-origin")?;
    for (name, value) in security_headers(frame_ancestors, is_https) {
        headers.set(name, &value)?;
    }
    headers.append("vary", "Accept, Origin")?;
    if let Some(origin) = readable_by {
        headers.set("access-control-allow-origin", origin)?;
        headers.set(
            "access-control-expose-headers",
            "Location, Retry-After, Run-Secret, Mcp-Session-Id",
        )?;
    }
    Ok(())
}

/// Answers a preflight.
pub(super) fn preflight() -> Result<Response> {
    let response = Response::empty()?.with_status(204);
    let headers = response.headers();
    headers.set(
        "access-control-allow-methods",
        "GET, HEAD, POST, DELETE, OPTIONS",
    )?;
    let allowed = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Accept, \
                   Run-Secret, Turnstile-Token, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, \
                   Mcp-Session-Id";
    headers.set("access-control-allow-headers", allowed)?;
    headers.set("access-control-max-age", "86400")?;
    Ok(response)
}
