//! The rules of recognition. They are fixed for a measurement, so that measurements of one world can be compared.

/// How well the recogniser sees, in probabilities from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The probability that a face is missed.
    pub miss: f64,
    /// The probability that a recognised face gets a confidence below 80.
    pub weak: f64,
    /// The probability that a photo is a trap, which shows people together who never met.
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
    /// Makes the default rules with this probability of missing a face.
    fn from(miss: f64) -> Self {
        Self {
            miss,
            ..Self::default()
        }
    }
}
