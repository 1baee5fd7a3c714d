//! Random choices that are repeatable for each photo.

use crate::hash::{below, hash, unit};

/// A random generator that draws by key. A seed and a word always yield the same number, independent of other draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyedRng {
    seed: u64,
}

impl KeyedRng {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Returns a generator whose draws are independent of this one's, for one of several similar things.
    pub(super) fn nested(self, what: &str, number: usize) -> Self {
        Self {
            seed: hash(&[self.seed.into(), what.into(), number.into()]),
        }
    }

    /// Draws a number in `0..count`; returns 0 if `count` is 0.
    pub(super) fn below(self, what: &str, count: usize) -> usize {
        below(hash(&[self.seed.into(), what.into()]), count)
    }

    /// Draws a number between `low` and `high`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a coordinate needs no 53 bits"
    )]
    pub(super) fn span(self, what: &str, low: f32, high: f32) -> f32 {
        low + (high - low) * unit(hash(&[self.seed.into(), what.into()])) as f32
    }

    /// Returns true with a probability of `percent`.
    pub(super) fn chance(self, what: &str, percent: usize) -> bool {
        self.below(what, 100) < percent
    }

    /// Draws an item of a list; returns `otherwise` if the list is empty.
    pub(super) fn pick<T: Copy>(self, what: &str, list: &[T], otherwise: T) -> T {
        list.get(self.below(what, list.len()))
            .copied()
            .unwrap_or(otherwise)
    }
}
