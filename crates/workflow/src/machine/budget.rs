//! The budget of a workflow run: what it may still do and spend.

use kernel::{Allowance, LostCall, Meter, Permission};

use super::graph::CHILD_RUNS;
use super::interface::{Action, Command, Limits, Spent};
use super::notice::WhyFailed;

/// The most attempts of an action that is safe to repeat: a question to a model, a listing of tools, or a tool call
/// that the executor knows to be safe.
const ASKING_ATTEMPTS_MAX: u32 = 3;
/// How long a tool call that sends progress may take in all, as a multiple of the longest silence that is allowed.
const SILENCES_MAX: u64 = 5;
/// How many attempts of an action may be rejected because a provider is busy. They do not count as ordinary attempts.
const THROTTLED_MAX: u32 = 5;

/// Why an action is not allowed: the kind of failure, and a message for viewers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) why: WhyFailed,
    pub(super) message: String,
}

/// The budget of a run: what it may still do and spend.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    /// The run's time and money.
    pub(super) meter: Meter,
    limits: Limits,
    steps: u32,
    tool_calls: Allowance,
    chats: Allowance,
    child_runs: Allowance,
}

/// How long to wait for a tool, in milliseconds: in all, and without a sign of life.
#[derive(Debug, Clone, Copy)]
struct Wait {
    whole_ms: u64,
    silence_ms: u64,
}

