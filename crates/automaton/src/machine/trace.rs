//! The notices that the engine tells, in order and bounded.

use kernel::{Millis, Outbox};

use super::interface::{Notice, NoticeKind};

/// The notices until somebody takes them. After a number of them only what matters to everybody is told,
/// since a run may go on for very long.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    notices: Outbox<Notice>,
    told: u32,
    told_max: u32,
    left_out: u64,
    now: Millis,
}

impl Trace {
    pub(super) fn new(told_max: u32) -> Self {
        Self {
            notices: Outbox::default(),
            told: 0,
            told_max,
            left_out: 0,
            now: Millis(0),
        }
    }

    /// Sets the time at which everything is told from here on.
    pub(super) fn advance(&mut self, now: Millis) {
        self.now = now;
    }

    pub(super) fn tell(&mut self, kind: NoticeKind) {
        if !is_always_told(&kind) {
            if self.told >= self.told_max {
                self.left_out = self.left_out.saturating_add(1);
                if self.left_out == 1 {
                    let notices = self.told;
                    self.put(NoticeKind::Bounded { notices });
                }
                return;
            }
            self.told += 1;
        }
        self.put(kind);
    }

    /// Tells a surprise, of a state if it is one.
    pub(super) fn warn(&mut self, state: Option<usize>, message: impl Into<String>) {
        let message = message.into();
        self.tell(NoticeKind::Warning { state, message });
    }

    fn put(&mut self, kind: NoticeKind) {
        let at = self.now;
        self.notices.add(Notice { at, kind });
    }

    /// Returns the number of notices that were counted and not told.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    pub(super) fn next(&mut self) -> Option<Notice> {
        self.notices.take_next()
    }
}

fn is_always_told(kind: &NoticeKind) -> bool {
    matches!(
        kind,
        NoticeKind::Started { .. }
            | NoticeKind::ActionFailed { .. }
            | NoticeKind::Recovering { .. }
            | NoticeKind::Making { .. }
            | NoticeKind::StateMade { .. }
            | NoticeKind::StateDropped
            | NoticeKind::StateChanged { .. }
            | NoticeKind::StateKept { .. }
            | NoticeKind::Remark(_)
            | NoticeKind::Bounded { .. }
            | NoticeKind::Ended { .. }
    )
}
