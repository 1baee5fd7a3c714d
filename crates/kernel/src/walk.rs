//! The parts that machines with only one command in flight share: that command, the run's time and money, and a
//! bounded trace of notices.

use super::{Command, CommandId, Millis, Outbox};

/// The limits for executing one command.
#[derive(Debug, Clone, Copy)]
pub struct Permission {
    /// The most attempts to execute the command.
    pub attempts_max: u32,
    /// The most throttled attempts, in addition to `attempts_max`.
    pub throttled_max: u32,
    /// The time that is left for the command, in milliseconds.
    pub time_left_ms: u64,
    /// The longest wait for the command's answer or a sign of progress, in milliseconds.
    pub silence_ms_max: u64,
}

/// Issues the commands of a run, one at a time.
#[derive(Debug, Clone)]
pub struct Commands<Action> {
    last: u32,
    outbox: Outbox<Command<Action>>,
    under_way: Option<Command<Action>>,
}

impl<Action: Clone> Commands<Action> {
    /// Issues a new command for this action, under the next number.
    pub fn begin(&mut self, action: Action, permission: Permission) {
        self.last = self.last.saturating_add(1);
        self.send(CommandId(self.last), action, permission);
    }

    /// Issues a command again, under the same number, because its answer was lost.
    pub fn begin_again(&mut self, command: Command<Action>, permission: Permission) {
        self.send(command.id, command.action, permission);
    }

    fn send(&mut self, id: CommandId, action: Action, permission: Permission) {
        let command = Command {
            id,
            attempts_max: permission.attempts_max,
            throttled_max: permission.throttled_max,
            time_left_ms: permission.time_left_ms,
            silence_ms_max: permission.silence_ms_max,
            action,
        };
        self.under_way = Some(command.clone());
        self.outbox.add(command);
    }

    /// Returns the number of the command in flight, if there is one.
    #[must_use]
    pub fn under_way(&self) -> Option<CommandId> {
        self.under_way.as_ref().map(|command| command.id)
    }

    /// Takes the command in flight if it has this number. Call it when the command is answered.
    pub fn settle(&mut self, id: CommandId) -> Option<Command<Action>> {
        self.under_way.take_if(|command| command.id == id)
    }

    /// Takes the command in flight because its answer is no longer expected.
    pub fn forget(&mut self) -> Option<Command<Action>> {
        drop(self.outbox.withdraw());
        self.under_way.take()
    }

    /// Takes the oldest command that was not taken yet.
    pub fn take_next(&mut self) -> Option<Command<Action>> {
        self.outbox.take_next()
    }
}

impl<Action> Default for Commands<Action> {
    fn default() -> Self {
        Self {
            last: 0,
            outbox: Outbox::default(),
            under_way: None,
        }
    }
}

/// Measures the time and the money that a run uses.
#[derive(Debug, Clone)]
pub struct Meter {
    /// The time that the run has used so far, in milliseconds, excluding pauses between processes.
    pub runtime_ms: u64,
    /// The longest time that the run may take, in milliseconds.
    pub runtime_ms_max: u64,
    /// The cost of all calls so far, in billionths of a dollar.
    pub nano_usd: u64,
    /// The most that all calls together may cost, in billionths of a dollar; `None` if unlimited.
    pub nano_usd_max: Option<u64>,
    now: Option<Millis>,
}

impl Meter {
    /// Makes the meter of a run that has not begun.
    #[must_use]
    pub fn new(runtime_ms_max: u64, nano_usd_max: Option<u64>) -> Self {
        Self {
            runtime_ms: 0,
            runtime_ms_max,
            nano_usd: 0,
            nano_usd_max,
            now: None,
        }
    }

    /// Advances the run's time to `now`, and returns the milliseconds that have passed. If the clock steps back, the
    /// run's time does not.
    pub fn advance(&mut self, now: Millis) -> u64 {
        let passed_ms = self.now.map_or(0, |before| now.since(before));
        self.now = Some(now);
        self.runtime_ms = self.runtime_ms.saturating_add(passed_ms);
        passed_ms
    }

    /// Subtracts time that does not count as part of the run.
    pub fn pause(&mut self, ms: u64) {
        self.runtime_ms = self.runtime_ms.saturating_sub(ms);
    }

    /// Adds the cost of a call, in billionths of a dollar.
    pub fn pay(&mut self, nano_usd: u64) {
        self.nano_usd = self.nano_usd.saturating_add(nano_usd);
    }

    /// Returns the time that the run has left, in milliseconds. If there is none, fails with a sentence that says so.
    pub fn time_left_ms(&self) -> Result<u64, String> {
        let left = self.runtime_ms_max.checked_sub(self.runtime_ms);
        left.filter(|left| *left > 0).ok_or_else(|| self.late())
    }

    /// Returns the sentence that says that the run's time is over.
    #[must_use]
    pub fn late(&self) -> String {
        format!("The run's time of {} ms is over.", self.runtime_ms_max)
    }

    /// Returns the money that the run has left, in billionths of a dollar; `None` if unlimited.
    #[must_use]
    pub fn nano_usd_left(&self) -> Option<u64> {
        let most = self.nano_usd_max?;
        Some(most.saturating_sub(self.nano_usd))
    }
}

/// The queue of a run's notices. Once their number reaches a limit, only essential notices are emitted, because a run
/// may take very long.
#[derive(Debug, Clone)]
pub struct Trace<Notice> {
    notices: Outbox<Notice>,
    told: u32,
    told_max: u32,
    left_out: u64,
    now: Millis,
}

impl<Notice> Trace<Notice> {
    /// Makes a trace that emits at most `told_max` notices, not counting essential ones.
    #[must_use]
    pub fn new(told_max: u32) -> Self {
        Self {
            notices: Outbox::default(),
            told: 0,
            told_max,
            left_out: 0,
            now: Millis(0),
        }
    }

    /// Sets the time of the notices that follow. It never goes back.
    pub fn advance(&mut self, now: Millis) {
        self.now = self.now.max(now);
    }

    /// Returns the time that the next notice will have.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Emits a notice, or only counts it if the limit is reached. Returns whether it was emitted. In place of the first
    /// notice that is only counted, emits what `bounded` makes from the number of notices that were emitted before, not
    /// counting essential ones.
    pub fn tell(
        &mut self,
        is_always_told: bool,
        notice: Notice,
        bounded: impl FnOnce(u32) -> Notice,
    ) -> bool {
        let is_over = !is_always_told && self.told >= self.told_max;
        if is_over {
            self.left_out = self.left_out.saturating_add(1);
            if self.left_out == 1 {
                self.notices.add(bounded(self.told));
            }
        } else {
            self.told = self.told.saturating_add(u32::from(!is_always_told));
            self.notices.add(notice);
        }
        !is_over
    }

    /// Returns the number of notices that were only counted, not emitted.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Takes the oldest notice that was not taken yet.
    pub fn take_next(&mut self) -> Option<Notice> {
        self.notices.take_next()
    }
}
