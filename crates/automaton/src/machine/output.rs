//! What a run hands out: its commands, one after the other, and its notices, of which a bounded number is told.

use kernel::{CommandId, LostCall, Millis, Outbox};

use super::budget::{Budget, Permission, Refusal};
use super::interface::{Action, Answer, Command, Notice, NoticeKind, Outcome};

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
        let call = calls
            .find(|call| call.command == command.id)
            .unwrap_or(&never_began);
        budget.lose(&command.action, command.attempts_max, call);
        matches!(command.action, Action::Act { .. }) && call.attempts > 0
    }

    /// Forgets the command that is under way: it is not waited for any more.
    pub(super) fn forget(&mut self) {
        self.under_way = None;
        drop(self.outbox.withdraw());
    }

    pub(super) fn next(&mut self) -> Option<Command> {
        self.outbox.take_next()
    }
}

/// The notices until they are taken. After a number of them only what matters to everybody is told,
/// since a run may go on for very long.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    notices: Outbox<Notice>,
    told: u32,
    told_max: u32,
    left_out: u64,
    now: Millis,
}

impl Trace {
    pub(super) fn new(told_max: u32) -> Self {
        Self {
            notices: Outbox::default(),
            told: 0,
            told_max,
            left_out: 0,
            now: Millis(0),
        }
    }

    /// Sets the time at which everything is told from here on.
    pub(super) fn advance(&mut self, now: Millis) {
        self.now = now;
    }

    pub(super) fn tell(&mut self, kind: NoticeKind) {
        if !is_always_told(&kind) {
            if self.told >= self.told_max {
                self.left_out = self.left_out.saturating_add(1);
                if self.left_out == 1 {
                    let notices = self.told;
                    self.put(NoticeKind::Bounded { notices });
                }
                return;
            }
            self.told += 1;
        }
        self.put(kind);
    }

    /// Tells a surprise, of a state if it is one.
    pub(super) fn warn(&mut self, state: Option<usize>, message: impl Into<String>) {
        let message = message.into();
        self.tell(NoticeKind::Warning { state, message });
    }

    fn put(&mut self, kind: NoticeKind) {
        let at = self.now;
        self.notices.add(Notice { at, kind });
    }

    /// Returns the number of notices that were counted and not told.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    pub(super) fn next(&mut self) -> Option<Notice> {
        self.notices.take_next()
    }
}

fn is_always_told(kind: &NoticeKind) -> bool {
    matches!(
        kind,
        NoticeKind::Started { .. }
            | NoticeKind::ActionFailed { .. }
            | NoticeKind::Recovering { .. }
            | NoticeKind::Making { .. }
            | NoticeKind::StateMade { .. }
            | NoticeKind::StateDropped
            | NoticeKind::StateChanged { .. }
            | NoticeKind::StateKept { .. }
            | NoticeKind::Remark(_)
            | NoticeKind::Bounded { .. }
            | NoticeKind::Ended { .. }
    )
}
