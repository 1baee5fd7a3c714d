//! The operations of a server, and what comes of them.

use http::Request;
use serde_json::Value;

use crate::content::CallResult;
use crate::failure::CallFailure;

/// An operation that is asked of a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// List the server's tools.
    ListTools,
    /// Call a tool.
    CallTool {
        /// The tool's name.
        tool: String,
        /// The call's arguments, as they are; `None` where none are sent.
        arguments: Option<Value>,
    },
}

/// The reply to an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The tools are known: [`crate::Connection::tools`].
    Listed,
    /// The tool's answer.
    Called(CallResult),
}

/// The next step of an exchange.
#[derive(Debug)]
pub enum Step {
    /// Send this request.
    Send(Request<Vec<u8>>),
    /// Read on.
    Read,
    /// Wait for so many milliseconds.
    Pause(u64),
    /// The exchange is over.
    Done(Result<Reply, CallFailure>),
}

/// The point at which another process can take up a call again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumePoint {
    /// The number of the call's request.
    pub request: u64,
    /// The id of the last event that came.
    pub last_event_id: String,
}
