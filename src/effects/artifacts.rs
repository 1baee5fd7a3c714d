//! Bytes that are kept beside a run.

use crate::domain::Sha256Digest;

use super::run_effects::WriteError;

/// Keeps bytes beside a run, by their digest.
pub trait Artifacts {
    /// Keeps bytes. Returns false where the run has no room for them.
    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError>;

    /// Returns the bytes of this digest; `None` where the run keeps none.
    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError>;
}
