//! Bytes that are kept beside a run.

use domain::Sha256Digest;

use crate::run_effects::WriteError;

/// The most bytes that are kept beside one run. All of them fit into the isolate's memory, once as an
/// archive.
pub const ARTIFACTS_BYTES_MAX: usize = 24 * 1_048_576;

/// Keeps bytes beside a run, by their digest.
pub trait Artifacts {
    /// Keeps bytes. Returns false where the run has no room for them: [`ARTIFACTS_BYTES_MAX`].
    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError>;

    /// Returns the bytes of this digest; `None` where the run keeps none.
    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError>;
}
