//! The body of an answer, which arrives in chunks of any size: one message, or a stream of server-sent events.

use http::{HeaderMap, StatusCode};
use json::weight;
use serde_json::Value;

use crate::message::{Incoming, RpcError};

/// The longest message or event in an answer, in bytes.
pub const ANSWER_BYTES_MAX: usize = 8_000_000;
/// The most bytes that a server may send in one exchange, since a stream may have many events, and a list many pages.
pub const EXCHANGE_BYTES_MAX: usize = 4 * ANSWER_BYTES_MAX;
/// The most memory that a parsed message may take, in bytes.
const MESSAGE_WEIGHT_MAX: usize = 30_000_000;
/// The longest stored event id, in bytes.
const ID_BYTES_MAX: usize = 1_024;

/// The reader of an answer's body. The variant depends on what the body contains.
#[derive(Debug)]
pub(crate) enum AnswerBody {
    /// The body is ignored.
    None,
    Json {
        body: Vec<u8>,
        /// The length that the headers announce, in bytes; 0 if they announce none.
        promised_bytes: usize,
    },
    Events {
        reader: SseReader,
        promised_bytes: usize,
    },
    Refusal(Refusal),
}

/// An error response of the HTTP transport.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) after_ms: Option<u64>,
    body: Vec<u8>,
}

impl AnswerBody {
    /// Makes the reader for the body of an error response that has these headers.
    pub(crate) fn refusal(status: StatusCode, headers: &HeaderMap) -> Self {
        let after_s = text(headers, "retry-after").trim().parse::<u64>().ok();
        Self::Refusal(Refusal {
            status,
            after_ms: after_s.map(|seconds| seconds.saturating_mul(1_000)),
            body: Vec::new(),
        })
    }

    /// Makes the reader for the body of an answer that has these headers; `None` if the body's type cannot carry
    /// messages.
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

    /// Takes the next chunk of the body. Returns the messages that the chunk completes, and the id of the last event.
    /// Fails with a sentence that states what is wrong with the body.
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
                let told = events
                    .iter()
                    .flat_map(|event| messages(event.data.as_bytes()));
                return Ok((told.collect(), reader.last_event_id().map(str::to_owned)));
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
    /// Returns the error that the server sent in the body, if there is one.
    pub(crate) fn error(&self) -> Option<RpcError> {
        let mut messages = messages(&self.body).into_iter();
        messages.find_map(|message| match message {
            Incoming::Error { error, .. } => Some(error),
            _ => None,
        })
    }
}

/// Returns the text of a header, or an empty text if it is absent or not text.
fn text<'headers>(headers: &'headers HeaderMap, name: &str) -> &'headers str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// Returns the sentence for viewers about an answer that has at least this many bytes.
fn too_long(bytes: usize) -> String {
    // Base64 encodes three bytes in four characters, so an image must be smaller than the answer.
    let picture_mb = ANSWER_BYTES_MAX / 4 * 3 / 1_000_000;
    format!(
        "its answer has {bytes} bytes or more, and may have {ANSWER_BYTES_MAX} bytes, which a picture of \
         {picture_mb} MB takes"
    )
}

/// Checks that a parsed message stays within the memory limit.
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