impl Wait {
    /// Returns the limits for a tool that may be silent for this long.
    fn of_silence(silence_ms: u64) -> Self {
        Self {
            whole_ms: silence_ms.saturating_mul(SILENCES_MAX),
            silence_ms,
        }
    }
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            tool_calls: Allowance::new(limits.tool_calls_max),
            chats: Allowance::new(limits.chats_max),
            child_runs: Allowance::new(limits.child_runs_max),
            meter: Meter::new(limits.runtime_ms_max, limits.nano_usd_max),
            limits,
            steps: 0,
        }
    }

    pub(super) fn spent(&self) -> Spent {
        Spent {
            steps: self.steps,
            tool_calls: self.tool_calls.spent(),
            chats: self.chats.spent(),
            child_runs: self.child_runs.spent(),
            runtime_ms: self.meter.runtime_ms,
            nano_usd: self.meter.nano_usd,
        }
    }

    /// Counts steps: visits of nodes, attempts, and comparisons of long values. Fails if no steps or no time are left.
    pub(super) fn steps(&mut self, count: u32) -> Result<(), Refusal> {
        if count == 0 {
            return Ok(());
        }
        let spent = self.steps.saturating_add(count);
        if spent > self.limits.steps_max {
            let steps = self.limits.steps_max;
            return Err(Refusal {
                why: WhyFailed::StepLimit,
                message: format!(
                    "The run has taken all of its {steps} steps; a loop of it may never end."
                ),
            });
        }
        self.steps = spent;
        self.time_left_ms().map(drop)
    }

    fn time_left_ms(&self) -> Result<u64, Refusal> {
        self.meter.time_left_ms().map_err(|message| Refusal {
            why: WhyFailed::TimeLimit,
            message,
        })
    }

    /// Records that an action begins, and returns how often and how long it may be tried. Fails if it is not allowed.
    pub(super) fn begin(&mut self, action: &Action) -> Result<Permission, Refusal> {
        self.begin_within(action, Wait::of_silence(self.limits.call_ms_max))
    }

    fn begin_within(&mut self, action: &Action, wait: Wait) -> Result<Permission, Refusal> {
        let left_ms = self.time_left_ms()?;
        let limits = &self.limits;
        let over = |what: &str| Refusal {
            why: WhyFailed::Budget,
            message: format!("The run has made all of the {what} that it may make."),
        };
        let (attempts_max, throttled_max, time_left_ms) = match action {
            Action::CallTool(_) => {
                if self.tool_calls.left() == 0 {
                    return Err(over("tool calls"));
                }
                let attempts_max = ASKING_ATTEMPTS_MAX.min(self.tool_calls.left());
                self.tool_calls.begin(attempts_max);
                (attempts_max, THROTTLED_MAX, left_ms.min(wait.whole_ms))
            }
            Action::Chat(_) => {
                let attempts_max = ASKING_ATTEMPTS_MAX.min(self.chats.left());
                let price = limits
                    .chat_nano_usd_max
                    .saturating_mul(u64::from(attempts_max));
                let spent = self.meter.nano_usd.saturating_add(price);
                if attempts_max == 0 {
                    return Err(over("questions to a model"));
                }
                if limits.nano_usd_max.is_some_and(|most| spent > most) {
                    return Err(Refusal {
                        why: WhyFailed::Budget,
                        message: "The run's money does not last for one more question to a model."
                            .to_owned(),
                    });
                }
                self.chats.begin(attempts_max);
                (attempts_max, THROTTLED_MAX, left_ms.min(limits.call_ms_max))
            }
            Action::Investigate(_) | Action::Automate(_) => {
                if self.child_runs.left() == 0 {
                    return Err(over(CHILD_RUNS));
                }
                self.child_runs.begin(1);
                (1, 0, left_ms)
            }
            Action::ListTools { .. } => (
                ASKING_ATTEMPTS_MAX,
                THROTTLED_MAX,
                left_ms.min(limits.call_ms_max),
            ),
            Action::Wait { ms } => (1, 0, left_ms.min(*ms)),
        };
        Ok(Permission {
            attempts_max,
            throttled_max,
            time_left_ms,
            silence_ms_max: match action {
                Action::CallTool(_) => time_left_ms.min(wait.silence_ms),
                _ => time_left_ms,
            },
        })
    }

    /// Records that a call whose answer was lost is repeated under its number. This is allowed even if the limits allow
    /// no further call of its kind, since the call was already counted. The lost request may still be answered.
    pub(super) fn begin_again(
        &mut self,
        command: &Command,
        lost: &LostCall,
    ) -> Result<Permission, Refusal> {
        if let Action::Investigate(_) | Action::Automate(_) = command.action {
            // A child run continues by itself: nothing was lost, and only the wait for its end is repeated.
            let time_left_ms = self.time_left_ms()?;
            return Ok(Permission {
                attempts_max: command.attempts_max,
                throttled_max: command.throttled_max,
                time_left_ms,
                silence_ms_max: time_left_ms,
            });
        }
        self.lose(&command.action, command.attempts_max, lost);
        if matches!(command.action, Action::CallTool(_)) && self.tool_calls.left() == 0 {
            self.tool_calls.begin(1);
            let time_left_ms = self.time_left_ms()?.min(command.time_left_ms);
            return Ok(Permission {
                attempts_max: 1,
                throttled_max: THROTTLED_MAX,
                time_left_ms,
                silence_ms_max: time_left_ms.min(command.silence_ms_max),
            });
        }
        let wait = Wait {
            whole_ms: command.time_left_ms,
            silence_ms: command.silence_ms_max,
        };
        self.begin_within(&command.action, wait)
    }

    /// Records the attempts and the cost of an executed action.
    pub(super) fn settle(&mut self, action: &Action, kept: u32, attempts: u32, nano_usd: u64) {
        self.meter.pay(nano_usd);
        if let Some(allowance) = self.allowance(action) {
            allowance.settle(kept, attempts);
        }
    }

    /// Records the attempts and the cost of a call whose answer was lost.
    pub(super) fn lose(&mut self, action: &Action, kept: u32, lost: &LostCall) {
        self.meter.pay(lost.nano_usd);
        if let Some(allowance) = self.allowance(action) {
            allowance.settle_lost(kept, lost.attempts);
        }
    }

    fn allowance(&mut self, action: &Action) -> Option<&mut Allowance> {
        match action {
            Action::CallTool(_) => Some(&mut self.tool_calls),
            Action::Chat(_) => Some(&mut self.chats),
            Action::Investigate(_) | Action::Automate(_) => Some(&mut self.child_runs),
            Action::ListTools { .. } | Action::Wait { .. } => None,
        }
    }
}
