//! The revisions of the protocol, and the codes that they define.

/// The revision whose requests stand for themselves.
pub(super) const MODERN: &str = "2026-07-28";
/// The revisions that begin with a handshake, the newest first.
pub(super) const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// What a header says is not what the body says.
pub(super) const HEADER_MISMATCH: i64 = -32_020;
/// The revision is none that the server speaks.
pub(super) const UNSUPPORTED_VERSION: i64 = -32_022;
/// There is no such session (any more).
pub(super) const SESSION_NOT_FOUND: i64 = -32_001;
