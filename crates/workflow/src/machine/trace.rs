//! The notices that the engine tells, in order and bounded.

use kernel::{Millis, Outbox};

use super::graph::Node;
use super::interface::{Notice, NoticeKind};
use super::values::value_bytes;

/// The most memory of what conditions compared that is told whole, in bytes; after that a value is told
/// whole only where it is short.
const COMPARED_BYTES_MAX: usize = 4_000_000;

/// The notices until somebody takes them. After a number of them only what matters to everybody is told,
/// since a loop may go on for very long.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    notices: Outbox<Notice>,
    told: u32,
    told_max: u32,
    /// The size of the values that conditions compared, as they were told, in bytes of memory.
    compared_bytes: usize,
    left_out: u64,
    now: Millis,
}

impl Trace {
    pub(super) fn new(told_max: u32) -> Self {
        Self {
            notices: Outbox::default(),
            told: 0,
            told_max,
            compared_bytes: 0,
            left_out: 0,
            now: Millis(0),
        }
    }

    /// Sets the time at which everything is told from here on.
    pub(super) fn advance(&mut self, now: Millis) {
        self.now = now;
    }

    /// Tells something of the whole run.
    pub(super) fn tell(&mut self, kind: NoticeKind) {
        self.add(None, kind);
    }

    /// Tells something of a node.
    pub(super) fn tell_of(&mut self, node: &Node, kind: NoticeKind) {
        self.add(Some(node), kind);
    }

    fn add(&mut self, node: Option<&Node>, kind: NoticeKind) {
        if !is_always_told(&kind) {
            if self.told >= self.told_max {
                self.left_out = self.left_out.saturating_add(1);
                if self.left_out == 1 {
                    let events = self.told;
                    self.put(None, NoticeKind::TraceBounded { events });
                }
                return;
            }
            self.told += 1;
        }
        if let NoticeKind::BranchEvaluated {
            resolved: Some((left, right, _)),
            ..
        } = &kind
        {
            let bytes = value_bytes(left).saturating_add(value_bytes(right));
            self.compared_bytes = self.compared_bytes.saturating_add(bytes);
        }
        self.put(node, kind);
    }

    /// Returns how much more of what conditions compare is told whole, in bytes of memory. A loop may
    /// compare a long value very often before anybody takes what is told.
    pub(super) fn compared_bytes_left(&self) -> usize {
        COMPARED_BYTES_MAX.saturating_sub(self.compared_bytes)
    }

    fn put(&mut self, node: Option<&Node>, kind: NoticeKind) {
        self.notices.add(Notice {
            at: self.now,
            node: node.map(|node| (node.id, node.name.clone())),
            kind,
        });
    }

    /// Returns the number of events that were counted and not told.
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
            | NoticeKind::NodeFailed { .. }
            | NoticeKind::Child { .. }
            | NoticeKind::CheckEvaluated(_)
            | NoticeKind::Remark(_)
            | NoticeKind::TraceBounded { .. }
            | NoticeKind::Ended { .. }
    )
}
