//! Runs of any engine that a run begins.

use domain::RunToken;

use crate::network::TransportError;

/// Begins, awaits and stops runs on behalf of the run that begins them. Every wait made here is given a
/// limit by its caller.
pub trait Children {
    /// Returns a token for a run; `None` where there is no randomness.
    fn child_token(&self) -> Option<RunToken>;

    /// Returns the operator's stored document of this key, as JSON; `None` where there is none.
    fn stored_document(
        &self,
        key: &str,
    ) -> impl Future<Output = Result<Option<String>, TransportError>>;

    /// Begins the run of an order's JSON under this token, or finds it begun. Fails with what the
    /// operator's limits say against it.
    fn begin_child(
        &self,
        run: &RunToken,
        order: &str,
    ) -> impl Future<Output = Result<(), ChildRefusal>>;

    /// Returns the last event of a run, as JSON, once the run has ended.
    fn child_end(&self, run: &RunToken) -> impl Future<Output = Result<String, TransportError>>;

    /// Asks a run to end.
    fn stop_child(&self, run: &RunToken) -> impl Future<Output = ()>;
}

/// The reason why a run was not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildRefusal {
    /// The run may not be begun, for this reason.
    Refused(String),
    /// Nobody knows whether the run was begun: its object did not answer.
    Unreachable,
}
