//! What the platform does for a workflow, beside what it does for every run.

use crate::domain::Sha256Digest;
use crate::journal::Order;

use super::effects::{Effects, TransportError, WriteError};
use super::identifiers::RunToken;

/// The outside of a workflow's run. Every wait made here is given a limit by whoever asks.
pub trait WorkflowEffects: Effects {
    /// Keeps bytes beside the run, by their digest. False where the run has no room for them.
    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError>;

    /// The bytes of this digest; none where the run keeps none.
    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError>;

    /// A token for a run of the other engine; none where there is no randomness.
    fn child_token(&self) -> Option<RunToken>;

    /// Begins a run of the other engine under this token, or finds it begun. Fails with what the
    /// operator's limits say against it.
    fn begin_child(
        &self,
        run: &RunToken,
        order: Order,
    ) -> impl Future<Output = Result<(), ChildRefusal>>;

    /// The last event of that run, as JSON, once it has ended.
    fn child_end(&self, run: &RunToken) -> impl Future<Output = Result<String, TransportError>>;

    /// Asks that run to end.
    fn stop_child(&self, run: &RunToken) -> impl Future<Output = ()>;
}

/// Why a run of the other engine was not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildRefusal {
    /// It may not be, and why.
    Refused(String),
    /// Nobody knows whether it was: its object did not answer.
    Unreachable,
}
