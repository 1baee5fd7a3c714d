//! The MCP server: which messages it accepts, its responses, and watching a call.

mod answers;
mod chains;
mod hostile;
mod messages;
mod watching;

use mcp::Era;
use serde_json::json;
use visual_degrees::mcp_server::{CallPoint, Posted, Refusal, read_post};

/// Returns the headers of a request for `method` in the newest revision.
pub(crate) fn modern(method: &str) -> Vec<(String, String)> {
    let mut headers = plain();
    headers.push(("mcp-protocol-version".into(), "2026-07-28".into()));
    headers.push(("mcp-method".into(), method.into()));
    headers
}

/// Returns the headers that every message has.
pub(crate) fn plain() -> Vec<(String, String)> {
    let accept = "application/json, text/event-stream";
    vec![
        ("content-type".into(), "application/json".into()),
        ("accept".into(), accept.into()),
    ]
}

/// Adds or replaces a header.
pub(crate) fn with(
    mut headers: Vec<(String, String)>,
    name: &str,
    value: &str,
) -> Vec<(String, String)> {
    headers.retain(|(key, _)| key != name);
    headers.push((name.into(), value.into()));
    headers
}

pub(crate) fn read(headers: &[(String, String)], body: &str) -> Result<Posted, Refusal> {
    let header = |name: &str| {
        let found = headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.clone())
    };
    read_post(&header, body.as_bytes())
}

/// The `_meta` required by the newest revision.
pub(crate) const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// Returns the point of a call by request 7, whose client wants progress.
pub(crate) fn point(after: u32, until_ms: Option<u64>, era: Era) -> CallPoint {
    CallPoint {
        run: "s1.k3".into(),
        id: json!(7),
        era,
        progress_token: Some(json!("t")),
        after,
        until_ms,
    }
}
