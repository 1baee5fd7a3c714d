//! What comes beside an answer: progress, and requests of the server's own.

use std::collections::VecDeque;

use http::Request;
use serde_json::Value;

use super::connection::Connection;
use super::message::{Progress, answer};

/// Requests of the server's own in one exchange, at most: each is answered, and each answer is one of the
/// requests that the platform lets a run make. One ping in fifteen seconds is fewer in the longest call.
const REQUESTS_MAX: u32 = 60;
/// Pieces of progress, and answers to the server's requests, that are kept until somebody takes them.
const WAITING_MAX: usize = 100;

/// What came beside an answer.
#[derive(Debug, Default)]
pub(super) struct Sidelines {
    asides: VecDeque<Request<Vec<u8>>>,
    progress: Vec<Progress>,
    requests: u32,
}

impl Sidelines {
    /// The server asks for something itself. False where it has asked too often.
    pub(super) fn note_request(
        &mut self,
        connection: &Connection,
        id: &Value,
        method: &str,
    ) -> bool {
        self.requests = self.requests.saturating_add(1);
        if self.requests > REQUESTS_MAX {
            return false;
        }
        if self.asides.len() < WAITING_MAX {
            let message = answer(id, method);
            let post = connection.post(&message, false, None, None);
            self.asides.push_back(post);
        }
        true
    }

    /// The call has come further.
    pub(super) fn note_progress(&mut self, progress: Progress) {
        if self.progress.len() < WAITING_MAX {
            self.progress.push(progress);
        }
    }

    /// An answer to a request of the server's.
    pub(super) fn aside(&mut self) -> Option<Request<Vec<u8>>> {
        self.asides.pop_front()
    }

    /// How far the call has come, the newest last.
    pub(super) fn take_progress(&mut self) -> Vec<Progress> {
        std::mem::take(&mut self.progress)
    }
}
