//! The failures of operations on a server, and the meaning of a server's refusals. A server may refuse the operation
//! itself, or only the way in which it was requested.
//!
//! //= MCP 2026-07-28, basic/versioning, basic/transports/streamable-http

use http::StatusCode;
use serde_json::Value;
use thiserror::Error;

use crate::connection::MODERN;
use crate::message::RpcError;
use crate::message::codes::{
    HEADER_MISMATCH, METHOD_NOT_FOUND, MISSING_CAPABILITY, UNSUPPORTED_VERSION,
};

/// The codes with which servers of earlier revisions report that the session is missing or unknown.
const SESSION_CODES: [i64; 3] = [-32_000, -32_001, -32_600];
/// The longest unknown result type that is quoted in a message, in characters. Viewers get a shorter message.
const KIND_CHARS_MAX: usize = 3_500;

/// The reason why an operation has no result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallFailure {
    /// The server refused the request without executing it. The text is the server's.
    #[error("{0}")]
    Refused(String),
    /// The server cannot be used at all until the operator changes something.
    #[error("{0}")]
    Unusable(String),
    /// The server limits the rate of requests, and did not execute this one.
    #[error("the server is asked too often")]
    Busy {
        /// The wait that the server requested, in milliseconds.
        after_ms: Option<u64>,
    },
    /// The request failed and cannot have had effects, since it was a listing or a handshake.
    #[error("{0}")]
    Down(String),
    /// The request was sent, but its outcome is unknown.
    #[error("{0}")]
    Unknown(String),
}

/// What a server's refusal means for the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The server needs a handshake, since it does not know the newest revision or has lost the session.
    Handshake,
    /// The server refuses in its own words, which may mean that it has lost the session.
    PerhapsHandshake,
    /// The server knows the newest revision and refuses the operation.
    Modern,
    /// The server lists the newest revision as supported, so the same request may succeed if it is repeated.
    Again,
    /// The server's tools have changed since they were listed, so they must be listed again.
    StaleTools,
    /// The operation is refused.
    Refused,
    /// The rest of a broken stream is no longer available.
    Lost,
}

/// Returns the meaning of a refusal of the last request.
pub(crate) fn meaning(
    sent: Sent,
    status: StatusCode,
    error: Option<&RpcError>,
    has_session: bool,
) -> Meaning {
    match sent {
        Sent::Probe => of_probe(status, error),
        Sent::Modern => of_modern(status, error),
        Sent::Legacy => of_session(status, error, has_session),
        Sent::Resumption if !status.is_success() => Meaning::Lost,
        // These requests cannot be made differently, so the refusal is final.
        Sent::Resumption | Sent::Handshake | Sent::Ready => Meaning::Refused,
    }
}

/// Returns the meaning of a refusal of the first request, which uses the newest revision although the server may not
/// know it.
fn of_probe(status: StatusCode, error: Option<&RpcError>) -> Meaning {
    let code = error.map(|error| error.code);
    match (status.as_u16(), code) {
        (401 | 403 | 407 | 429 | 502..=504, _) => Meaning::Refused,
        (200 | 400 | 404, Some(UNSUPPORTED_VERSION)) => {
            if error.is_some_and(|error| has_modern(&error.data)) {
                Meaning::Again
            } else {
                Meaning::Handshake
            }
        }
        (200 | 400 | 404, Some(HEADER_MISMATCH | MISSING_CAPABILITY))
        | (404, Some(METHOD_NOT_FOUND)) => Meaning::Modern,
        _ => Meaning::Handshake,
    }
}

/// Returns the meaning of a refusal of a request in the newest revision, by a server that knows this revision.
fn of_modern(status: StatusCode, error: Option<&RpcError>) -> Meaning {
    match error.map(|error| error.code) {
        Some(UNSUPPORTED_VERSION) if error.is_some_and(|error| has_modern(&error.data)) => {
            Meaning::Again
        }
        Some(UNSUPPORTED_VERSION) => Meaning::Handshake,
        Some(HEADER_MISMATCH) if status.is_client_error() => Meaning::StaleTools,
        _ => Meaning::Refused,
    }
}

/// Returns the meaning of a refusal of a request in a session.
fn of_session(status: StatusCode, error: Option<&RpcError>, has_session: bool) -> Meaning {
    let is_of_session = |error: &RpcError| {
        let says = error.message.to_ascii_lowercase();
        let of_session = says.contains("session") || says.contains("initialized");
        SESSION_CODES.contains(&error.code) && of_session
    };
    match (status, error) {
        (StatusCode::NOT_FOUND, _) if has_session => Meaning::Handshake,
        (StatusCode::BAD_REQUEST, Some(error)) if is_of_session(error) => Meaning::Handshake,
        // After a restart, version 1.16 of the official Python SDK reports an unknown session in plain text. All its
        // other refusals have a message of the protocol.
        (StatusCode::BAD_REQUEST | StatusCode::GONE, None) if has_session => {
            Meaning::PerhapsHandshake
        }
        _ => Meaning::Refused,
    }
}

fn has_modern(data: &Value) -> bool {
    let supported = data.get("supported").and_then(Value::as_array);
    supported
        .into_iter()
        .flatten()
        .any(|version| version == MODERN)
}

/// Returns the failure for a refusal. A server that reports an internal error may have executed the request.
pub(crate) fn failure(
    status: StatusCode,
    after_ms: Option<u64>,
    error: Option<&RpcError>,
    is_call: bool,
) -> CallFailure {
    let says = error.map(|error| error.message.clone());
    match status.as_u16() {
        401 | 407 => CallFailure::Unusable(format!(
            "the server answers {status}: its secret in MCP_SERVERS is missing or wrong"
        )),
        403 => CallFailure::Unusable(format!(
            "the server answers {status}: its secret in MCP_SERVERS is missing or wrong, or it does \
             not answer at this name of it"
        )),
        300..=399 => CallFailure::Unusable(format!(
            "the server answers {status}: set its final address in MCP_SERVERS, redirects are not \
             followed"
        )),
        429 => CallFailure::Busy { after_ms },
        503 if after_ms.is_some() => CallFailure::Busy { after_ms },
        500..=599 if is_call => CallFailure::Unknown(format!("the server answers {status}")),
        500..=599 => CallFailure::Down(format!("the server answers {status}")),
        _ => CallFailure::Refused(says.unwrap_or_else(|| format!("the server answers {status}"))),
    }
}

/// Returns the failure if a result is unusable; `None` if it is usable.
pub(crate) fn of_result(result: &Value) -> Option<CallFailure> {
    match result.get("resultType").and_then(Value::as_str) {
        None | Some("complete") => None,
        Some("input_required") => {
            let says =
                "the tool asks for input while it runs, and a workflow has nobody to give it";
            Some(CallFailure::Refused(says.to_owned()))
        }
        // The meaning of this result type is unknown, so the tool may have been called.
        Some(other) => {
            let other: String = other.chars().take(KIND_CHARS_MAX).collect();
            let says = format!("the server gives a result of the unknown kind {other}");
            Some(CallFailure::Unknown(says))
        }
    }
}

/// The kind of the last request that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// A request in the newest revision, sent to a server that may not know it.
    Probe,
    Modern,
    Handshake,
    /// The notification that the handshake is complete.
    Ready,
    Legacy,
    /// A request for the rest of a broken stream.
    Resumption,
}

impl Sent {
    /// Returns whether the request belongs to a session.
    pub(crate) fn is_in_session(self) -> bool {
        matches!(self, Self::Legacy | Self::Resumption)
    }
}
