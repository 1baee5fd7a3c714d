//! The certainty of the recogniser that a face is a certain person.

use std::cmp::Ordering;

/// A match confidence, 0 to 100 as the recogniser gave it. Totally ordered; never NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence(f64);

impl Confidence {
    /// The least confidence there is.
    pub const ZERO: Self = Self(0.0);

    /// Reads a number off the wire: outside 0..=100 it is cut to the range, NaN is 0.
    #[must_use]
    pub fn clamped(percent: f64) -> Self {
        if percent.is_nan() {
            Self::ZERO
        } else {
            Self(percent.clamp(0.0, 100.0))
        }
    }

    /// Returns the confidence in percent, 0 to 100.
    #[must_use]
    pub fn percent(self) -> f64 {
        self.0
    }

    /// Returns the confidence as a probability, 0 to 1.
    #[must_use]
    pub fn fraction(self) -> f64 {
        self.0 / 100.0
    }
}

impl Eq for Confidence {}

impl PartialOrd for Confidence {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Confidence {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_range_are_cut() {
        assert_eq!(Confidence::clamped(-1.0).percent(), 0.0);
        assert_eq!(Confidence::clamped(250.0).percent(), 100.0);
        assert_eq!(Confidence::clamped(f64::NAN), Confidence::ZERO);
        assert!(Confidence::clamped(79.999) < Confidence::clamped(80.0));
    }
}
