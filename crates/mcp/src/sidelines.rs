//! The messages beside an answer: progress, and requests that the server makes itself.

use std::collections::VecDeque;

use http::Request;
use serde_json::Value;

use crate::connection::Connection;
use crate::message::{Progress, answer};

/// The most requests that the server makes in one exchange: each is answered, and each answer is one of
/// the requests that the platform lets a run make. One ping in fifteen seconds makes fewer, also in the
/// longest call.
const REQUESTS_MAX: u32 = 60;
/// The most pieces of progress, and of answers to the server's requests, that are kept until somebody
/// takes them.
const WAITING_MAX: usize = 100;

/// The messages that came beside an answer.
#[derive(Debug, Default)]
pub(crate) struct Sidelines {
    asides: VecDeque<Request<Vec<u8>>>,
    progress: Vec<Progress>,
    requests: u32,
}

impl Sidelines {
    /// Notes a request that the server makes. Returns false where it has asked too often.
    pub(crate) fn note_request(
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

    /// Notes that the call has come further.
    pub(crate) fn note_progress(&mut self, progress: Progress) {
        if self.progress.len() < WAITING_MAX {
            self.progress.push(progress);
        }
    }

    /// Takes an answer to a request that the server made.
    pub(crate) fn aside(&mut self) -> Option<Request<Vec<u8>>> {
        self.asides.pop_front()
    }

    /// Takes how far the call has come, the newest progress last.
    pub(crate) fn take_progress(&mut self) -> Vec<Progress> {
        std::mem::take(&mut self.progress)
    }
}
