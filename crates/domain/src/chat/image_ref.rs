//! Bytes that are kept beside the run.

use crate::Sha256Digest;

/// Bytes that are kept beside the run, by their digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageRef {
    /// SHA-256 of the bytes.
    pub digest: Sha256Digest,
    /// The type of the bytes, as the server says.
    pub mime_type: String,
}
