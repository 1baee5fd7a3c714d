//! The messages of JSON-RPC, and the codes of its errors.

use serde_json::{Map, Value, json};

use crate::connection::MODERN;

use codes::METHOD_NOT_FOUND;

/// The longest message of a server that is kept, in characters. Less of it is told, once the secrets are taken out.
const MESSAGE_CHARS_MAX: usize = 4_000;

/// A message that comes from a server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Incoming {
    /// The answer to the request of this number.
    Result { id: u64, result: Value },
    /// The refusal of the request of this number, or of one without a number.
    Error { id: Option<u64>, error: RpcError },
    /// A request that the server makes itself.
    Request { id: Value, method: String },
    /// The progress of a call.
    Progress(Progress),
    /// Any other message, which nobody answers.
    Notification,
}

/// A server's reason for a refusal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Value,
}

/// The progress of a call, in its server's units.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The part that is done.
    pub progress: f64,
    /// The whole, where it is known.
    pub total: Option<f64>,
    /// The progress in words, where the server says so.
    pub message: Option<String>,
}

impl Incoming {
    /// Reads one message. Returns `None` where the value is no message.
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

    /// Reads every message of a body: one message, or a list of some from servers of earlier
    /// revisions.
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

/// Returns a request of this number.
pub(crate) fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Returns a notification.
pub(crate) fn notification(method: &str, params: &Value) -> Value {
    if params.is_null() {
        return json!({"jsonrpc": "2.0", "method": method});
    }
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// Returns the answer to a request that the server makes: to a `ping`, that this client is there,
/// and to any other request, that it cannot do that.
pub(crate) fn answer(id: &Value, method: &str) -> Value {
    if method == "ping" {
        return json!({"jsonrpc": "2.0", "id": id, "result": {}});
    }
    let error = json!({"code": METHOD_NOT_FOUND, "message": "this client cannot do that"});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

/// Returns how this program names itself, as a client and as a server.
#[must_use]
pub fn program_info() -> Value {
    json!({"name": "visual-degrees", "version": env!("CARGO_PKG_VERSION")})
}

/// Returns the key of a member of `_meta` that the protocol names.
#[must_use]
pub fn meta_key(name: &str) -> String {
    format!("io.modelcontextprotocol/{name}")
}

/// Adds what each request of the newest revision says of itself.
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
    /// The body is no JSON.
    pub const PARSE_ERROR: i64 = -32_700;
    /// The body is no message of the protocol.
    pub const INVALID_REQUEST: i64 = -32_600;
    /// There is no such method.
    pub const METHOD_NOT_FOUND: i64 = -32_601;
    /// The method's parameters are not those that it takes.
    pub const INVALID_PARAMS: i64 = -32_602;
    /// The server failed.
    pub const INTERNAL_ERROR: i64 = -32_603;
    /// A header says something else than the body, or is missing.
    pub const HEADER_MISMATCH: i64 = -32_020;
    /// The client cannot do what the server needs.
    pub(crate) const MISSING_CAPABILITY: i64 = -32_021;
    /// The server does not speak this revision.
    pub const UNSUPPORTED_VERSION: i64 = -32_022;
}
