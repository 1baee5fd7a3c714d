//! What holds for one command that is for a server of tools.

use crate::calls::Attempts;
use crate::effects::WriteError;
use crate::engines::workflow::stored::WorkflowNote;
use crate::kernel::CommandId;

/// One command, and what holds for it.
pub struct ToolTerms<'call> {
    /// Its number.
    pub command: CommandId,
    /// How long it may take, in milliseconds.
    pub time_left_ms: u64,
    /// Attempts that may have been made, at most.
    pub attempts_max: u32,
    /// Attempts that were too many for the server, at most.
    pub throttled_max: u32,
    /// Whether an earlier process may have sent it.
    pub may_have_run: bool,
    /// What each attempt passes through.
    pub attempts: Attempts<'call>,
    /// Writes down what another process needs to go on.
    pub note: &'call dyn Fn(WorkflowNote) -> Result<(), WriteError>,
}
