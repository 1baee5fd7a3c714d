//! Reads parts of a request.

use futures::StreamExt as _;
use worker::{Request, Result};

use domain::EventId;

/// Returns a header's text, or `None` where the header is not there or is no text.
pub(super) fn header(request: &Request, name: &str) -> Option<String> {
    request.headers().get(name).ok().flatten()
}

/// Reads the body. Returns `None` where it is over `bytes_max`; reading stops there.
pub(super) async fn bounded_body(
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

/// Returns the event that a reconnect has seen last, from the header or `?lastEventId=`.
pub(super) fn last_event(request: &Request) -> Option<EventId> {
    if let Some(id) = header(request, "last-event-id") {
        return EventId::parse(&id);
    }
    let url = request.url().ok()?;
    let (_, id) = url.query_pairs().find(|(key, _)| key == "lastEventId")?;
    EventId::parse(&id)
}

/// Returns whether a request is a reconnect, even one whose event cannot be read.
pub(super) fn is_reconnect(request: &Request) -> Result<bool> {
    Ok(header(request, "last-event-id").is_some()
        || request
            .url()?
            .query_pairs()
            .any(|(key, _)| key == "lastEventId"))
}
