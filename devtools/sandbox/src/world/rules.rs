//! The rules of the recogniser's sight, fixed so that figures measured on one world compare.

/// The rules that decide how well the recogniser sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The probability that a face is missed.
    pub miss: f64,
    /// The probability that a recognised face gets a confidence below 80.
    pub weak: f64,
    /// The probability that a photo is a collage with people whom its own people never met.
    pub traps: f64,
    /// The probability that a face is recognised as somebody else's, with a confidence of 80 to 95.
    pub lookalikes: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            miss: 0.15,
            weak: 0.0,
            traps: 0.0,
            lookalikes: 0.0,
        }
    }
}

impl From<f64> for Rules {
    /// Makes the default rules with another probability of missing a face.
    fn from(miss: f64) -> Self {
        Self {
            miss,
            ..Self::default()
        }
    }
}
