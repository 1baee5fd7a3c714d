//! Going on after whoever conducted the run has died.

use crate::domain::{Failure, FailureKind};
use crate::kernel::Millis;

use super::command::Action;
use super::input::LostCall;
use super::machine::{Investigation, Purpose, State, Waiting};

impl Investigation {
    /// The pause is not the run's time; a call that was under way counts as spent and is sent
    /// again, as a new command, where the budgets allow it.
    pub(super) fn resume(&mut self, before: Millis, lost: &[LostCall]) {
        self.spend.pause(self.now.since(before));
        for call in lost {
            let waiting = self.waiting.take_if(|waiting| waiting.id == call.command);
            if let Some(waiting) = waiting {
                if let Some(allowance) = self.spend.allowance_mut(&waiting.action) {
                    allowance.settle_lost(call.attempts);
                }
                self.spend.nano_usd = self.spend.nano_usd.saturating_add(call.nano_usd);
                self.send_again(waiting);
            }
        }
    }

    fn send_again(&mut self, waiting: Waiting) {
        let Waiting {
            action, purpose, ..
        } = waiting;
        let may_send = match &action {
            Action::Search { .. } => self.spend.may_search(self.now),
            Action::Recognise { .. } => self.spend.may_recognise(self.now),
            Action::Plan(_) if self.spend.planner_calls.left() == 0 => {
                self.do_without_plan(&purpose);
                return;
            }
            Action::Fetch { .. } | Action::Plan(_) => Ok(()),
        };
        match may_send {
            Ok(()) => self.send(action, purpose),
            Err(reason) => self.state = State::Failure(reason),
        }
    }

    /// The planner's last call was lost: as good as a planner that failed.
    fn do_without_plan(&mut self, purpose: &Purpose) {
        if let Purpose::Plan {
            table,
            allowed_queries,
        } = purpose
        {
            let failure = Failure::new(FailureKind::Down, "its answer was lost");
            self.on_planned(table, allowed_queries, Err(failure));
        }
    }
}
