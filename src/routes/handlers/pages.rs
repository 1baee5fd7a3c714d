//! The page and its files. The headers in `public/_headers` apply only to files, not to responses that are made here.
//! So the same rules are repeated here.

use domain::EventId;
use worker::{Env, Error, Headers, Request, Response};

use crate::routes::{PageWords, ResponseFormat, is_robot, security_headers, with_head, with_start};
use crate::transport::bindings;
use crate::transport::failure::Result;
use crate::transport::replies::header;

/// Sets the headers that every response has.
pub(crate) fn set_common_headers(
    headers: &Headers,
    readable_by: Option<&str>,
    frame_ancestors: &str,
    is_https: bool,
) -> worker::Result<()> {
    // The response for a file already has values for these headers, so they are replaced.
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

/// Responds to a preflight.
pub(crate) fn preflight() -> Result<Response> {
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

/// The headers of the page's file that no longer apply once the page's head is changed.
const OF_THE_FILE: [&str; 5] = [
    "cache-control",
    "content-encoding",
    "content-length",
    "etag",
    "last-modified",
];
/// The cache rule for the page of a run. Its head changes while the run is in progress, and shared caches must not
/// store it.
const CACHE_CONTROL: &str = "private, no-cache";

/// Returns the format of the response for a run or a chain. Link previews get the page unless they accept another
/// type.
pub(crate) fn format_of_link(request: &Request) -> ResponseFormat {
    let format = ResponseFormat::of(header(request, "accept").as_deref());
    let shows_preview = || is_robot(header(request, "user-agent").as_deref());
    if format == ResponseFormat::Stream && shows_preview() {
        return ResponseFormat::Html;
    }
    format
}

/// Responds with the static file at the request's path, or 404.
pub(crate) async fn file(request: &Request, env: &Env) -> Result<Response> {
    let assets = bindings::static_files(env)?;
    Ok(assets.fetch(request.url()?.as_str(), None).await?)
}

/// Returns the static file at this path.
async fn file_at(request: &Request, env: &Env, path: &str) -> Result<Response> {
    let mut url = request.url()?;
    url.set_path(path);
    url.set_query(None);
    let assets = bindings::static_files(env)?;
    Ok(assets.fetch(url.as_str(), None).await?)
}

/// Responds with the atlas page, which search engines may index if it `is_listed`.
pub(crate) async fn atlas(request: &Request, env: &Env, is_listed: bool) -> Result<Response> {
    let file = file_at(request, env, "/atlas").await?;
    if is_listed {
        return Ok(file);
    }
    let headers = headers_of(&file, &[])?;
    headers.set("x-robots-tag", "noindex")?;
    Ok(file.with_headers(headers))
}

/// Responds with the page, at whatever address was requested.
pub(crate) async fn answer(request: &Request, env: &Env, status: u16) -> Result<Response> {
    let response = file_at(request, env, "/").await?;
    if status == 200 {
        Ok(response)
    } else {
        Ok(response.with_status(status))
    }
}

/// Responds with the page whose head contains these words.
pub(crate) async fn with_words(
    request: &Request,
    env: &Env,
    words: &PageWords,
) -> Result<Response> {
    edited(request, env, |page, address| {
        with_head(page, words, &format!("{address}{}", words.query))
    })
    .await
}

/// Responds with the page for a question that has not been started. If `starts` is set, the page starts it.
pub(crate) async fn of_question(request: &Request, env: &Env, starts: bool) -> Result<Response> {
    let words = PageWords::of_question(request.url()?.query().unwrap_or_default());
    edited(request, env, |page, address| {
        let page = words.as_ref().map_or_else(
            || page.to_owned(),
            |words| with_head(page, words, &format!("{address}{}", words.query)),
        );
        if starts { with_start(&page) } else { page }
    })
    .await
}

/// Responds with the page as changed by `edit`, which receives the file's text and the page's address without its
/// query.
async fn edited(
    request: &Request,
    env: &Env,
    edit: impl FnOnce(&str, &str) -> String,
) -> Result<Response> {
    let mut file = answer(request, env, 200).await?;
    if file.status_code() != 200 {
        return Ok(file);
    }
    let url = request.url()?;
    let (origin, path) = (url.origin().ascii_serialization(), url.path());
    let headers = headers_of(&file, &OF_THE_FILE)?;
    headers.set("cache-control", CACHE_CONTROL)?;
    // Visitors with the link may read the page, and so may link previews, but search engines must not index anybody's
    // name.
    headers.set("x-robots-tag", "noindex")?;
    let page = edit(&file.text().await?, &format!("{origin}{path}"));
    Ok(Response::from_html(page)?.with_headers(headers))
}

/// Returns a copy of a file's headers without those in `left_out`. The headers of a fetched response are immutable.
fn headers_of(file: &Response, left_out: &[&str]) -> Result<Headers> {
    let headers = Headers::new();
    for (name, value) in file.headers().entries() {
        if !left_out.contains(&name.to_ascii_lowercase().as_str()) {
            headers.append(&name, &value)?;
        }
    }
    Ok(headers)
}

/// Returns the last event that a reconnecting client has seen, from `Last-Event-ID` or `?lastEventId=`.
pub(crate) fn last_event(request: &Request) -> Option<EventId> {
    if let Some(id) = header(request, "last-event-id") {
        return EventId::parse(&id);
    }
    let url = request.url().ok()?;
    let (_, id) = url.query_pairs().find(|(key, _)| key == "lastEventId")?;
    EventId::parse(&id)
}

/// Returns whether a request is a reconnect, even one with an invalid event id.
pub(crate) fn is_reconnect(request: &Request) -> Result<bool> {
    Ok(header(request, "last-event-id").is_some()
        || request
            .url()?
            .query_pairs()
            .any(|(key, _)| key == "lastEventId"))
}

/// Returns the text of the static file at this path.
pub(crate) async fn file_text(request: &Request, env: &Env, path: &str) -> Result<String> {
    let mut url = request.url()?;
    url.set_path(path);
    url.set_query(None);
    let files = bindings::static_files(env)?;
    let mut file = files.fetch(url.as_str(), None).await?;
    match file.status_code() {
        200 => Ok(file.text().await?),
        status => Err(Error::RustError(format!("no {path}: {status}")).into()),
    }
}
