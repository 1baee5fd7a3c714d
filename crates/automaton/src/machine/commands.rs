//! The one command that is under way, and its number.

use kernel::{CommandId, LostCall, Outbox};

use super::budget::{Budget, Permission, Refusal};
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
        self.send(CommandId(self.last), action, permission);
        Ok(())
    }

    fn send(&mut self, id: CommandId, action: Action, permission: Permission) {
        let command = Command {
            id,
            attempts_max: permission.attempts_max,
            throttled_max: 0,
            time_left_ms: permission.time_left_ms,
            silence_ms_max: permission.time_left_ms,
            action,
        };
        self.under_way = Some(command.clone());
        self.outbox.add(command);
    }

    /// Returns the outcome, if it answers the command that is under way.
    pub(super) fn settle(&mut self, answer: Answer, budget: &mut Budget) -> Option<Outcome> {
        let command = self
            .under_way
            .take_if(|command| command.id == answer.command)?;
        let kept = command.attempts_max;
        budget.settle(&command.action, kept, answer.attempts, answer.nano_usd);
        Some(answer.outcome)
    }

    /// Asks for a lost call again, under its number. Returns whether it is not asked for, since it is an
    /// action of the browser that may have been carried out.
    pub(super) fn repeat(&mut self, lost: &LostCall, budget: &mut Budget) -> Result<bool, Refusal> {
        let command = self.under_way.take_if(|command| command.id == lost.command);
        let Some(command) = command else {
            return Ok(false);
        };
        let may_be_done = matches!(command.action, Action::Act { .. }) && lost.attempts > 0;
        if may_be_done {
            budget.lose(&command.action, command.attempts_max, lost);
            return Ok(true);
        }
        let permission = budget.begin_again(&command.action, command.attempts_max, lost)?;
        self.send(command.id, command.action, permission);
        Ok(false)
    }

    /// Ends the command that is under way, which is among the lost calls if it had begun. Returns whether
    /// it is an action of the browser that may have been carried out.
    pub(super) fn end(&mut self, lost: &[LostCall], budget: &mut Budget) -> bool {
        let command = self.under_way.take();
        self.forget();
        let Some(command) = command else {
            return false;
        };
        let mut calls = lost.iter();
        let never_began = LostCall::unsent(command.id);
        let call = calls.find(|call| call.command == command.id);
        let call = call.unwrap_or(&never_began);
        budget.lose(&command.action, command.attempts_max, call);
        matches!(command.action, Action::Act { .. }) && call.attempts > 0
    }

    /// Forgets the command that is under way: nobody waits for it any more.
    pub(super) fn forget(&mut self) {
        self.under_way = None;
        drop(self.outbox.withdraw());
    }

    pub(super) fn next(&mut self) -> Option<Command> {
        self.outbox.take_next()
    }
}
