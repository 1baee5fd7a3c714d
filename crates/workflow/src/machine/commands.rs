//! The one command that is under way, and its number.

use kernel::{CommandId, LostCall, Outbox};

use super::budget::{Budget, Refusal};
use super::interface::{Action, Answer, Command, Outcome};

/// The commands of a run: one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Commands {
    last: u32,
    outbox: Outbox<Command>,
    under_way: Option<Command>,
}

impl Commands {
    /// Begins a command for an action, where the budget lasts.
    pub(super) fn begin(&mut self, action: Action, budget: &mut Budget) -> Result<(), Refusal> {
        let permission = budget.begin(&action)?;
        self.last = self.last.saturating_add(1);
        let command = Command {
            id: CommandId(self.last),
            attempts_max: permission.attempts_max,
            throttled_max: permission.throttled_max,
            time_left_ms: permission.time_left_ms,
            silence_ms_max: permission.silence_ms_max,
            action,
        };
        self.under_way = Some(command.clone());
        self.outbox.add(command);
        Ok(())
    }

    /// Returns the outcome, if it answers the command that is under way.
    pub(super) fn settle(&mut self, answer: Answer, budget: &mut Budget) -> Option<Outcome> {
        let command = self
            .under_way
            .take_if(|command| command.id == answer.command)?;
        budget.settle(
            &command.action,
            command.attempts_max,
            answer.attempts,
            answer.nano_usd,
        );
        Some(answer.outcome)
    }

    /// Asks for a lost call again, under its number.
    pub(super) fn repeat(&mut self, lost: &LostCall, budget: &mut Budget) -> Result<(), Refusal> {
        let command = self.under_way.take_if(|command| command.id == lost.command);
        let Some(command) = command else {
            return Ok(());
        };
        let permission = budget.begin_again(&command, lost)?;
        let command = Command {
            attempts_max: permission.attempts_max,
            throttled_max: permission.throttled_max,
            time_left_ms: permission.time_left_ms,
            silence_ms_max: permission.silence_ms_max,
            ..command
        };
        self.under_way = Some(command.clone());
        self.outbox.add(command);
        Ok(())
    }

    /// Returns the command that is under way.
    pub(super) fn under_way(&self) -> Option<&Command> {
        self.under_way.as_ref()
    }

    /// Forgets the command that is under way: nobody waits for it any more.
    pub(super) fn forget(&mut self) {
        self.under_way = None;
    }

    pub(super) fn next(&mut self) -> Option<Command> {
        self.outbox.take_next()
    }
}
