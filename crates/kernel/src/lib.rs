//! The types that all engines share: an outbox, allowances, and time as a value. This crate knows no engine.
//!
//! # The contract of an engine
//!
//! An engine is a pure machine that decides what a run does next. All engines follow these rules, so that the
//! journal, the sealed file, the conductor and the stream depend only on their data types:
//!
//! 1. **It takes one input at a time**, by `handle(input, now)`. Its notices and then its commands are drained before
//!    the next input.
//! 2. **It is pure.** It never awaits, reads no clock, draws no random number, has no state outside itself and knows
//!    none of the forms in which it is stored or sent. The same order and the same inputs at the same times give the
//!    same notices and commands, natively and in WebAssembly, today and in a replay. So it uses no floating-point
//!    operations except `+ - * /` and the square root, and no hash maps.
//! 3. **Time is an input.** Each input carries [`Millis`]. The clock may step back, but an engine's time does not.
//! 4. **A command has a number**, counted from 1. Its answer carries the number. Commands may be executed concurrently,
//!    but the machine receives their answers in the order of numbers: an early answer waits for those before it, so
//!    that the same answers give the same run.
//! 5. **A failure is an answer too.** The conductor retries, within the command's `attempts_max` and `time_left_ms`;
//!    the engine decides what the outcome means.
//! 6. **The cost of a call is reserved before the call is sent**, by an [`Allowance`] for each kind of call. An answer
//!    says how many attempts were really made and what they cost. A budget is never exceeded, whatever is lost.
//! 7. **It can be interrupted at any input.** The next input lists the lost calls. Each counts as spent; the engine
//!    repeats it under its number or continues without it. Time during which no process conducted the run does not
//!    count.
//! 8. **It ends by itself**, with exactly one last notice. When its end is decided it says so, accepts the answers that
//!    have arrived, and then waits only for the withdrawal of the other calls. After the last notice it ignores every
//!    input.
//! 9. **It never panics**, and each of its steps uses up something finite, so that it ends.
//!
//! The code around an engine uses these of its values, each of which has a stored form: the *order* (what the run
//! should do), the *command* with its question, the *answer*, and the *notice*. `engine` is the contract for them, and
//! `visual_degrees::engines` lists all engines.

mod walk;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

pub use walk::{Commands, Meter, Permission, Trace};

/// The number of a command, counted from 1 in the order in which commands are issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CommandId(pub u32);

/// An action to execute. Its answer carries the command's number.
#[derive(Debug, Clone, PartialEq)]
pub struct Command<Action> {
    /// The command's number. A command that is sent again after a crash keeps its number.
    pub id: CommandId,
    /// The most attempts to execute the action. Each counts against the budget.
    pub attempts_max: u32,
    /// The most throttled attempts, in addition to `attempts_max`. Throttled attempts are not charged.
    pub throttled_max: u32,
    /// The time that the run has left, in milliseconds. No wait for the command may exceed it.
    pub time_left_ms: u64,
    /// The longest wait for the answer or for a sign of progress, in milliseconds. A call that sends signs of progress
    /// may take longer than this in total.
    pub silence_ms_max: u64,
    /// The action.
    pub action: Action,
}

/// An input of an engine, without its time. `Outcome` is the type of the outcomes of its commands.
#[derive(Debug, Clone, PartialEq)]
pub enum Input<Outcome> {
    /// The run begins. This input comes first and occurs once.
    Start,
    /// A command was answered.
    Answer(Answer<Outcome>),
    /// The user has ended the run.
    Stop {
        /// The calls that had begun and are now ended. Commands in flight that are not listed never began.
        lost: Vec<LostCall>,
    },
    /// The calls that were in flight when the run's end was decided have now been ended.
    Withdrawn {
        /// The calls that had begun. Commands in flight that are not listed never began.
        lost: Vec<LostCall>,
    },
    /// A sentence for viewers about something that happened outside the run.
    Remark(String),
    /// The process that conducted the run has ended, and another one resumes it from the journal. The time since the
    /// previous input does not count.
    Resumed {
        /// The calls that were in flight, oldest first. Their answers are lost. The calls are made again under the
        /// same numbers.
        lost: Vec<LostCall>,
    },
}

/// A call whose answer will never arrive, and what the call may have cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LostCall {
    /// The number of the call's command.
    pub command: CommandId,
    /// The number of attempts that were sent or may have been sent.
    pub attempts: u32,
    /// The number of attempts that were throttled and not charged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub throttled: u32,
    /// The most that the attempts may have cost, in billionths of a dollar.
    pub nano_usd: u64,
}

// serde passes a field by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl LostCall {
    /// Makes the lost call of a command for which nothing was sent.
    #[must_use]
    pub fn unsent(command: CommandId) -> Self {
        Self {
            command,
            attempts: 0,
            throttled: 0,
            nano_usd: 0,
        }
    }
}

/// The answer to a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<Outcome> {
    /// The number of the answered command.
    pub command: CommandId,
    /// The number of attempts, at most the command's `attempts_max`. It is 0 if the answer was available without
    /// sending anything.
    pub attempts: u32,
    /// The number of additional attempts that were throttled and not charged, at most the command's `throttled_max`.
    pub throttled: u32,
    /// The cost of the attempts, in billionths of a dollar.
    pub nano_usd: u64,
    /// The outcome of the command's action.
    pub outcome: Outcome,
    /// Sentences that inform viewers how the answer was obtained.
    pub remarks: Vec<String>,
}

