//! The request that was sent to a server last.

/// The request that was sent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// A request of the newest revision, to a server that may not know it.
    Probe,
    Modern,
    Handshake,
    /// The notification that the handshake is over.
    Ready,
    Legacy,
    /// A request for what came after an event.
    Resumption,
}

impl Sent {
    /// Returns whether the request belongs to a session.
    pub(crate) fn is_in_session(self) -> bool {
        matches!(self, Self::Legacy | Self::Resumption)
    }
}
