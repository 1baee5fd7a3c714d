//! The rules of recognition, fixed so that measurements on one world are comparable.

/// How well the recogniser sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The probability that a face is missed.
    pub miss: f64,
    /// The probability that a recognised face gets a confidence below 80.
    pub weak: f64,
    /// The probability that a photo is a collage with strangers.
    pub traps: f64,
    /// The probability that a face is mistaken for somebody else's, with a confidence of 80 to 95.
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
