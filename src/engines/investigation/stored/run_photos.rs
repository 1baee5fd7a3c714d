//! The parts that only a run of an investigation has: its photos and its choices.

use crate::engine::{PendingCommand, RunState};
use crate::engines::investigation::machine::{Action, Decision};
use crate::kernel::CommandId;

use super::engine::InvestigationEngine;
use super::photo_sources::PhotoSource;

impl PendingCommand<InvestigationEngine> {
    /// Returns the command that fetched the photo which this one sends.
    #[must_use]
    pub fn sends_photo_of(&self) -> Option<CommandId> {
        match self.command().action {
            Action::Recognise { fetched_by } => Some(fetched_by),
            Action::Search { .. }
            | Action::Fetch { .. }
            | Action::Plan(_)
            | Action::Capture { .. }
            | Action::Recall(_)
            | Action::Connect(_)
            | Action::FetchKnown { .. } => None,
        }
    }
}

impl RunState<InvestigationEngine> {
    /// Returns the photo that a command fetched.
    #[must_use]
    pub fn photo(&self, fetched_by: CommandId) -> Option<&PhotoSource> {
        self.memory().photo(fetched_by)
    }

    /// Returns whether a pending command sends the photo that this command fetched.
    #[must_use]
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        self.machine().needs_photo(fetched_by)
    }

    /// Returns every choice so far, the first one first.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        self.machine().decisions()
    }
}
