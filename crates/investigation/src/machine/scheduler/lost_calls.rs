//! The calls whose answers will never come: withdrawn at the end of a run, or lost with the process
//! that conducted it.

use kernel::{CommandId, LostCall};

use crate::machine::budget::{Budget, CallKind};
use crate::machine::interface::{Action, Reason};

use super::Scheduler;
use super::call::{Lost, PendingCall};

impl Scheduler {
    /// Withdraws all calls, for which nobody waits any more. The attempts in `lost` were made; of
    /// the other calls no attempts were.
    pub fn withdraw(&mut self, lost: &[LostCall], budget: &mut Budget) {
        for call in lost {
            self.settle_withdrawn(call, budget);
        }
        let not_begun: Vec<CommandId> = self.calls.keys().copied().collect();
        for command in not_begun {
            self.settle_withdrawn(&LostCall::unsent(command), budget);
        }
    }

    /// Drops the calls that nobody has begun yet.
    pub fn forget_unsent(&mut self, budget: &mut Budget) {
        for command in self.commands.withdraw() {
            self.settle_withdrawn(&LostCall::unsent(command.id), budget);
        }
    }

    /// Settles a withdrawn call. Its attempts were made all the same.
    fn settle_withdrawn(&mut self, withdrawn: &LostCall, budget: &mut Budget) {
        if let Some(call) = self.calls.remove(&withdrawn.command) {
            if let Some(kind) = CallKind::of(&call.action) {
                budget.settle(kind, call.attempts_max, withdrawn.attempts);
            }
            budget.count_throttled(withdrawn.throttled);
            budget.pay(withdrawn.nano_usd);
        }
    }

    /// Counts a call as spent whose answer was lost with the process that conducted the run. Where
    /// the budgets allow it, the call is sent again under its number, so that its answer keeps its
    /// place.
    pub fn lose(&mut self, lost: &LostCall, is_awaited: bool, budget: &mut Budget) -> Lost {
        let Some(call) = self.calls.remove(&lost.command) else {
            return Lost::NothingToDo;
        };
        if let Some(kind) = CallKind::of(&call.action) {
            budget.settle_lost(kind, call.attempts_max, lost.attempts);
        }
        budget.count_throttled(lost.throttled);
        budget.pay(lost.nano_usd);
        if is_awaited {
            self.send_again(lost.command, call, budget)
        } else {
            Lost::NothingToDo
        }
    }

    fn send_again(&mut self, id: CommandId, call: PendingCall, budget: &mut Budget) -> Lost {
        let PendingCall {
            mut action,
            purpose,
            ..
        } = call;
        // A photo is fetched again in any case, and converted where that may still be paid.
        if let Action::Fetch { may_convert, .. } | Action::FetchKnown { may_convert, .. } =
            &mut action
        {
            *may_convert &= budget.may_convert();
        }
        if let Some(kind) = CallKind::of(&action) {
            match budget.refusal(kind) {
                None if budget.left(kind) > 0 => {}
                Some(Reason::RuntimeBudget)
                    if !matches!(kind, CallKind::Planner | CallKind::Page) =>
                {
                    return Lost::OutOfTime;
                }
                // The attempts that are left are kept for others, whose answers may be here
                // already.
                _ => {
                    self.end_call_of(&purpose);
                    return Lost::NotAgain(purpose);
                }
            }
        }
        self.send_as(id, action, purpose, budget);
        Lost::NothingToDo
    }
}
