//! A budget of attempts.

/// So many attempts of one kind of call may be made, so many were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    spent: u32,
    lost: u32,
    limit: u32,
}

impl Allowance {
    /// Nothing spent yet.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self {
            spent: 0,
            lost: 0,
            limit,
        }
    }

    /// Attempts made.
    #[must_use]
    pub fn spent(self) -> u32 {
        self.spent
    }

    /// Attempts that may be made in all.
    #[must_use]
    pub fn limit(self) -> u32 {
        self.limit
    }

    /// Attempts that may still be made.
    #[must_use]
    pub fn left(self) -> u32 {
        self.limit.saturating_sub(self.spent)
    }

    /// Notes attempts as made.
    pub fn note(&mut self, attempts: u32) {
        self.spent = self.spent.saturating_add(attempts);
    }

    /// Settles a call that was noted as one attempt when it was sent: so many were really made.
    pub fn settle(&mut self, attempts: u32) {
        self.spent = self.spent.saturating_sub(1).saturating_add(attempts);
    }

    /// Settles a call whose answer was lost: spent, and nothing had of it.
    pub fn settle_lost(&mut self, attempts: u32) {
        self.settle(attempts);
        self.lost = self.lost.saturating_add(attempts);
    }

    /// What would be left had nothing been lost: for advice, never for a check.
    #[must_use]
    pub fn left_but_for_losses(self) -> u32 {
        self.left().saturating_add(self.lost).min(self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_no_longer_left() {
        let mut allowance = Allowance::new(3);
        allowance.note(2);
        assert_eq!(
            (allowance.spent(), allowance.left(), allowance.limit()),
            (2, 1, 3)
        );
        allowance.note(5);
        assert_eq!(allowance.left(), 0);
    }

    #[test]
    fn a_sent_call_is_settled_by_its_real_attempts() {
        for (attempts, spent) in [(0, 0), (1, 1), (3, 3)] {
            let mut allowance = Allowance::new(3);
            allowance.note(1);
            allowance.settle(attempts);
            assert_eq!(allowance.spent(), spent);
        }
    }

    #[test]
    fn what_is_lost_is_spent_and_told_apart() {
        let mut allowance = Allowance::new(5);
        allowance.note(1);
        allowance.settle_lost(2);
        assert_eq!((allowance.spent(), allowance.left()), (2, 3));
        assert_eq!(allowance.left_but_for_losses(), 5);
    }
}
