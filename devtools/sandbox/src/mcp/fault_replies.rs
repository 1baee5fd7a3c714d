//! The responses to failing calls that both eras of the protocol share.

use http::header::{LOCATION, RETRY_AFTER, WWW_AUTHENTICATE};
use serde_json::{Value, json};

use crate::providers::{ParsedRequest, Reply};

use super::entrance::SERVER_ERROR;
use super::faults::McpFault;
use super::messages::{INTERNAL, RpcError, RpcRequest};
use super::versions::{HEADER_MISMATCH, LEGACY, SESSION_NOT_FOUND, UNSUPPORTED_VERSION};

/// How long a stream stays silent if its answer never comes, in milliseconds. No client waits that long.
pub(super) const NEVER_MS: u64 = 600_000;
/// How long a late answer takes after its last progress, in milliseconds.
pub(super) const LATE_MS: u64 = 1_000;
const PROGRESS_PAUSE_MS: u64 = 500;
const PINGS: u32 = 200;

/// Returns the reply that a fault puts in place of the answer, or `None` if the fault keeps the answer.
pub(super) fn reply(fault: McpFault, request: &ParsedRequest, asked: &RpcRequest) -> Option<Reply> {
    let error = |status, code, says: &str| RpcError::new(code, says).reply(status, &asked.id);
    Some(match fault {
        McpFault::SessionGone => error(404, SESSION_NOT_FOUND, "Session not found"),
        McpFault::SessionGoneOld => {
            let says = "Bad Request: No valid session ID provided";
            let error = json!({"code": SERVER_ERROR, "message": says});
            Reply::json(400, &json!({"jsonrpc": "2.0", "error": error}))
        }
        McpFault::SessionGoneText => {
            let says = b"Bad Request: No valid session ID provided".to_vec();
            Reply::new(400, "text/plain; charset=utf-8", says)
        }
        McpFault::Unauthorised => {
            let error =
                json!({"error": "invalid_token", "error_description": "Authentication required"});
            Reply::json(401, &error).with(WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")
        }
        McpFault::WrongHost => {
            let says = b"Access is only allowed at localhost:3108".to_vec();
            Reply::new(403, "text/plain", says)
        }
        McpFault::Busy => error(429, SERVER_ERROR, "Too Many Requests").with(RETRY_AFTER, "1"),
        McpFault::Redirect => {
            Reply::new(307, "text/plain", Vec::new()).with(LOCATION, &request.address())
        }
        McpFault::UnsupportedVersion => {
            let requested = request.header("mcp-protocol-version");
            let data = json!({"supported": LEGACY, "requested": requested});
            let says = "Unsupported protocol version";
            let error = RpcError::new(UNSUPPORTED_VERSION, says).with_data(data);
            error.reply(400, &asked.id)
        }
        McpFault::HeaderMismatch => {
            let says = "Header mismatch: Mcp-Param-App header is missing";
            error(400, HEADER_MISMATCH, says)
        }
        McpFault::Accepted => Reply::new(202, "text/plain", Vec::new()),
        McpFault::ServerError => error(500, INTERNAL, "Internal server error"),
        McpFault::BadGateway => Reply::html(
            502,
            "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>\n",
        ),
        McpFault::Html => Reply::html(
            200,
            "<html><body>Please sign in to the network.</body></html>\n",
        ),
        _ => return None,
    })
}

/// Returns the message with the answer, or the message that a fault puts in its place.
pub(super) fn message(fault: Option<McpFault>, asked: &RpcRequest, result: &Value) -> Value {
    match fault {
        Some(McpFault::RpcError) => RpcError::new(INTERNAL, "Internal error").message(&asked.id),
        Some(McpFault::InputRequired) => asked.result(&json!({
            "resultType": "input_required",
            "inputRequests": {"confirmation": question()},
            "requestState": "c2FuZGJveA==",
        })),
        Some(McpFault::UnknownResult) => asked.result(&json!({"resultType": "deferred"})),
        Some(McpFault::OtherId) => {
            let id = match &asked.id {
                Value::String(id) => json!(format!("{id}-other")),
                id => json!(id.as_i64().unwrap_or_default().wrapping_add(1_000)),
            };
            json!({"jsonrpc": "2.0", "id": id, "result": result})
        }
        _ => asked.result(result),
    }
}

/// Returns the request, still without an id, with which the server asks the user for confirmation while a tool runs.
pub(super) fn question() -> Value {
    let properties = json!({"confirmed": {"type": "boolean"}});
    json!({"method": "elicitation/create", "params": {
        "mode": "form", "message": "May this tool be called?",
        "requestedSchema": {"type": "object", "properties": properties, "required": ["confirmed"]},
    }})
}

/// Returns the progress messages to send before the answer, as pairs of a pause in milliseconds and the message that
/// follows it. The list is empty if the client did not request progress.
pub(super) fn progress(fault: Option<McpFault>, asked: &RpcRequest) -> Vec<(u64, Value)> {
    let Some(token) = asked.progress_token() else {
        return Vec::new();
    };
    let (steps, pause_ms) = match fault {
        Some(McpFault::Slow) => (3, PROGRESS_PAUSE_MS),
        Some(McpFault::Long) => (80, 1_000),
        Some(McpFault::Endless) => (600, 1_000),
        _ => (2, 0),
    };
    let told = (1..=steps).map(|step| {
        let params = json!({"progressToken": token, "progress": step, "total": steps});
        let message =
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        (pause_ms, message)
    });
    told.collect()
}

/// Returns two hundred pings from the server.
pub(super) fn pings() -> impl Iterator<Item = Value> {
    (1..=PINGS).map(|n| json!({"jsonrpc": "2.0", "id": format!("ping-{n}"), "method": "ping"}))
}

/// Returns a reply with the first half of a message, as if it were complete.
pub(super) fn cut_json(message: &Value) -> Reply {
    let text = message.to_string();
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    Reply::new(200, "application/json", half.into_bytes())
}
