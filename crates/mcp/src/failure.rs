//! The failures of what was asked of a server.

use std::fmt;

/// The reason why a request to a server gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallFailure {
    /// The server has refused the request, in its own words. It was not done.
    Refused(String),
    /// The server cannot be spoken to like this by anybody; its operator has to look.
    Unusable(String),
    /// The server was asked too often, and the request was not done.
    Busy {
        /// The time to wait, in milliseconds, where the server says so.
        after_ms: Option<u64>,
    },
    /// The request was not done, as far as it could be: a list, or a handshake, gave nothing.
    Down(String),
    /// The request was sent, and nobody knows what came of it.
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
