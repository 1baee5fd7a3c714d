//! Replies as values: a head, a body in one or more pieces, and the pauses before them.

use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use serde_json::Value;

/// An HTTP response, and the delay before it.
#[derive(Debug)]
pub struct Reply {
    /// The status, the headers and the body.
    pub response: Response<ReplyBody>,
    /// The milliseconds until the first byte.
    pub latency_ms: u64,
}

/// The bytes of a reply, and how they are sent. The head states the `Content-Length`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyBody {
    /// A body sent at once.
    Whole(Vec<u8>),
    /// A body sent with pauses.
    Pieces {
        /// The pieces in the order of sending.
        chunks: Vec<Chunk>,
        /// What happens after the last piece.
        ending: BodyEnding,
    },
}

/// A piece of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The silence before this piece, in milliseconds.
    pub pause_ms: u64,
    /// The bytes of this piece.
    pub bytes: Vec<u8>,
}

/// How a body in pieces ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnding {
    /// The body is complete.
    Complete,
    /// The connection breaks before the body is complete.
    BrokenOff,
}

impl ReplyBody {
    /// Returns the bytes of all pieces together.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Whole(bytes) => bytes.clone(),
            Self::Pieces { chunks, .. } => chunks
                .iter()
                .flat_map(|chunk| chunk.bytes.iter().copied())
                .collect(),
        }
    }

    /// Returns the sum of the pauses before the pieces, in milliseconds.
    #[must_use]
    pub fn pauses_ms(&self) -> u64 {
        match self {
            Self::Whole(_) => 0,
            Self::Pieces { chunks, .. } => chunks.iter().map(|chunk| chunk.pause_ms).sum(),
        }
    }
}

impl Reply {
    /// Makes a reply in one piece, whose head states its length.
    pub(crate) fn new(status: u16, content_type: &str, bytes: Vec<u8>) -> Self {
        let length = bytes.len();
        Self::without_length(status, content_type, ReplyBody::Whole(bytes))
            .with(CONTENT_LENGTH, &length.to_string())
    }

    pub(crate) fn without_length(status: u16, content_type: &str, body: ReplyBody) -> Self {
        let mut response = Response::new(body);
        *response.status_mut() =
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self {
            response,
            latency_ms: 0,
        }
        .with(CONTENT_TYPE, content_type)
    }

    /// Makes a reply with JSON, indented as Google's is.
    pub(crate) fn pretty(status: u16, value: &Value) -> Self {
        let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
        Self::new(status, "application/json; charset=UTF-8", text.into_bytes())
    }

    pub(crate) fn json(status: u16, value: &Value) -> Self {
        Self::new(status, "application/json", value.to_string().into_bytes())
    }

    pub(crate) fn html(status: u16, text: &str) -> Self {
        Self::new(status, "text/html; charset=UTF-8", text.as_bytes().to_vec())
    }

    pub(crate) fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.response.headers_mut().insert(name, value);
        }
        self
    }

    pub(crate) fn with_named(self, name: &'static str, value: &str) -> Self {
        self.with(HeaderName::from_static(name), value)
    }

    pub(crate) fn later(mut self, delay_ms: u64) -> Self {
        self.latency_ms = self.latency_ms.saturating_add(delay_ms);
        self
    }

    /// Keeps the head and the first half of the body, after which the connection breaks.
    pub(crate) fn broken_off(mut self) -> Self {
        let mut bytes = self.response.body().bytes();
        bytes.truncate(bytes.len() / 2);
        *self.response.body_mut() = ReplyBody::Pieces {
            chunks: vec![Chunk { pause_ms: 0, bytes }],
            ending: BodyEnding::BrokenOff,
        };
        self
    }

    /// Splits the body into pieces with a pause before each. The body stays complete.
    pub(crate) fn dripping(mut self, drops: usize, pause_ms: u64) -> Self {
        let bytes = self.response.body().bytes();
        let size = bytes.len().div_ceil(drops.max(1)).max(1);
        let chunks = bytes
            .chunks(size)
            .map(|part| Chunk {
                pause_ms,
                bytes: part.to_vec(),
            })
            .collect();
        *self.response.body_mut() = ReplyBody::Pieces {
            chunks,
            ending: BodyEnding::Complete,
        };
        self
    }

    /// Removes the body, as the response to `HEAD` requires.
    pub(crate) fn head_only(mut self) -> Self {
        *self.response.body_mut() = ReplyBody::Whole(Vec::new());
        self
    }

    /// Returns whether the head announces more bytes than the body sends.
    #[must_use]
    pub fn is_short(&self) -> bool {
        let claimed = self.response.headers().get(CONTENT_LENGTH);
        let claimed = claimed.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        let sent = match self.response.body() {
            ReplyBody::Whole(bytes) => bytes.len(),
            ReplyBody::Pieces { chunks, .. } => chunks.iter().map(|chunk| chunk.bytes.len()).sum(),
        };
        claimed.is_some_and(|claimed| claimed > sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_body_claims_more_than_it_sends() {
        let reply = Reply::new(200, "text/plain", b"0123456789".to_vec()).broken_off();
        assert_eq!(reply.response.headers()[CONTENT_LENGTH], "10");
        assert_eq!(reply.response.body().bytes(), b"01234");
    }

    #[test]
    fn drops_add_up() {
        let reply = Reply::new(200, "text/plain", vec![7; 100]).dripping(8, 250);
        assert_eq!(reply.response.body().bytes(), vec![7; 100]);
        assert_eq!(reply.response.body().pauses_ms(), 2_000);
    }
}
