//! The messages of JSON-RPC, and their error codes.

use serde_json::{Map, Value, json};

use crate::connection::MODERN;

use codes::METHOD_NOT_FOUND;

/// The longest error message of a server that is stored, in characters. Viewers get a shorter text, which is cut only
/// after secrets are removed.
const MESSAGE_CHARS_MAX: usize = 4_000;

/// A message from a server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Incoming {
    /// The result of the request with this number.
    Result { id: u64, result: Value },
    /// The error for the request with this number; `None` if the server could not read the number.
    Error { id: Option<u64>, error: RpcError },
    /// A request from the server, which expects an answer.
    Request { id: Value, method: String },
    /// A report on the progress of a call.
    Progress(Progress),
    /// Any other message, which needs no answer.
    Notification,
}

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Value,
}

/// The progress of a call, in the server's units.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The amount done.
    pub progress: f64,
    /// The amount in total; `None` if unknown.
    pub total: Option<f64>,
    /// The progress in words; `None` if the server sends none.
    pub message: Option<String>,
}

impl Incoming {
    /// Parses one message; `None` if the value is not a message.
    pub(crate) fn read(message: &Value) -> Option<Self> {
        let members = message.as_object()?;
        if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return None;
        }
        let id = members.get("id").filter(|id| !id.is_null());
        if let Some(method) = members.get("method") {
            let method = method.as_str()?.to_owned();
            return Some(match id {
                Some(id) => Self::Request {
                    id: id.clone(),
                    method,
                },
                None => progress(&method, members).unwrap_or(Self::Notification),
            });
        }
        if let Some(error) = members.get("error") {
            let message = error.get("message").and_then(Value::as_str);
            return Some(Self::Error {
                id: id.and_then(Value::as_u64),
                error: RpcError {
                    code: error
                        .get("code")
                        .and_then(Value::as_i64)
                        .unwrap_or_default(),
                    message: message
                        .unwrap_or_default()
                        .chars()
                        .take(MESSAGE_CHARS_MAX)
                        .collect(),
                    data: error.get("data").cloned().unwrap_or_default(),
                },
            });
        }
        Some(Self::Result {
            id: id.and_then(Value::as_u64)?,
            result: members.get("result")?.clone(),
        })
    }

    /// Parses every message of a body: a single one, or a batch, which servers of earlier revisions may send.
    pub(crate) fn read_all(json: &Value) -> Vec<Self> {
        match json {
            Value::Array(list) => list.iter().filter_map(Self::read).collect(),
            one => Self::read(one).into_iter().collect(),
        }
    }
}

fn progress(method: &str, members: &Map<String, Value>) -> Option<Incoming> {
    if method != "notifications/progress" {
        return None;
    }
    let params = members.get("params")?;
    let message = params.get("message").and_then(Value::as_str);
    Some(Incoming::Progress(Progress {
        progress: params.get("progress")?.as_f64()?,
        total: params.get("total").and_then(Value::as_f64),
        message: message.map(|text| text.chars().take(MESSAGE_CHARS_MAX).collect()),
    }))
}

/// Makes a request with this number.
pub(crate) fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Makes a notification.
pub(crate) fn notification(method: &str, params: &Value) -> Value {
    if params.is_null() {
        return json!({"jsonrpc": "2.0", "method": method});
    }
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// Makes the answer to a request from the server: an empty result for `ping`, an error for anything else.
pub(crate) fn answer(id: &Value, method: &str) -> Value {
    if method == "ping" {
        return json!({"jsonrpc": "2.0", "id": id, "result": {}});
    }
    let error = json!({"code": METHOD_NOT_FOUND, "message": "this client cannot do that"});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

/// Returns this program's name and version, as a client and as a server.
#[must_use]
pub fn program_info() -> Value {
    json!({"name": "visual-degrees", "version": env!("CARGO_PKG_VERSION")})
}

/// Returns the key of a `_meta` member defined by the protocol.
#[must_use]
pub fn meta_key(name: &str) -> String {
    format!("io.modelcontextprotocol/{name}")
}

/// Adds the `_meta` members that a request needs to its parameters.
pub(crate) fn add_meta(params: &mut Value, progress_token: Option<u64>, is_modern: bool) {
    let mut meta = Map::new();
    if is_modern {
        let mut add = |name: &str, value: Value| {
            meta.insert(meta_key(name), value);
        };
        add("protocolVersion", MODERN.into());
        add("clientCapabilities", json!({}));
        add("clientInfo", program_info());
    }
    if let Some(token) = progress_token {
        meta.insert("progressToken".to_owned(), token.into());
    }
    if let (false, Some(params)) = (meta.is_empty(), params.as_object_mut()) {
        params.insert("_meta".to_owned(), Value::Object(meta));
    }
}

/// The codes of errors.
///
/// //= MCP 2026-07-28, basic, Error Codes
pub mod codes {
    /// The body is not JSON.
    pub const PARSE_ERROR: i64 = -32_700;
    /// The body is not a message of the protocol.
    pub const INVALID_REQUEST: i64 = -32_600;
    /// The method does not exist.
    pub const METHOD_NOT_FOUND: i64 = -32_601;
    /// The method's parameters are invalid.
    pub const INVALID_PARAMS: i64 = -32_602;
    /// The server failed.
    pub const INTERNAL_ERROR: i64 = -32_603;
    /// A header is missing or contradicts the body.
    pub const HEADER_MISMATCH: i64 = -32_020;
    /// The client lacks a capability that the server needs.
    pub(crate) const MISSING_CAPABILITY: i64 = -32_021;
    /// The server does not support this revision.
    pub const UNSUPPORTED_VERSION: i64 = -32_022;
}
