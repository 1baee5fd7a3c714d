//! The notes that were written down of one exchange.

use std::cell::{Cell, RefCell};

/// The shortest time between two notes of how far an answer has come, in milliseconds.
const NOTING_MS: u64 = 1_000;

/// The notes that were written down of one exchange.
pub(super) struct Noting {
    pub(super) request: Cell<u64>,
    pub(super) is_begun: Cell<bool>,
    heard: RefCell<String>,
    heard_ms: Cell<Option<u64>>,
}

impl Noting {
    /// Returns the notes of an exchange. A call that is taken up was begun by another process,
    /// under this number.
    pub(super) fn new(request: u64) -> Self {
        Self {
            request: Cell::new(request),
            is_begun: Cell::new(false),
            heard: RefCell::default(),
            heard_ms: Cell::new(None),
        }
    }

    /// Returns whether an event is to be noted: it is another one than before, and comes not too
    /// soon after it.
    pub(super) fn is_new(&self, event: &str, now_ms: u64) -> bool {
        let is_soon = self
            .heard_ms
            .get()
            .is_some_and(|before| now_ms < before + NOTING_MS);
        if is_soon || *self.heard.borrow() == event {
            return false;
        }
        self.heard_ms.set(Some(now_ms));
        event.clone_into(&mut self.heard.borrow_mut());
        true
    }
}
