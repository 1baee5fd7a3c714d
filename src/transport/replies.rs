//! Builds responses with their headers.

use engine::Problem;
use futures::{Stream, StreamExt as _};
use worker::{Headers, Request, Response};

use super::failure::Result;

/// Responds with a refusal.
pub(crate) fn problem(problem: &Problem) -> worker::Result<Response> {
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

/// Responds with a JSON document.
pub(crate) fn json<T: serde::Serialize>(body: &T) -> Result<Response> {
    json_text(&serde_json::to_string(body)?)
}

/// Responds with a JSON document that was already serialized.
pub(crate) fn json_text(text: &str) -> Result<Response> {
    let response = Response::ok(text)?;
    response.headers().set("content-type", "application/json")?;
    response.headers().set("cache-control", "no-store")?;
    Ok(response)
}

/// Responds with a JSON document that browsers save as a file. `name` consists of letters, digits, `.`, `-` and `_`.
pub(crate) fn download(text: &str, name: &str) -> Result<Response> {
    let response = json_text(text)?;
    let disposition = format!("attachment; filename=\"{name}\"");
    response
        .headers()
        .set("content-disposition", &disposition)?;
    Ok(response)
}

/// Responds with bytes that browsers save as a file.
pub(crate) fn download_bytes(bytes: Vec<u8>, kind: &str, name: &str) -> Result<Response> {
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

/// Responds with an artifact of a run. A stranger's server chose its MIME type, so only pictures are displayed, and
/// browsers save everything else.
pub(crate) fn artifact(bytes: Vec<u8>, kind: &str) -> Result<Response> {
    if !matches!(kind, "image/jpeg" | "image/png") {
        return download_bytes(bytes, "application/octet-stream", "artifact");
    }
    let response = Response::from_bytes(bytes)?;
    let headers = response.headers();
    headers.set("content-type", kind)?;
    // The address contains the digest of the bytes, so they never change, but the run may be deleted.
    headers.set("cache-control", "private, max-age=600")?;
    Ok(response)
}

/// Responds with status 303, a redirect to another address.
pub(crate) fn see_other(address: &str) -> Result<Response> {
    let response = Response::empty()?.with_status(303);
    response.headers().set("location", address)?;
    Ok(response)
}

/// Responds with server-sent events, which must not be cached, compressed or buffered on the way.
pub(crate) fn event_stream(
    frames: impl Stream<Item = worker::Result<Vec<u8>>> + 'static,
) -> Result<Response> {
    let response = Response::from_stream(frames)?;
    set_stream_headers(response.headers())?;
    Ok(response)
}

/// Responds with complete server-sent events.
pub(crate) fn events(bytes: Vec<u8>) -> Result<Response> {
    let response = Response::from_bytes(bytes)?;
    set_stream_headers(response.headers())?;
    Ok(response)
}

/// Sets the headers of an event stream.
pub(crate) fn set_stream_headers(headers: &Headers) -> worker::Result<()> {
    headers.set("content-type", "text/event-stream; charset=utf-8")?;
    headers.set("cache-control", "no-store, no-transform")?;
    headers.set("x-accel-buffering", "no")
}

/// Returns the text of a header; `None` if it is absent or not text.
pub(crate) fn header(request: &Request, name: &str) -> Option<String> {
    request.headers().get(name).ok().flatten()
}

/// Reads the body of a request. Returns `None` if it has more than `bytes_max` bytes.
pub(crate) async fn bounded_body(
    request: &mut Request,
    bytes_max: usize,
) -> Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    let Ok(mut chunks) = request.stream() else {
        return Ok(Some(body));
    };
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk?);
        if body.len() > bytes_max {
            return Ok(None);
        }
    }
    Ok(Some(body))
}