/// How many attempts one kind of call may still make.
///
/// Several calls may be in flight. From the moment it is sent, a call counts as one attempt, and the further attempts
/// that it may make are reserved. So all calls together never exceed the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    spent: u32,
    kept: u32,
    under_way: u32,
    lost: u32,
    limit: u32,
}

impl Allowance {
    /// Makes an allowance of which nothing is spent.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self {
            spent: 0,
            kept: 0,
            under_way: 0,
            lost: 0,
            limit,
        }
    }

    /// Returns the number of attempts made so far. A call in flight counts as one attempt.
    #[must_use]
    pub fn spent(self) -> u32 {
        self.spent
    }

    /// Returns the total number of attempts allowed.
    #[must_use]
    pub fn limit(self) -> u32 {
        self.limit
    }

    /// Returns the number of attempts that were not made yet, including those that are reserved for calls in flight.
    #[must_use]
    pub fn unspent(self) -> u32 {
        self.limit.saturating_sub(self.spent)
    }

    /// Returns the number of attempts that a new call may make. Attempts reserved for calls in flight are excluded.
    #[must_use]
    pub fn left(self) -> u32 {
        self.unspent().saturating_sub(self.kept)
    }

    /// Returns the number of calls in flight.
    #[must_use]
    pub fn under_way(self) -> u32 {
        self.under_way
    }

    /// Records that a call is sent that may make this many attempts.
    pub fn begin(&mut self, attempts_max: u32) {
        self.under_way = self.under_way.saturating_add(1);
        self.spent = self.spent.saturating_add(1);
        self.kept = self.kept.saturating_add(attempts_max.saturating_sub(1));
    }

    /// Settles a call that was permitted `attempts_max` attempts and made `attempts`.
    pub fn settle(&mut self, attempts_max: u32, attempts: u32) {
        self.under_way = self.under_way.saturating_sub(1);
        self.kept = self.kept.saturating_sub(attempts_max.saturating_sub(1));
        self.spent = self.spent.saturating_sub(1).saturating_add(attempts);
    }

    /// Settles a call whose answer was lost. Its attempts count as spent although they had no result.
    pub fn settle_lost(&mut self, attempts_max: u32, attempts: u32) {
        self.settle(attempts_max, attempts);
        self.lost = self.lost.saturating_add(attempts);
    }

    /// Returns what [`Self::unspent`] would be if no answer had been lost. It is only for estimates, never for checking
    /// the limit.
    #[must_use]
    pub fn unspent_but_for_losses(self) -> u32 {
        self.unspent().saturating_add(self.lost).min(self.limit)
    }

    /// Returns what [`Self::left`] would be if no answer had been lost. It is only for choices that must be the same
    /// after an interruption, never for checking the limit.
    #[must_use]
    pub fn left_but_for_losses(self) -> u32 {
        self.unspent_but_for_losses().saturating_sub(self.kept)
    }
}

/// A queue of commands to execute or notices to emit, oldest first.
#[derive(Debug, Clone)]
pub struct Outbox<Item> {
    items: VecDeque<Item>,
}

impl<Item> Outbox<Item> {
    /// Adds an item as the newest.
    pub fn add(&mut self, item: Item) {
        self.items.push_back(item);
    }

    /// Takes the oldest item.
    pub fn take_next(&mut self) -> Option<Item> {
        self.items.pop_front()
    }

    /// Takes all remaining items, oldest first.
    pub fn withdraw(&mut self) -> impl Iterator<Item = Item> + use<Item> {
        std::mem::take(&mut self.items).into_iter()
    }
}

impl<Item> Default for Outbox<Item> {
    fn default() -> Self {
        Self {
            items: VecDeque::new(),
        }
    }
}

/// A time, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// Returns the milliseconds since an earlier time; 0 if the clock stepped back.
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_under_way_keeps_its_further_attempts() {
        let mut allowance = Allowance::new(5);
        allowance.begin(3);
        assert_eq!((allowance.spent(), allowance.unspent()), (1, 4));
        assert_eq!((allowance.left(), allowance.under_way()), (2, 1));
        allowance.begin(2);
        assert_eq!((allowance.left(), allowance.under_way()), (0, 2));
        allowance.settle(3, 1);
        assert_eq!((allowance.spent(), allowance.left()), (2, 2));
        allowance.settle(2, 2);
        assert_eq!((allowance.spent(), allowance.left()), (3, 2));
        assert_eq!((allowance.limit(), allowance.under_way()), (5, 0));
    }

    #[test]
    fn a_sent_call_is_settled_by_its_real_attempts() {
        for (attempts, spent) in [(0, 0), (1, 1), (3, 3)] {
            let mut allowance = Allowance::new(3);
            allowance.begin(3);
            allowance.settle(3, attempts);
            assert_eq!(allowance.spent(), spent);
            assert_eq!(allowance.left(), 3 - spent);
        }
    }

    #[test]
    fn what_is_lost_is_spent_and_told_apart() {
        let mut allowance = Allowance::new(5);
        allowance.begin(3);
        allowance.settle_lost(3, 2);
        assert_eq!((allowance.spent(), allowance.left()), (2, 3));
        assert_eq!(allowance.unspent_but_for_losses(), 5);
        allowance.begin(3);
        assert_eq!((allowance.left(), allowance.left_but_for_losses()), (0, 2));
    }
}
