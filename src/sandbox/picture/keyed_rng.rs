//! Choices that a photo always makes the same way.

use crate::sandbox::hash::{below, hash, unit};

/// Repeatable choices: the same seed and word give the same number.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyedRng {
    seed: u64,
}

impl KeyedRng {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed }
    }

    pub(super) fn nested(self, what: &str, number: usize) -> Self {
        Self {
            seed: hash(&[self.seed.into(), what.into(), number.into()]),
        }
    }

    pub(super) fn below(self, what: &str, count: usize) -> usize {
        below(hash(&[self.seed.into(), what.into()]), count)
    }

    /// A number from `low` to `high`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a coordinate needs no 53 bits"
    )]
    pub(super) fn span(self, what: &str, low: f32, high: f32) -> f32 {
        low + (high - low) * unit(hash(&[self.seed.into(), what.into()])) as f32
    }

    pub(super) fn chance(self, what: &str, percent: usize) -> bool {
        self.below(what, 100) < percent
    }

    pub(super) fn pick<T: Copy>(self, what: &str, list: &[T], otherwise: T) -> T {
        list.get(self.below(what, list.len()))
            .copied()
            .unwrap_or(otherwise)
    }
}
