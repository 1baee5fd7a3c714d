//! Random choices that are the same every time a photo is drawn.

use crate::hash::{below, hash, unit};

/// A generator that draws by key: the same seed and word always give the same number, whatever was
/// drawn before.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyedRng {
    seed: u64,
}

impl KeyedRng {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Returns a generator for one of several things of the same kind.
    pub(super) fn nested(self, what: &str, number: usize) -> Self {
        Self {
            seed: hash(&[self.seed.into(), what.into(), number.into()]),
        }
    }

    /// Draws a number in `0..count`; returns 0 where `count` is 0.
    pub(super) fn below(self, what: &str, count: usize) -> usize {
        below(hash(&[self.seed.into(), what.into()]), count)
    }

    /// Draws a number from `low` to `high`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a coordinate needs no 53 bits"
    )]
    pub(super) fn span(self, what: &str, low: f32, high: f32) -> f32 {
        low + (high - low) * unit(hash(&[self.seed.into(), what.into()])) as f32
    }

    /// Returns true in `percent` of a hundred cases.
    pub(super) fn chance(self, what: &str, percent: usize) -> bool {
        self.below(what, 100) < percent
    }

    /// Draws one item of the list; returns `otherwise` where the list is empty.
    pub(super) fn pick<T: Copy>(self, what: &str, list: &[T], otherwise: T) -> T {
        list.get(self.below(what, list.len()))
            .copied()
            .unwrap_or(otherwise)
    }
}
