//! Budgets of a run: checked before each call, noted when a call is sent.

use crate::domain::Limits;
use crate::kernel::{Allowance, Millis};

use super::command::Action;
use super::notice::{PhotoCounts, Reason, Spent};

/// Attempts of one command at most; the conductor pauses between them.
pub(super) const ATTEMPTS_MAX: u32 = 3;

/// Of a planner call: the ranking decides as well, and sooner.
const PLAN_ATTEMPTS_MAX: u32 = 2;

/// The calls that have a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Search,
    Recognition,
    Plan,
}

impl Kind {
    /// What an action is paid from; fetching a photo is free.
    pub(super) fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Search { .. } => Some(Self::Search),
            Action::Recognise { .. } => Some(Self::Recognition),
            Action::Plan(_) => Some(Self::Plan),
            Action::Fetch { .. } => None,
        }
    }

    /// Why a run ends that has used it up. Without a planner it goes on.
    pub(super) fn reason(self) -> Reason {
        match self {
            Self::Search | Self::Plan => Reason::SearchBudget,
            Self::Recognition => Reason::RecognitionBudget,
        }
    }
}

/// Whether a call may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Permission {
    /// Now.
    Granted,
    /// When others of its kind are answered: what is left is kept for their further attempts.
    Later,
    /// Never again.
    Refused(Reason),
}

/// What a run has spent and may still spend.
//= spec Budgets
#[derive(Debug, Clone)]
pub(super) struct Spend {
    searches: Allowance,
    recognitions: Allowance,
    planner_calls: Allowance,
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

    pub(super) fn allowance(&self, kind: Kind) -> Allowance {
        match kind {
            Kind::Search => self.searches,
            Kind::Recognition => self.recognitions,
            Kind::Plan => self.planner_calls,
        }
    }

    pub(super) fn allowance_mut(&mut self, kind: Kind) -> &mut Allowance {
        match kind {
            Kind::Search => &mut self.searches,
            Kind::Recognition => &mut self.recognitions,
            Kind::Plan => &mut self.planner_calls,
        }
    }

    /// Why no call of this kind may ever be sent again.
    pub(super) fn refusal(&self, kind: Kind, now: Millis) -> Option<Reason> {
        if self.time_left_ms(now) == 0 {
            return Some(Reason::RuntimeBudget);
        }
        (self.allowance(kind).unspent() == 0).then(|| kind.reason())
    }

    /// Whether a call of this kind may be sent. Where fewer attempts are left beside those under way
    /// than it may take, it waits for them.
    pub(super) fn permission(&self, kind: Kind, now: Millis) -> Permission {
        self.permission_shared(kind, 1, now)
    }

    /// The same for a recognition, one of so many whose photos are at hand or on their way: they
    /// share what is left, since the last photos of a budget shall not wait for each other.
    pub(super) fn permission_to_recognise(&self, sharers: usize, now: Millis) -> Permission {
        self.permission_shared(Kind::Recognition, sharers, now)
    }

    fn permission_shared(&self, kind: Kind, sharers: usize, now: Millis) -> Permission {
        let allowance = self.allowance(kind);
        let wanted = self.attempts_wanted(kind, sharers);
        match self.refusal(kind, now) {
            Some(reason) => Permission::Refused(reason),
            None if allowance.under_way() > 0 && allowance.left() < wanted => Permission::Later,
            None => Permission::Granted,
        }
    }

    /// How often a call of this kind that is sent now may be tried; a recognition as one of so many.
    pub(super) fn attempts_max(&self, kind: Kind, sharers: usize) -> u32 {
        self.allowance(kind)
            .left()
            .min(self.attempts_wanted(kind, sharers))
    }

    fn attempts_wanted(&self, kind: Kind, sharers: usize) -> u32 {
        let sharers = u32::try_from(sharers.max(1)).unwrap_or(u32::MAX);
        match kind {
            Kind::Recognition => (self.allowance(kind).left() / sharers).clamp(1, ATTEMPTS_MAX),
            Kind::Search => ATTEMPTS_MAX,
            Kind::Plan => PLAN_ATTEMPTS_MAX,
        }
    }

    /// What has been spent, each call under way as one attempt.
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
        let search = |spend: &Spend, now| spend.permission(Kind::Search, Millis(now));
        let refused = Permission::Refused;
        assert_eq!(search(&spend, 1_099), Permission::Granted);
        assert_eq!(search(&spend, 1_100), refused(Reason::RuntimeBudget));
        spend.allowance_mut(Kind::Search).begin(1);
        assert_eq!(search(&spend, 1_050), refused(Reason::SearchBudget));
        assert_eq!(
            spend.permission(Kind::Recognition, Millis(1_050)),
            Permission::Granted
        );
        assert_eq!(spend.time_left_ms(Millis(900)), 100);
    }

    /// So many photos are at hand, and so many attempts are left: how many each has.
    fn check_shares(left: u32, photos: usize, expect: &[u32]) {
        let limits = Limits {
            recognitions_max: left,
            ..Limits::default()
        };
        let mut spend = Spend::new(&limits);
        let mut begun = Vec::new();
        for sharers in (1..=photos).rev() {
            if spend.permission_to_recognise(sharers, Millis(1)) == Permission::Granted {
                let attempts_max = spend.attempts_max(Kind::Recognition, sharers);
                spend.allowance_mut(Kind::Recognition).begin(attempts_max);
                begun.push(attempts_max);
            }
        }
        assert_eq!(begun, expect);
    }

    #[test]
    fn the_last_photos_share_what_is_left_and_do_not_wait_for_each_other() {
        check_shares(100, 5, &[3, 3, 3, 3, 3]);
        check_shares(12, 5, &[2, 2, 2, 3, 3]);
        check_shares(5, 5, &[1, 1, 1, 1, 1]);
        check_shares(3, 5, &[1, 1, 1]);
        check_shares(2, 1, &[2]);
    }

    #[test]
    fn the_last_attempts_are_not_shared_by_calls_at_the_same_time() {
        let limits = Limits {
            searches_max: 5,
            ..Limits::default()
        };
        let mut spend = Spend::new(&limits);
        spend.allowance_mut(Kind::Search).begin(3);
        let later = spend.permission(Kind::Search, Millis(1));
        assert_eq!(later, Permission::Later);
        spend.allowance_mut(Kind::Search).settle(3, 3);
        let alone = spend.permission(Kind::Search, Millis(1));
        assert_eq!(alone, Permission::Granted);
    }
}
