//! The revisions of the protocol.

/// The newest revision: everything that a request needs is in the request.
pub const MODERN: &str = "2026-07-28";

/// The revisions that begin with a handshake, the newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// How a server is spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Era {
    /// By requests that stand for themselves.
    Modern,
    /// By a handshake, and requests of a session.
    Legacy,
}

impl Era {
    /// The era of a revision; none of one that this program does not know.
    #[must_use]
    pub fn of(version: &str) -> Option<Self> {
        if version == MODERN {
            return Some(Self::Modern);
        }
        LEGACY.contains(&version).then_some(Self::Legacy)
    }
}
