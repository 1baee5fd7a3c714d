//! Why something that was asked of a server gave nothing.

use std::fmt;

/// Why something that was asked of a server gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallFailure {
    /// The server has refused it, in its own words. It was not done.
    Refused(String),
    /// The server cannot be spoken to like this, whoever asks; its operator has to look.
    Unusable(String),
    /// Asked too often; it was not done.
    Busy {
        /// How long to wait, in milliseconds, where the server says so.
        after_ms: Option<u64>,
    },
    /// It was not done, as far as it could be: a list, or a handshake, gave nothing.
    Down(String),
    /// It was sent, and nobody knows what came of it.
    Unknown(String),
}

impl fmt::Display for CallFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(says) | Self::Unusable(says) | Self::Down(says) | Self::Unknown(says) => {
                formatter.write_str(says)
            }
            Self::Busy { .. } => formatter.write_str("the server is asked too often"),
        }
    }
}
