//! What holds for one command that is for a server of tools.

use crate::journal::WorkflowNote;
use crate::kernel::CommandId;
use crate::session::calls::Attempts;
use crate::session::effects::WriteError;

/// One command, and what holds for it.
pub(in crate::session) struct ToolTerms<'call> {
    /// Its number.
    pub(in crate::session) command: CommandId,
    /// How long it may take, in milliseconds.
    pub(in crate::session) time_left_ms: u64,
    /// Attempts that may have been made, at most.
    pub(in crate::session) attempts_max: u32,
    /// Attempts that were too many for the server, at most.
    pub(in crate::session) throttled_max: u32,
    /// Whether an earlier process may have sent it.
    pub(in crate::session) may_have_run: bool,
    /// What each attempt passes through.
    pub(in crate::session) attempts: Attempts<'call>,
    /// Writes down what another process needs to go on.
    pub(in crate::session) note: &'call dyn Fn(WorkflowNote) -> Result<(), WriteError>,
}
