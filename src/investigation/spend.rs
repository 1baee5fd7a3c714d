//! Budgets of a run: checked before each call, noted when a call is sent.

use crate::domain::Limits;
use crate::kernel::{Allowance, Millis};

use super::command::Action;
use super::notice::{PhotoCounts, Reason, Spent};

/// Attempts of one command at most; the conductor pauses between them.
pub(super) const ATTEMPTS_MAX: u32 = 3;

/// Of a planner call: the ranking decides as well, and sooner.
pub(super) const PLAN_ATTEMPTS_MAX: u32 = 2;

/// What a run has spent and may still spend.
//= spec Budgets
#[derive(Debug, Clone)]
pub(super) struct Spend {
    pub(super) searches: Allowance,
    pub(super) recognitions: Allowance,
    pub(super) planner_calls: Allowance,
    pub(super) photos: PhotoCounts,
    pub(super) nano_usd: u64,
    started: Millis,
    runtime_ms_max: u64,
}

impl Spend {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            searches: Allowance::new(limits.searches_max),
            recognitions: Allowance::new(limits.recognitions_max),
            planner_calls: Allowance::new(limits.planner_calls_max),
            photos: PhotoCounts::default(),
            nano_usd: 0,
            started: Millis::default(),
            runtime_ms_max: limits.runtime_ms_max,
        }
    }

    /// The run's time begins.
    pub(super) fn start(&mut self, now: Millis) {
        self.started = now;
    }

    /// So long nobody conducted the run.
    pub(super) fn pause(&mut self, pause_ms: u64) {
        self.started = Millis(self.started.0.saturating_add(pause_ms));
    }

    /// Milliseconds of the run's time that are left.
    pub(super) fn time_left_ms(&self, now: Millis) -> u64 {
        self.runtime_ms_max.saturating_sub(now.since(self.started))
    }

    /// What an action is paid from; fetching a photo is free.
    pub(super) fn allowance_mut(&mut self, action: &Action) -> Option<&mut Allowance> {
        match action {
            Action::Search { .. } => Some(&mut self.searches),
            Action::Recognise { .. } => Some(&mut self.recognitions),
            Action::Plan(_) => Some(&mut self.planner_calls),
            Action::Fetch { .. } => None,
        }
    }

    /// Whether a search may be sent.
    pub(super) fn may_search(&self, now: Millis) -> Result<(), Reason> {
        self.may_spend(now, self.searches, Reason::SearchBudget)
    }

    /// Whether a photo may be fetched and recognised.
    pub(super) fn may_recognise(&self, now: Millis) -> Result<(), Reason> {
        self.may_spend(now, self.recognitions, Reason::RecognitionBudget)
    }

    fn may_spend(&self, now: Millis, allowance: Allowance, reason: Reason) -> Result<(), Reason> {
        if self.time_left_ms(now) == 0 {
            return Err(Reason::RuntimeBudget);
        }
        if allowance.left() == 0 {
            Err(reason)
        } else {
            Ok(())
        }
    }

    /// What has been spent.
    pub(super) fn snapshot(&self, now: Millis) -> Spent {
        Spent {
            search_calls: self.searches.spent(),
            recognition_calls: self.recognitions.spent(),
            planner_calls: self.planner_calls.spent(),
            runtime_ms: now.since(self.started),
            nano_usd: self.nano_usd,
            photos: self.photos,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_comes_before_the_count() {
        let limits = Limits {
            searches_max: 1,
            runtime_ms_max: 100,
            ..Limits::default()
        };
        let mut spend = Spend::new(&limits);
        spend.start(Millis(1_000));
        assert_eq!(spend.may_search(Millis(1_099)), Ok(()));
        assert_eq!(spend.may_search(Millis(1_100)), Err(Reason::RuntimeBudget));
        spend.searches.note(1);
        assert_eq!(spend.may_search(Millis(1_050)), Err(Reason::SearchBudget));
        assert_eq!(spend.may_recognise(Millis(1_050)), Ok(()));
        assert_eq!(spend.time_left_ms(Millis(900)), 100);
    }
}
