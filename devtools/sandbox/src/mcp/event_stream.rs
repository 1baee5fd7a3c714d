//! An answer as server-sent events.

use http::header::CACHE_CONTROL;

use crate::providers::{BodyEnding, Chunk, Reply, ReplyBody};

use super::entrance::EVENTS;

/// How long a client should wait before it resumes a broken stream, in milliseconds.
const RETRY_MS: u64 = 200;
/// The number of comments in a flood, each of 1.1 megabytes.
const FLOOD_COMMENTS: u32 = 37;

/// A reply of server-sent events that is being built.
#[derive(Debug, Default)]
pub(super) struct EventStream {
    chunks: Vec<Chunk>,
}

impl EventStream {
    fn send(&mut self, pause_ms: u64, text: String) {
        let bytes = text.into_bytes();
        self.chunks.push(Chunk { pause_ms, bytes });
    }

    /// Adds an event with a message. It is sent after this pause.
    pub(super) fn event(&mut self, pause_ms: u64, id: Option<&str>, data: &str) {
        let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
        self.send(pause_ms, format!("event: message\n{id}data: {data}\n\n"));
    }

    /// Adds an event without data. A client can resume the stream with the event's id.
    pub(super) fn priming(&mut self, id: &str) {
        self.send(0, format!("id: {id}\nretry: {RETRY_MS}\ndata: \n\n"));
    }

    /// Adds a comment, which only keeps the connection open.
    pub(super) fn comment(&mut self) {
        self.send(0, ": still here\n\n".to_owned());
    }

    /// Adds forty megabytes of comments.
    pub(super) fn flood(&mut self) {
        let comment = format!(": {}\n\n", "still here ".repeat(100_000));
        for _ in 0..FLOOD_COMMENTS {
            self.send(0, comment.clone());
        }
    }

    /// Adds the first half of an event, as if the stream had been cut off.
    pub(super) fn half_event(&mut self, data: &str) {
        let half: String = data.chars().take(data.chars().count() / 2).collect();
        self.send(0, format!("event: message\ndata: {half}"));
    }

    /// Adds a silence of this many milliseconds.
    pub(super) fn silence(&mut self, pause_ms: u64) {
        self.send(pause_ms, String::new());
    }

    /// Returns the whole stream as a reply.
    pub(super) fn reply(self) -> Reply {
        self.ending(BodyEnding::Complete)
    }

    /// Returns the stream as a reply whose connection breaks after its last event.
    pub(super) fn broken_off(self) -> Reply {
        self.ending(BodyEnding::BrokenOff)
    }

    fn ending(self, ending: BodyEnding) -> Reply {
        let chunks = self.chunks;
        Reply::without_length(200, EVENTS, ReplyBody::Pieces { chunks, ending })
            .with(CACHE_CONTROL, "no-cache, no-transform")
            .with_named("x-accel-buffering", "no")
    }
}
