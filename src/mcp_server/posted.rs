//! The messages that a client may post.

use serde_json::{Map, Value};

use mcp::Era;

/// A message that was posted.
#[derive(Debug, Clone, PartialEq)]
pub enum Posted {
    /// A request, which wants an answer.
    Asked(Asked),
    /// The notification that nobody waits for the answer to a request of a session any more.
    Cancelled {
        /// The session.
        session: String,
        /// The request's id.
        request: Value,
    },
    /// Any other notification. The session is checked, where it names one.
    Noted {
        /// The session, which a notification of the newest revision does not have.
        session: Option<String>,
    },
}

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The request's id, a text or a whole number.
    pub id: Value,
    /// The era whose rules the request follows.
    pub era: Era,
    /// The session of the request, in the earlier era; `None` in the handshake.
    pub session: Option<String>,
    /// The method that is asked for.
    pub method: Method,
}

/// A method with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// `initialize`: the handshake, in this revision.
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

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// The call's arguments.
    pub arguments: Map<String, Value>,
    /// The token with which the client wants to be told of the progress; a text or a whole number.
    pub progress_token: Option<Value>,
    /// The client's own key of this call, with which it may send the call again.
    pub key: Option<String>,
}
