//! The budget of an automaton run: what it may still do and spend.

use kernel::{Allowance, LostCall, Meter, Permission};

use super::interface::{Action, Limits, Spent, WhyFailed};

/// The most attempts of a look or a reload. Both are safe to repeat.
const LOOK_ATTEMPTS_MAX: u32 = 3;
/// The most attempts of a question to a model, each of which is charged.
const ASK_ATTEMPTS_MAX: u32 = 2;
/// The most investigations per run.
const CHAINS_MAX: u32 = 3;
/// The shortest useful time of a browser, in milliseconds. If an action's time was shortened and less than this is left
/// of it when the action ends, the action counts as having used it up.
const LEAST_MS: u64 = 10;
/// The message for a run that cannot afford more time of a browser.
const NO_MONEY: &str = "The run's money does not last for more of a browser.";

/// Why an action is not allowed: the kind of failure, and a message for viewers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) why: WhyFailed,
    pub(super) message: String,
}

/// An action that has less time than normal, since the run's time or money is almost used up.
#[derive(Debug, Clone)]
struct Cut {
    refusal: Refusal,
    /// The run time at which the action's time is used up, in milliseconds.
    until_ms: u64,
}

/// The budget of a run: what it may still do and spend.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    /// The run's time and money.
    pub(super) meter: Meter,
    limits: Limits,
    actions: Allowance,
    looks: Allowance,
    made: Allowance,
    asks: Allowance,
    chains: Allowance,
    /// The last action, if it has less time than normal.
    cut: Option<Box<Cut>>,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            actions: Allowance::new(limits.actions_max),
            looks: Allowance::new(limits.looks_max),
            made: Allowance::new(limits.states_made_max),
            asks: Allowance::new(limits.asks_max),
            chains: Allowance::new(CHAINS_MAX),
            meter: Meter::new(limits.runtime_ms_max, limits.nano_usd_max),
            limits,
            cut: None,
        }
    }

    /// Returns the total spending of a run that has executed `states` states.
    pub(super) fn spent(&self, states: usize) -> Spent {
        Spent {
            states: u32::try_from(states).unwrap_or(u32::MAX),
            actions: self.actions.spent(),
            looks: self.looks.spent(),
            asks: self.asks.spent(),
            states_made: self.made.spent(),
            runtime_ms: self.meter.runtime_ms,
            nano_usd: self.meter.nano_usd,
        }
    }

    /// Records that an action begins, and returns how often and how long it may be tried. Fails if it is not allowed.
    pub(super) fn begin(&mut self, action: &Action) -> Result<Permission, Refusal> {
        // Even if the new action is refused, the limit of the previous one must no longer apply.
        self.cut = None;
        let left_ms = self.time_left_ms()?;
        let call_ms = self.limits.call_ms_max;
        let (attempts_max, own_ms) = match action {
            Action::Look { queries, .. } => {
                let waits_ms = queries.iter().map(|query| query.timeout_ms).max();
                let own_ms = call_ms.saturating_add(waits_ms.unwrap_or(0));
                (LOOK_ATTEMPTS_MAX.min(self.looks.left()), own_ms)
            }
            Action::Act { action, .. } => {
                let own_ms = call_ms.saturating_add(action.timeout_ms());
                (1.min(self.actions.left()), own_ms)
            }
            Action::Reload => (LOOK_ATTEMPTS_MAX, call_ms),
            Action::Ask(_) => {
                self.check_price(self.limits.ask_nano_usd_max)?;
                (ASK_ATTEMPTS_MAX.min(self.asks.left()), left_ms)
            }
            Action::Investigate(_) => (1.min(self.chains.left()), left_ms),
            Action::Wait { ms } => (1, *ms),
        };
        if attempts_max == 0 {
            let message = "The run has done all that it may do.";
            return Err(over(message));
        }
        let time_left_ms = self.affordable_ms(left_ms.min(own_ms))?;
        self.cut = (time_left_ms < own_ms).then(|| {
            let refusal = if time_left_ms < left_ms {
                over(NO_MONEY)
            } else {
                late(self.meter.late())
            };
            let until_ms = self.meter.runtime_ms.saturating_add(time_left_ms);
            Box::new(Cut { refusal, until_ms })
        });
        let attempts_max = attempts_max.min(self.affordable_attempts(action, time_left_ms));
        if let Some(allowance) = self.allowance(action) {
            allowance.begin(attempts_max);
        }
        Ok(permission(attempts_max, time_left_ms))
    }

    /// Records that models begin to make a state. Fails if they may make no more states in this run.
    pub(super) fn begin_making(&mut self) -> Result<(), Refusal> {
        if self.made.left() == 0 {
            return Err(over("The run has made all the states that it may make."));
        }
        self.made.begin(1);
        self.made.settle(1, 1);
        Ok(())
    }

    /// Records that a lost call is repeated under its number. This is allowed even if the run may make no more calls of
    /// this kind, since the lost call was already counted.
    pub(super) fn begin_again(
        &mut self,
        action: &Action,
        attempts_max: u32,
        lost: &LostCall,
    ) -> Result<Permission, Refusal> {
        self.lose(action, attempts_max, lost);
        match self.begin(action) {
            Err(refusal) if refusal.why == WhyFailed::Budget => {
                let time_left_ms = self.time_left_ms()?.min(self.limits.call_ms_max);
                let time_left_ms = self.affordable_ms(time_left_ms)?;
                if let Some(allowance) = self.allowance(action) {
                    allowance.begin(1);
                }
                Ok(permission(1, time_left_ms))
            }
            permission => permission,
        }
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

    /// Returns why the finished action had less time than normal. Returns `None` if the action had the normal time, or
    /// ended before its shortened time was used up.
    pub(super) fn take_cut(&mut self) -> Option<Refusal> {
        let now_ms = self.meter.runtime_ms.saturating_add(LEAST_MS);
        let cut = self.cut.take_if(|cut| cut.until_ms <= now_ms)?;
        Some(cut.refusal)
    }

    fn time_left_ms(&self) -> Result<u64, Refusal> {
        self.meter.time_left_ms().map_err(late)
    }

    /// Returns how much of `ms` milliseconds of a browser the run can afford. Fails if that is too short to be useful.
    fn affordable_ms(&self, ms: u64) -> Result<u64, Refusal> {
        let price = self.limits.second_nano_usd_max;
        let left = self
            .meter
            .nano_usd_left()
            .map(|left| left.saturating_mul(1_000));
        match left.and_then(|left| left.checked_div(price)) {
            None => Ok(ms),
            Some(..LEAST_MS) => Err(over(NO_MONEY)),
            Some(lasts_ms) => Ok(ms.min(lasts_ms)),
        }
    }

    /// Returns how many attempts of this duration the run can afford; at least 1, since the first is already permitted.
    fn affordable_attempts(&self, action: &Action, ms: u64) -> u32 {
        let price = match action {
            Action::Ask(_) => self.limits.ask_nano_usd_max,
            _ => ms.saturating_mul(self.limits.second_nano_usd_max) / 1_000,
        };
        let attempts = self
            .meter
            .nano_usd_left()
            .and_then(|left| left.checked_div(price));
        attempts.map_or(u32::MAX, |attempts| {
            u32::try_from(attempts.max(1)).unwrap_or(u32::MAX)
        })
    }

    /// Fails if the run cannot afford a question at this price.
    fn check_price(&self, price: u64) -> Result<(), Refusal> {
        let price = self.meter.nano_usd.saturating_add(price);
        match self.limits.nano_usd_max {
            Some(most) if price > most => Err(over(
                "The run's money does not last for one more question to models.",
            )),
            _ => Ok(()),
        }
    }

    fn allowance(&mut self, action: &Action) -> Option<&mut Allowance> {
        match action {
            Action::Look { .. } => Some(&mut self.looks),
            Action::Act { .. } => Some(&mut self.actions),
            Action::Ask(_) => Some(&mut self.asks),
            Action::Investigate(_) => Some(&mut self.chains),
            Action::Reload | Action::Wait { .. } => None,
        }
    }
}

fn permission(attempts_max: u32, time_left_ms: u64) -> Permission {
    Permission {
        attempts_max,
        throttled_max: 0,
        time_left_ms,
        silence_ms_max: time_left_ms,
    }
}

fn over(message: &str) -> Refusal {
    Refusal {
        why: WhyFailed::Budget,
        message: message.to_owned(),
    }
}

fn late(message: String) -> Refusal {
    Refusal {
        why: WhyFailed::TimeLimit,
        message,
    }
}
