//! The revisions of the protocol.

/// The newest revision: everything that a request needs is in the request.
pub const MODERN: &str = "2026-07-28";

/// The revisions that begin with a handshake, the newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The era of a revision, which says how a server is spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Era {
    /// Requests stand for themselves.
    Modern,
    /// A handshake comes first, and requests belong to a session.
    Legacy,
}

impl Era {
    /// Returns the era of a revision. Returns `None` for a revision that this program does not
    /// know.
    #[must_use]
    pub fn of(version: &str) -> Option<Self> {
        if version == MODERN {
            return Some(Self::Modern);
        }
        LEGACY.contains(&version).then_some(Self::Legacy)
    }
}
