//! What a run of an investigation tells beside what every run tells: its photos and its choices.

use crate::engine::{PendingCommand, RunState};
use crate::engines::investigation::machine::{Action, Decision};
use crate::kernel::CommandId;

use super::engine::InvestigationEngine;
use super::photo_sources::PhotoSource;

impl PendingCommand<InvestigationEngine> {
    /// Whose photo it sends: the command that fetched it.
    #[must_use]
    pub fn sends_photo_of(&self) -> Option<CommandId> {
        match self.command().action {
            Action::Recognise { fetched_by } => Some(fetched_by),
            Action::Search { .. } | Action::Fetch { .. } | Action::Plan(_) => None,
        }
    }
}

impl RunState<InvestigationEngine> {
    /// The photo that a command fetched.
    #[must_use]
    pub fn photo(&self, fetched_by: CommandId) -> Option<&PhotoSource> {
        self.memory().photo(fetched_by)
    }

    /// Whether a pending command sends the photo that this command fetched.
    #[must_use]
    pub fn needs_photo(&self, fetched_by: CommandId) -> bool {
        self.machine().needs_photo(fetched_by)
    }

    /// Every choice so far, the first one first.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        self.machine().decisions()
    }
}
