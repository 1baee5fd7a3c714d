//! The body of an answer, in pieces: one message, or a stream of them.

use http::StatusCode;
use serde_json::Value;

use crate::json::{self, weight};

use super::message::{Incoming, RpcError};
use super::sse::SseReader;

/// The longest answer, in bytes.
pub const ANSWER_BYTES_MAX: usize = 8_000_000;
/// The most that a server may send in one exchange, in bytes: a stream may have many events, and a list
/// many pages.
pub const EXCHANGE_BYTES_MAX: usize = 4 * ANSWER_BYTES_MAX;
/// The most memory that one message takes once it is read, in bytes.
const MESSAGE_WEIGHT_MAX: usize = 30_000_000;

/// The body of an answer, by how it is read.
#[derive(Debug)]
pub(super) enum AnswerBody {
    /// The body is not read.
    None,
    Json(Vec<u8>),
    Events(SseReader),
    Refusal(Refusal),
}

/// A refusal of the transport.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) after_ms: Option<u64>,
    body: Vec<u8>,
}

impl AnswerBody {
    /// Returns the body of a refusal.
    pub(super) fn refusal(status: StatusCode, after_ms: Option<u64>) -> Self {
        Self::Refusal(Refusal {
            status,
            after_ms,
            body: Vec::new(),
        })
    }

    /// Returns the body of an answer of this type. Returns `None` where no message can come of the
    /// type.
    pub(super) fn of_type(content_type: &str) -> Option<Self> {
        let kind = content_type.to_ascii_lowercase();
        if kind.starts_with("text/event-stream") {
            return Some(Self::Events(SseReader::new(ANSWER_BYTES_MAX)));
        }
        let is_json = kind.starts_with("application/json");
        is_json.then(|| Self::Json(Vec::new()))
    }

    /// Takes more of the body. Returns the messages that came with it, and the last event's id.
    pub(super) fn take(
        &mut self,
        bytes: &[u8],
    ) -> Result<(Vec<Incoming>, Option<String>), &'static str> {
        let body = match self {
            Self::None => return Ok((Vec::new(), None)),
            Self::Json(body) => body,
            Self::Refusal(refusal) => &mut refusal.body,
            Self::Events(reader) => {
                let events = reader.take(bytes);
                let events = events.map_err(|_too_long| "an event of its answer is too long")?;
                let is_heavy = |data: &str| weight(data.as_bytes()) > MESSAGE_WEIGHT_MAX;
                if events.iter().any(|event| is_heavy(&event.data)) {
                    return Err("an event of its answer takes too much memory");
                }
                let messages = events
                    .iter()
                    .flat_map(|event| messages(event.data.as_bytes()));
                let messages = messages.collect();
                return Ok((messages, reader.last_event_id().map(str::to_owned)));
            }
        };
        if body.len() + bytes.len() > ANSWER_BYTES_MAX {
            return Err("its answer is too long");
        }
        body.extend_from_slice(bytes);
        Ok((Vec::new(), None))
    }
}

impl Refusal {
    /// Returns what the server says of the refusal.
    pub(super) fn error(&self) -> Option<RpcError> {
        let mut messages = messages(&self.body).into_iter();
        messages.find_map(|message| match message {
            Incoming::Error { error, .. } => Some(error),
            _ => None,
        })
    }
}

/// Returns the messages in a text, or no message where the text would take too much memory.
pub(super) fn messages(json: &[u8]) -> Vec<Incoming> {
    if weight(json) > MESSAGE_WEIGHT_MAX {
        return Vec::new();
    }
    let json: Option<Value> = json::read(json);
    json.iter().flat_map(Incoming::read_all).collect()
}
