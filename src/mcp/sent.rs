//! What was sent to a server last.

/// What was sent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// A request of the newest revision, to a server that may not know it.
    Probe,
    Modern,
    Handshake,
    /// That the handshake is over.
    Ready,
    Legacy,
    /// For what came after an event.
    Resumption,
}

impl Sent {
    /// Whether it belongs to a session.
    pub(super) fn is_in_session(self) -> bool {
        matches!(self, Self::Legacy | Self::Resumption)
    }
}
