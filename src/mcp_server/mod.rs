//! The MCP server (Streamable HTTP), in both eras of the protocol. It does no I/O: it
//! reads what is posted, and writes what is answered.
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

/// The supported revisions as a JSON list, the newest first.
const SUPPORTED: &str = r#"["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]"#;
/// The longest part of an unknown revision that a refusal repeats, in characters.
const REPEATED_CHARS_MAX: usize = 100;

/// A posted message.
#[derive(Debug, Clone, PartialEq)]
pub enum Posted {
    /// A request, which needs a response.
    Asked(Asked),
    /// The notification that a client of a session no longer waits for a request.
    Cancelled {
        /// The session that the request belongs to.
        session: String,
        /// The request's id.
        request: Value,
    },
    /// Any other notification. Its session is checked if it names one.
    Noted {
        /// The session; `None` in the newest revision.
        session: Option<String>,
    },
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The request's id: a text or a whole number.
    pub id: Value,
    /// The era of the protocol that the request follows.
    pub era: Era,
    /// The session in the earlier era; `None` in the handshake.
    pub session: Option<String>,
    /// The method with its parameters.
    pub method: Method,
}

/// A method with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// `initialize`: the handshake, with the agreed revision.
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

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// The call's arguments.
    pub arguments: Map<String, Value>,
    /// The token for progress notifications: a text or a whole number.
    pub progress_token: Option<Value>,
    /// The client's idempotency key for this call.
    pub key: Option<String>,
}

/// The refusal of a message. It is boxed, since many functions return it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(Box<Parts>);

#[derive(Debug, Clone, PartialEq)]
struct Parts {
    status: u16,
    code: i64,
    says: &'static str,
    /// The machine-readable details, as JSON.
    data: Option<String>,
    id: Option<Value>,
}

impl Refusal {
    /// Makes a refusal with this HTTP status and JSON-RPC error code; `says` is a whole sentence. A single function
    /// keeps the Worker small.
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

    /// Refuses a body that is no message.
    #[inline(never)]
    fn no_message(says: &'static str) -> Self {
        Self::new(400, INVALID_REQUEST, says)
    }

    /// Refuses the parameters.
    #[inline(never)]
    fn params(status: u16, says: &'static str) -> Self {
        Self::new(status, INVALID_PARAMS, says)
    }

    /// Refuses an unknown method.
    #[inline(never)]
    fn method(status: u16) -> Self {
        Self::new(
            status,
            METHOD_NOT_FOUND,
            "This server has no such method; it has tools/list and tools/call.",
        )
    }

    /// Refuses an unknown or expired session, so that the client begins a new one.
    #[must_use]
    pub fn session() -> Self {
        Self::new(
            404,
            INVALID_REQUEST,
            "There is no such session here, or not any more; send initialize again.",
        )
    }

    /// Adds machine-readable details as JSON.
    fn with_data(mut self, data: String) -> Self {
        self.0.data = Some(data);
        self
    }

    /// Returns the refusal as the response to the request with this id.
    #[must_use]
    pub fn of(mut self, id: &Value) -> Self {
        self.0.id = Some(id.clone());
        self
    }

    /// Returns the HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Returns the body as JSON-RPC.
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

/// Refuses a revision that this server does not speak.
fn unsupported(version: &str) -> Refusal {
    let repeated: String = version.chars().take(REPEATED_CHARS_MAX).collect();
    let requested = Value::from(repeated);
    Refusal::new(400, UNSUPPORTED_VERSION, "Unsupported protocol version").with_data(format!(
        r#"{{"supported":{SUPPORTED},"requested":{requested}}}"#
    ))
}

/// Returns the member of a request's `_meta` with this name under the protocol's prefix.
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
