//! The requests that operations are made of.

use http::Request;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::message::{add_meta, notification, program_info, request};

/// Returns the request for the tools, from where a page ended.
pub(crate) fn list_tools(
    connection: &Connection,
    id: u64,
    cursor: Option<&str>,
    is_modern: bool,
) -> Request<Vec<u8>> {
    let mut params = match cursor {
        Some(cursor) => json!({"cursor": cursor}),
        None => json!({}),
    };
    add_meta(&mut params, None, is_modern);
    let message = request(id, "tools/list", &params);
    connection.post(&message, is_modern, None, None)
}

/// Returns the request that calls a tool.
pub(crate) fn call_tool(
    connection: &Connection,
    id: u64,
    tool: &str,
    arguments: Option<&Value>,
    is_modern: bool,
) -> Request<Vec<u8>> {
    let mut params = json!({"name": tool});
    if let (Some(arguments), Some(params)) = (arguments, params.as_object_mut()) {
        params.insert("arguments".to_owned(), arguments.clone());
    }
    add_meta(&mut params, Some(id), is_modern);
    let message = request(id, "tools/call", &params);
    connection.post(&message, is_modern, Some(tool), arguments)
}

/// Returns the request that begins a session.
pub(crate) fn initialize(connection: &Connection, id: u64) -> Request<Vec<u8>> {
    let params = json!({
        "protocolVersion": connection.proposed(),
        "capabilities": {},
        "clientInfo": program_info(),
    });
    connection.post(&request(id, "initialize", &params), false, None, None)
}

/// Returns the notification that a session has begun.
pub(crate) fn initialized(connection: &Connection) -> Request<Vec<u8>> {
    let message = notification("notifications/initialized", &Value::Null);
    connection.post(&message, false, None, None)
}

/// Returns the notification that nobody waits for the answer to a request of a session.
pub(crate) fn cancelled(connection: &Connection, id: u64) -> Request<Vec<u8>> {
    let params = json!({"requestId": id, "reason": "nobody waits for it any more"});
    let message = notification("notifications/cancelled", &params);
    connection.post(&message, false, None, None)
}
