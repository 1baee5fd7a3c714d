//! Secrets that came with the request for a run.

use domain::Secret;

/// Knows the secrets that came with the request for a run. They are in memory alone, so that a process
/// which goes on with the run of another one has none.
pub trait SentSecrets {
    /// Returns the secret of this name; `None` where none was sent, or where this process is not the one
    /// that it was sent to.
    fn sent_secret(&self, name: &str) -> Option<Secret>;
}
