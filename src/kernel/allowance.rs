//! A budget of attempts.

/// So many attempts of one kind of call may be made, so many were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    spent: u32,
    limit: u32,
}

impl Allowance {
    /// Nothing spent yet.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self { spent: 0, limit }
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
}