/// Parses the messages in a text; returns none if the parsed text would exceed the memory limit.
pub(crate) fn messages(json: &[u8]) -> Vec<Incoming> {
    if weight(json) > MESSAGE_WEIGHT_MAX {
        return Vec::new();
    }
    let json: Option<Value> = serde_json::from_slice(json).ok();
    json.iter().flat_map(Incoming::read_all).collect()
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SseEvent {
    /// The event's id. If it has none, the last id that the stream has set.
    pub id: Option<String>,
    /// The event's data, with its lines joined by line feeds. It is empty if the event only sets the stream's id.
    pub data: String,
}

/// A parser of an event stream, which also remembers what is needed to request the stream again if it breaks.
///
/// //= WHATWG HTML, 9.2.6 Interpreting an event stream
#[derive(Debug, Clone, Default)]
pub struct SseReader {
    /// The bytes of an incomplete line.
    line: Vec<u8>,
    /// Whether the last byte was a carriage return. A line feed right after it belongs to the same end of line.
    is_after_return: bool,
    is_begun: bool,
    data: Vec<u8>,
    has_fields: bool,
    id: Option<String>,
    retry_ms: Option<u64>,
    bytes_max: usize,
}

/// The error for an event that exceeds its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl SseReader {
    /// Makes a parser that accepts this many bytes in one event.
    #[must_use]
    pub fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            ..Self::default()
        }
    }

    /// Returns the id of the last event that had one, from which the stream can be resumed.
    #[must_use]
    pub fn last_event_id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the delay before the stream is requested again, in milliseconds; `None` if the stream has not set one.
    #[must_use]
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// Takes the next bytes, and returns the events that they complete.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, TooLong> {
        let mut events = Vec::new();
        for byte in bytes {
            let is_second = std::mem::replace(&mut self.is_after_return, *byte == b'\r');
            match byte {
                b'\n' if is_second => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                byte => {
                    if self.line.len() + self.data.len() >= self.bytes_max {
                        return Err(TooLong);
                    }
                    self.line.push(*byte);
                }
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let bytes = std::mem::take(&mut self.line);
        let mut line = bytes.as_slice();
        if !std::mem::replace(&mut self.is_begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(at) => line.split_at(at),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b":").unwrap_or(value);
        self.field(field, value.strip_prefix(b" ").unwrap_or(value));
        None
    }

    fn field(&mut self, field: &[u8], value: &[u8]) {
        match field {
            b"data" => {
                self.has_fields = true;
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"id" if value.len() <= ID_BYTES_MAX && !value.contains(&0) => {
                self.has_fields = true;
                let id = String::from_utf8_lossy(value).into_owned();
                self.id = Some(id).filter(|id| !id.is_empty());
            }
            b"retry" => {
                let text = std::str::from_utf8(value).ok();
                let digits = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                self.retry_ms = digits.and_then(|text| text.parse().ok()).or(self.retry_ms);
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        let mut data = std::mem::take(&mut self.data);
        data.pop();
        std::mem::take(&mut self.has_fields).then(|| SseEvent {
            id: self.id.clone(),
            data: String::from_utf8_lossy(&data).into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: Option<&str>, data: &str) -> SseEvent {
        SseEvent {
            id: id.map(str::to_owned),
            data: data.to_owned(),
        }
    }

    #[test]
    fn events_are_the_same_in_pieces_of_any_size() {
        let stream = "\u{feff}: hello\r\nid: 1\r\ndata:\r\nretry: 500\r\n\r\nevent: message\rdata: a\rdata:b\r\rid: 2\ndata: {\"x\": \"é\"}\n\nretry: soon\n\ndata: cut";
        let expected = [
            event(Some("1"), ""),
            event(Some("1"), "a\nb"),
            event(Some("2"), "{\"x\": \"é\"}"),
        ];
        for size in [1, 2, 3, 7, stream.len()] {
            let mut reader = SseReader::new(1_000);
            let mut events = Vec::new();
            for piece in stream.as_bytes().chunks(size) {
                events.extend(reader.take(piece).unwrap());
            }
            assert_eq!(events, expected, "pieces of {size}");
            assert_eq!(reader.retry_ms(), Some(500));
            assert_eq!(reader.last_event_id(), Some("2"));
        }
    }

    #[test]
    fn an_event_is_bounded() {
        let mut reader = SseReader::new(10);
        assert_eq!(reader.take(b"data: 12345678"), Err(TooLong));
        let mut reader = SseReader::new(10);
        assert!(reader.take(b"data: 1\n\ndata: 2\n\n").is_ok());
    }
}
