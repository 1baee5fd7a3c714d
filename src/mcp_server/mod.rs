//! The MCP server (Streamable HTTP), in both eras of the protocol. It performs no I/O, but only parses what clients
//! post and composes the responses.
//!
//! //= MCP 2026-07-28 and 2025-11-25, basic/transports

mod answers;
mod entrance;
mod messages;
mod tools;

use mcp::codes::{INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, UNSUPPORTED_VERSION};
use mcp::{Era, meta_key};
use serde_json::{Map, Value};

pub use answers::{
    Watch, WatchedCall, checked, known_answer, no_run_of_tools, not_by_arguments,
    only_its_beginner, people_answer, stopping, watched,
};
pub use entrance::{BODY_BYTES_MAX, read_post};
pub use messages::{CallFrames, CallPoint, call_result, discovered, initialized, listed, ponged};
pub use tools::{
    BuiltInCall, CHECK_CHAIN, GET_RUN, PATH_BETWEEN, SEEN_WITH, STOP_RUN, WHO_IS, check_described,
    take_wait_ms,
};

/// The supported revisions of the protocol as a JSON list, newest first.
const SUPPORTED: &str = r#"["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]"#;
/// How much of an unknown revision a refusal repeats, in characters.
const REPEATED_CHARS_MAX: usize = 100;

/// A message that a client posted.
#[derive(Debug, Clone, PartialEq)]
pub enum Posted {
    /// A request, which needs a response.
    Asked(Asked),
    /// The notification that the client no longer waits for the response to a request. It exists only in sessions.
    Cancelled {
        /// The session to which the request belongs.
        session: String,
        /// The id of the request.
        request: Value,
    },
    /// Any other notification. If it names a session, the session must exist.
    Noted {
        /// The session that the notification names; `None` in the newest revision.
        session: Option<String>,
    },
}

/// A request, with the era and the session to which it belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The id of the request, a text or an integer.
    pub id: Value,
    /// The era of the protocol that the request follows.
    pub era: Era,
    /// The session in the earlier era; `None` in the handshake and in the newest revision.
    pub session: Option<String>,
    /// The method with its parameters.
    pub method: Method,
}

/// A method with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// `initialize`, the handshake, with the revision on which both sides agree.
    Initialize(&'static str),
    /// `server/discover`.
    Discover,
    /// `ping`.
    Ping,
    /// `tools/list`.
    ListTools,
    /// `tools/call`.
    CallTool(ToolCall),
}

/// A call of a tool, as the client sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The name of the called tool.
    pub name: String,
    /// The call's arguments.
    pub arguments: Map<String, Value>,
    /// The token for progress notifications, a text or an integer; `None` if the client wants none.
    pub progress_token: Option<Value>,
    /// The idempotency key that the client sent for this call, if any.
    pub key: Option<String>,
}

/// The refusal of a message. Its parts are boxed because many functions return it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(Box<Parts>);

#[derive(Debug, Clone, PartialEq)]
struct Parts {
    status: u16,
    code: i64,
    says: &'static str,
    /// Machine-readable details of the refusal, as JSON.
    data: Option<String>,
    id: Option<Value>,
}

impl Refusal {
    /// Makes a refusal with this HTTP status and JSON-RPC error code. `says` is a whole sentence. All refusals use
    /// this one function, which keeps the Worker small.
    #[inline(never)]
    #[must_use]
    pub fn new(status: u16, code: i64, says: &'static str) -> Self {
        Self(Box::new(Parts {
            status,
            code,
            says,
            data: None,
            id: None,
        }))
    }

    /// Makes the refusal of a body that is not a message.
    #[inline(never)]
    fn no_message(says: &'static str) -> Self {
        Self::new(400, INVALID_REQUEST, says)
    }

    /// Makes the refusal of a request with invalid parameters.
    #[inline(never)]
    fn params(status: u16, says: &'static str) -> Self {
        Self::new(status, INVALID_PARAMS, says)
    }

    /// Makes the refusal of an unknown method.
    #[inline(never)]
    fn method(status: u16) -> Self {
        Self::new(
            status,
            METHOD_NOT_FOUND,
            "This server has no such method; it has tools/list and tools/call.",
        )
    }

    /// Makes the refusal of an unknown or expired session. It causes the client to begin a new session.
    #[must_use]
    pub fn session() -> Self {
        Self::new(
            404,
            INVALID_REQUEST,
            "There is no such session here, or not any more; send initialize again.",
        )
    }

    /// Adds machine-readable details to the refusal, as JSON.
    fn with_data(mut self, data: String) -> Self {
        self.0.data = Some(data);
        self
    }

    /// Turns the refusal into the response to the request with this id.
    #[must_use]
    pub fn of(mut self, id: &Value) -> Self {
        self.0.id = Some(id.clone());
        self
    }

    /// Returns the HTTP status of the refusal.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Returns the refusal as a JSON-RPC body.
    #[must_use]
    pub fn body(&self) -> String {
        let Parts {
            code,
            says,
            data,
            id,
            ..
        } = &*self.0;
        let id = match id {
            Some(id) => format!(r#""id":{id},"#),
            None => String::new(),
        };
        let data = match data {
            Some(data) => format!(r#","data":{data}"#),
            None => String::new(),
        };
        let says = Value::from(*says);
        format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":{code},"message":{says}{data}}}}}"#)
    }
}

/// Makes the refusal of a revision that this server does not support.
fn unsupported(version: &str) -> Refusal {
    let repeated: String = version.chars().take(REPEATED_CHARS_MAX).collect();
    let requested = Value::from(repeated);
    Refusal::new(400, UNSUPPORTED_VERSION, "Unsupported protocol version").with_data(format!(
        r#"{{"supported":{SUPPORTED},"requested":{requested}}}"#
    ))
}

/// Returns the member of a request's `_meta` that has this name after the protocol's prefix.
fn meta<'params>(params: &'params Value, name: &str) -> Option<&'params Value> {
    params.get("_meta")?.get(meta_key(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp::{LEGACY, MODERN};

    #[test]
    fn every_revision_is_named() {
        let named = std::iter::once(MODERN).chain(LEGACY);
        let list: Value = named.collect();
        assert_eq!(list.to_string(), SUPPORTED);
    }
}
