//! Random draws that are equal on every target, independent of the width of `usize`.

use std::ops::RangeBounds;

use fastrand::Rng;

/// A generator that only depends on its seed and its previous draws.
#[derive(Debug, Clone)]
pub(super) struct SeededRng(Rng);

impl SeededRng {
    pub(super) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Returns true in `share` of 256 cases.
    pub(super) fn happens(&mut self, share: u32) -> bool {
        u32::from(self.0.u8(..)) < share
    }

    pub(super) fn is_heads(&mut self) -> bool {
        self.0.bool()
    }

    pub(super) fn number(&mut self, range: impl RangeBounds<u32>) -> u32 {
        self.0.u32(range)
    }

    pub(super) fn long(&mut self, range: impl RangeBounds<u64>) -> u64 {
        self.0.u64(range)
    }

    pub(super) fn count(&mut self, range: impl RangeBounds<u32>) -> usize {
        usize::try_from(self.0.u32(range)).unwrap_or(usize::MAX)
    }

    /// Draws an item of a list, or `None` if it is empty.
    pub(super) fn one_of<'list, T>(&mut self, list: &'list [T]) -> Option<&'list T> {
        let length = u32::try_from(list.len()).unwrap_or(u32::MAX);
        if length == 0 {
            return None;
        }
        list.get(self.count(0..length))
    }
}
