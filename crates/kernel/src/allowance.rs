//! A budget of attempts.

/// The attempts that one kind of call may still make.
///
/// Calls may be under way at the same time. Each counts as one attempt from when it is sent. The
/// further attempts that it may take are kept for it, so that all calls together never pass the
/// limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    spent: u32,
    kept: u32,
    under_way: u32,
    lost: u32,
    limit: u32,
}

impl Allowance {
    /// Makes an allowance of which nothing is spent yet.
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

    /// Returns the number of attempts made, where each call under way counts as one.
    #[must_use]
    pub fn spent(self) -> u32 {
        self.spent
    }

    /// Returns the number of attempts that may be made in all.
    #[must_use]
    pub fn limit(self) -> u32 {
        self.limit
    }

    /// Returns the number of attempts that were not made, including those kept for calls under way.
    #[must_use]
    pub fn unspent(self) -> u32 {
        self.limit.saturating_sub(self.spent)
    }

    /// Returns the number of attempts that a new call may take.
    #[must_use]
    pub fn left(self) -> u32 {
        self.unspent().saturating_sub(self.kept)
    }

    /// Returns the number of calls under way.
    #[must_use]
    pub fn under_way(self) -> u32 {
        self.under_way
    }

    /// Notes that a call is sent which may take this many attempts.
    pub fn begin(&mut self, attempts_max: u32) {
        self.under_way = self.under_way.saturating_add(1);
        self.spent = self.spent.saturating_add(1);
        self.kept = self.kept.saturating_add(attempts_max.saturating_sub(1));
    }

    /// Settles a call that was begun with `attempts_max` attempts, of which `attempts` were really
    /// made.
    pub fn settle(&mut self, attempts_max: u32, attempts: u32) {
        self.under_way = self.under_way.saturating_sub(1);
        self.kept = self.kept.saturating_sub(attempts_max.saturating_sub(1));
        self.spent = self.spent.saturating_sub(1).saturating_add(attempts);
    }

    /// Settles a call whose answer was lost: its attempts are spent, and nothing came of them.
    pub fn settle_lost(&mut self, attempts_max: u32, attempts: u32) {
        self.settle(attempts_max, attempts);
        self.lost = self.lost.saturating_add(attempts);
    }

    /// Returns what would be unspent had no answer been lost. It is for advice, never for a check.
    #[must_use]
    pub fn unspent_but_for_losses(self) -> u32 {
        self.unspent().saturating_add(self.lost).min(self.limit)
    }

    /// Returns what would be left had no answer been lost. It is for choices, which are the same after an interruption,
    /// and never for a check.
    #[must_use]
    pub fn left_but_for_losses(self) -> u32 {
        self.unspent_but_for_losses().saturating_sub(self.kept)
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
