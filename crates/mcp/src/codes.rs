//! The codes of errors.
//!
//! //= MCP 2026-07-28, basic, Error Codes

/// The body is no JSON.
pub const PARSE_ERROR: i64 = -32_700;
/// The body is no message of the protocol.
pub const INVALID_REQUEST: i64 = -32_600;
/// There is no such method.
pub const METHOD_NOT_FOUND: i64 = -32_601;
/// The method's parameters are not those that it takes.
pub const INVALID_PARAMS: i64 = -32_602;
/// The server failed.
pub const INTERNAL_ERROR: i64 = -32_603;
/// A header says something else than the body, or is missing.
pub const HEADER_MISMATCH: i64 = -32_020;
/// The client cannot do what the server needs.
pub(crate) const MISSING_CAPABILITY: i64 = -32_021;
/// The server does not speak this revision.
pub const UNSUPPORTED_VERSION: i64 = -32_022;
