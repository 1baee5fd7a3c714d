//! The terms of one command for a server of tools.

use kernel::CommandId;
use platform::WriteError;
use providers::calls::Attempts;

use crate::stored::WorkflowNote;

/// One command for a server of tools, and what holds for it.
pub struct ToolTerms<'call> {
    /// The command's number.
    pub command: CommandId,
    /// The time that the command may take, in milliseconds.
    pub time_left_ms: u64,
    /// The longest wait for the answer or for progress, in milliseconds.
    pub silence_ms_max: u64,
    /// The most attempts that may have been made.
    pub attempts_max: u32,
    /// The most attempts that the server may throttle.
    pub throttled_max: u32,
    /// Whether an earlier process may have sent the command.
    pub may_have_run: bool,
    /// The steps that each attempt passes through.
    pub attempts: Attempts<'call>,
    /// Writes down what another process needs to go on.
    pub note: &'call dyn Fn(WorkflowNote) -> Result<(), WriteError>,
}
