//! The body of an answer, in pieces: one message, or a stream of them.

use http::{HeaderMap, StatusCode};
use serde_json::Value;

use json::weight;

use crate::message::{Incoming, RpcError};
use crate::sse::SseReader;

/// The longest answer, in bytes.
pub const ANSWER_BYTES_MAX: usize = 8_000_000;
/// The most that a server may send in one exchange, in bytes: a stream may have many events, and a list
/// many pages.
pub const EXCHANGE_BYTES_MAX: usize = 4 * ANSWER_BYTES_MAX;
/// The most memory that one message takes once it is read, in bytes.
const MESSAGE_WEIGHT_MAX: usize = 30_000_000;

/// The body of an answer, by how it is read.
#[derive(Debug)]
pub(crate) enum AnswerBody {
    /// The body is not read.
    None,
    Json {
        body: Vec<u8>,
        /// The length that the server promised, in bytes; 0 where it promised none.
        promised_bytes: usize,
    },
    Events {
        reader: SseReader,
        promised_bytes: usize,
    },
    Refusal(Refusal),
}

/// A refusal of the transport.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) after_ms: Option<u64>,
    body: Vec<u8>,
}

impl AnswerBody {
    /// Returns the body of a refusal with these headers.
    pub(crate) fn refusal(status: StatusCode, headers: &HeaderMap) -> Self {
        let after_s = text(headers, "retry-after").trim().parse::<u64>().ok();
        Self::Refusal(Refusal {
            status,
            after_ms: after_s.map(|seconds| seconds.saturating_mul(1_000)),
            body: Vec::new(),
        })
    }

    /// Returns the body of an answer with these headers. Returns `None` where no message can come of
    /// its type.
    pub(crate) fn of_answer(headers: &HeaderMap) -> Option<Self> {
        let kind = text(headers, "content-type").to_ascii_lowercase();
        let promised_bytes = text(headers, "content-length").parse().unwrap_or_default();
        if kind.starts_with("text/event-stream") {
            return Some(Self::Events {
                reader: SseReader::new(ANSWER_BYTES_MAX),
                promised_bytes,
            });
        }
        let is_json = kind.starts_with("application/json");
        is_json.then(|| Self::Json {
            body: Vec::new(),
            promised_bytes,
        })
    }

    /// Takes more of the body. Returns the messages that came with it, and the last event's id. Fails
    /// with what is wrong with the body, in words.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(Vec<Incoming>, Option<String>), String> {
        let (body, promised_bytes) = match self {
            Self::None => return Ok((Vec::new(), None)),
            Self::Json {
                body,
                promised_bytes,
            } => (body, *promised_bytes),
            Self::Refusal(refusal) => (&mut refusal.body, 0),
            Self::Events {
                reader,
                promised_bytes,
            } => {
                let events = reader.take(bytes);
                let least = (*promised_bytes).max(ANSWER_BYTES_MAX + 1);
                let events = events.map_err(|_too_long| too_long(least))?;
                for event in &events {
                    check_weight(event.data.as_bytes())?;
                }
                let messages = events
                    .iter()
                    .flat_map(|event| messages(event.data.as_bytes()));
                let messages = messages.collect();
                return Ok((messages, reader.last_event_id().map(str::to_owned)));
            }
        };
        let came = body.len() + bytes.len();
        if came > ANSWER_BYTES_MAX {
            return Err(too_long(promised_bytes.max(came)));
        }
        body.extend_from_slice(bytes);
        Ok((Vec::new(), None))
    }
}

impl Refusal {
    /// Returns what the server says of the refusal.
    pub(crate) fn error(&self) -> Option<RpcError> {
        let mut messages = messages(&self.body).into_iter();
        messages.find_map(|message| match message {
            Incoming::Error { error, .. } => Some(error),
            _ => None,
        })
    }
}

/// Returns the text of a header, empty where there is none.
fn text<'headers>(headers: &'headers HeaderMap, name: &str) -> &'headers str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// Returns what is told of an answer of so many bytes, or more.
fn too_long(bytes: usize) -> String {
    // Base64 writes three bytes in four letters.
    let picture_mb = ANSWER_BYTES_MAX / 4 * 3 / 1_000_000;
    format!(
        "its answer has {bytes} bytes or more, and may have {ANSWER_BYTES_MAX} bytes, which a picture of \
         {picture_mb} MB takes"
    )
}

/// Checks that a message takes no more memory than it may.
pub(crate) fn check_weight(json: &[u8]) -> Result<(), String> {
    let weight = weight(json);
    if weight <= MESSAGE_WEIGHT_MAX {
        return Ok(());
    }
    Err(format!(
        "its answer has too many small values: they take {weight} bytes of memory, and \
         {MESSAGE_WEIGHT_MAX} may be"
    ))
}

/// Returns the messages in a text, or no message where the text would take too much memory.
pub(crate) fn messages(json: &[u8]) -> Vec<Incoming> {
    if weight(json) > MESSAGE_WEIGHT_MAX {
        return Vec::new();
    }
    let json: Option<Value> = serde_json::from_slice(json).ok();
    json.iter().flat_map(Incoming::read_all).collect()
}
