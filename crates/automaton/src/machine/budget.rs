//! The budget of an automaton's run: what it may still do and spend.

use kernel::{Allowance, LostCall, Millis};

use super::interface::{Action, Limits, Spent, WhyFailed};

/// The most attempts of a look, since looking again changes nothing.
const LOOK_ATTEMPTS_MAX: u32 = 3;
/// The most attempts of a question to a model, each of which is paid.
const ASK_ATTEMPTS_MAX: u32 = 2;
/// The most investigations of a run.
const CHAINS_MAX: u32 = 3;
/// The least time of a browser that is worth asking for, in milliseconds. An action that leaves less of its shortened
/// time has used all of it.
const LEAST_MS: u64 = 10;
/// The words for a run whose money is over.
const NO_MONEY: &str = "The run's money does not last for more of a browser.";

/// The reason why something may not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) why: WhyFailed,
    pub(super) message: String,
}

/// An action whose time is cut short by what the run has left.
#[derive(Debug, Clone)]
struct Cut {
    refusal: Refusal,
    /// The end of that time, in milliseconds of the run's.
    until_ms: u64,
}

/// The limits within which a command may be carried out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Permission {
    pub(super) attempts_max: u32,
    pub(super) time_left_ms: u64,
}

/// The budget of a run: what it may still do and spend.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    limits: Limits,
    actions: Allowance,
    looks: Allowance,
    made: Allowance,
    asks: Allowance,
    chains: Allowance,
    runtime_ms: u64,
    nano_usd: u64,
    now: Option<Millis>,
    /// The limits of the action that was begun last, where it has less time than it is otherwise given.
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
            limits,
            runtime_ms: 0,
            nano_usd: 0,
            now: None,
            cut: None,
        }
    }

    /// Returns what may be spent on a run that this one begins, in billionths of a dollar; `None` where nobody
    /// limits it.
    pub(super) fn nano_usd_left(&self) -> Option<u64> {
        let most = self.limits.nano_usd_max?;
        Some(most.saturating_sub(self.nano_usd))
    }

    /// Lets the time pass, and returns the milliseconds that have passed. The clock may step back; the
    /// run's time does not.
    pub(super) fn advance(&mut self, now: Millis) -> u64 {
        let passed_ms = self.now.map_or(0, |before| now.since(before));
        self.now = Some(now);
        self.runtime_ms = self.runtime_ms.saturating_add(passed_ms);
        passed_ms
    }

    /// Takes milliseconds out of the run's time that were not the run's.
    pub(super) fn pause(&mut self, ms: u64) {
        self.runtime_ms = self.runtime_ms.saturating_sub(ms);
    }

    /// Returns the run's time, in milliseconds.
    pub(super) fn runtime_ms(&self) -> u64 {
        self.runtime_ms
    }

    pub(super) fn runtime_ms_max(&self) -> u64 {
        self.limits.runtime_ms_max
    }

    /// Returns what was spent, beside this number of states that were executed.
    pub(super) fn spent(&self, states: usize) -> Spent {
        Spent {
            states: u32::try_from(states).unwrap_or(u32::MAX),
            actions: self.actions.spent(),
            looks: self.looks.spent(),
            asks: self.asks.spent(),
            states_made: self.made.spent(),
            runtime_ms: self.runtime_ms,
            nano_usd: self.nano_usd,
        }
    }

    /// Notes that an action is about to be carried out. Fails where it may not be.
    pub(super) fn begin(&mut self, action: &Action) -> Result<Permission, Refusal> {
        // What is not begun leaves nothing of the action before it.
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
                self.late()
            };
            let until_ms = self.runtime_ms.saturating_add(time_left_ms);
            Box::new(Cut { refusal, until_ms })
        });
        let attempts_max = attempts_max.min(self.affordable_attempts(action, time_left_ms));
        if let Some(allowance) = self.allowance(action) {
            allowance.begin(attempts_max);
        }
        Ok(Permission {
            attempts_max,
            time_left_ms,
        })
    }

    /// Notes that models begin to make a state. Fails where they may not.
    pub(super) fn begin_making(&mut self) -> Result<(), Refusal> {
        if self.made.left() == 0 {
            return Err(over("The run has made all the states that it may make."));
        }
        self.made.begin(1);
        self.made.settle(1, 1);
        Ok(())
    }

    /// Notes that a lost call is asked for again under its number, also where the run has none of its
    /// kind left, since it was permitted before.
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
                Ok(Permission {
                    attempts_max: 1,
                    time_left_ms,
                })
            }
            permission => permission,
        }
    }

    /// Notes that an action was carried out with so many attempts, at this cost.
    pub(super) fn settle(&mut self, action: &Action, kept: u32, attempts: u32, nano_usd: u64) {
        self.nano_usd = self.nano_usd.saturating_add(nano_usd);
        if let Some(allowance) = self.allowance(action) {
            allowance.settle(kept, attempts);
        }
    }

    /// Notes that a call's answer was lost, and what the call cost.
    pub(super) fn lose(&mut self, action: &Action, kept: u32, lost: &LostCall) {
        self.nano_usd = self.nano_usd.saturating_add(lost.nano_usd);
        if let Some(allowance) = self.allowance(action) {
            allowance.settle_lost(kept, lost.attempts);
        }
    }

    /// Returns why the action that is over now had less time than it is otherwise given, where it has used all of it.
    pub(super) fn take_cut(&mut self) -> Option<Refusal> {
        let now_ms = self.runtime_ms.saturating_add(LEAST_MS);
        let cut = self.cut.take_if(|cut| cut.until_ms <= now_ms)?;
        Some(cut.refusal)
    }

    fn time_left_ms(&self) -> Result<u64, Refusal> {
        let most = self.limits.runtime_ms_max;
        let left = most.checked_sub(self.runtime_ms);
        left.filter(|left| *left > 0).ok_or_else(|| self.late())
    }

    fn late(&self) -> Refusal {
        let most = self.limits.runtime_ms_max;
        Refusal {
            why: WhyFailed::TimeLimit,
            message: format!("The run's time of {most} ms is over."),
        }
    }

    /// Returns how much of a time of a browser the run's money lasts for, in milliseconds.
    fn affordable_ms(&self, ms: u64) -> Result<u64, Refusal> {
        let price = self.limits.second_nano_usd_max;
        let left = self.nano_usd_left().map(|left| left.saturating_mul(1_000));
        match left.and_then(|left| left.checked_div(price)) {
            None => Ok(ms),
            Some(..LEAST_MS) => Err(over(NO_MONEY)),
            Some(lasts_ms) => Ok(ms.min(lasts_ms)),
        }
    }

    /// Returns how many attempts of an action the run's money lasts for, each of which may take this time; the first
    /// one is permitted.
    fn affordable_attempts(&self, action: &Action, ms: u64) -> u32 {
        let price = match action {
            Action::Ask(_) => self.limits.ask_nano_usd_max,
            _ => ms.saturating_mul(self.limits.second_nano_usd_max) / 1_000,
        };
        let attempts = self
            .nano_usd_left()
            .and_then(|left| left.checked_div(price));
        attempts.map_or(u32::MAX, |attempts| {
            u32::try_from(attempts.max(1)).unwrap_or(u32::MAX)
        })
    }

    /// Fails where the run's money does not last for a question at this price.
    fn check_price(&self, price: u64) -> Result<(), Refusal> {
        let price = self.nano_usd.saturating_add(price);
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

fn over(message: &str) -> Refusal {
    Refusal {
        why: WhyFailed::Budget,
        message: message.to_owned(),
    }
}
