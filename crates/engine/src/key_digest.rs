//! The digest of what a call asks for.

use serde::Serialize;

use domain::Sha256Digest;

/// Returns the SHA-256 of the stored form of what a call asks for.
#[must_use]
pub fn key_digest(key: &impl Serialize) -> Sha256Digest {
    // A key holds strings and numbers: writing them cannot fail.
    let json = serde_json::to_vec(key).unwrap_or_default();
    Sha256Digest::of(&json)
}
