//! What is asked of a server, and what comes of it.

use http::Request;
use serde_json::Value;

use super::content::CallResult;
use super::failure::CallFailure;

/// What is asked of a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// Which tools it has.
    ListTools,
    /// To call one.
    CallTool {
        /// Its name.
        tool: String,
        /// Its arguments, as they are; none are sent where there are none.
        arguments: Option<Value>,
    },
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The tools are known: [`crate::mcp::Connection::tools`].
    Listed,
    /// The tool's answer.
    Called(CallResult),
}

/// What comes next.
#[derive(Debug)]
pub enum Step {
    /// Send this.
    Send(Request<Vec<u8>>),
    /// Read on.
    Read,
    /// Wait for so many milliseconds.
    Pause(u64),
    /// It is over.
    Done(Result<Reply, CallFailure>),
}

/// Where a call can be taken up again by another process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumePoint {
    /// The number of its request.
    pub request: u64,
    /// The last event that came.
    pub last_event_id: String,
}
