//! The revisions of the protocol, and the codes that they define.

/// The revision in which requests are independent and there are no sessions.
pub(super) const MODERN: &str = "2026-07-28";
/// The revisions that begin with a handshake, the newest first.
pub(super) const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// The error code for a header that contradicts the body.
pub(super) const HEADER_MISMATCH: i64 = -32_020;
/// The error code for a revision that the server does not support.
pub(super) const UNSUPPORTED_VERSION: i64 = -32_022;
/// The error code for a session that does not exist or has ended.
pub(super) const SESSION_NOT_FOUND: i64 = -32_001;
