//! The dollars that a run may still cost.

use domain::{CallPrices, Limits};

use super::call_kind::CallKind;

/// The cost of a run so far, and the most that it may cost, in billionths of a dollar. The most
/// that a call under way may cost is kept for it, so that all together never pass the limit.
#[derive(Debug, Clone)]
pub struct Money {
    paid: u64,
    kept: u64,
    limit: Option<u64>,
    prices: CallPrices,
}

impl Money {
    pub fn new(limits: &Limits) -> Self {
        Self {
            paid: 0,
            kept: 0,
            limit: limits.nano_usd_max,
            prices: limits.prices,
        }
    }

    pub fn paid(&self) -> u64 {
        self.paid
    }

    pub fn pay(&mut self, nano_usd: u64) {
        self.paid = self.paid.saturating_add(nano_usd);
    }

    /// Keeps the most that a call may cost which may be tried this often.
    pub fn keep(&mut self, kind: CallKind, attempts_max: u32) {
        self.kept = self.kept.saturating_add(self.most(kind, attempts_max));
    }

    /// Gives back what was kept for a call that is over and was begun with this many attempts at
    /// most.
    pub fn give_back(&mut self, kind: CallKind, attempts_max: u32) {
        self.kept = self.kept.saturating_sub(self.most(kind, attempts_max));
    }

    /// Returns how many attempts of a kind could be paid if no call were under way. Returns `None`
    /// where nothing limits them.
    pub fn attempts(&self, kind: CallKind) -> Option<u32> {
        self.affordable(kind, self.limit?.saturating_sub(self.paid))
    }

    /// Returns how many attempts of a kind can be paid beside what is kept for calls under way.
    /// Returns `None` where nothing limits them.
    pub fn attempts_left(&self, kind: CallKind) -> Option<u32> {
        let left = self.limit?.saturating_sub(self.paid);
        self.affordable(kind, left.saturating_sub(self.kept))
    }

    fn affordable(&self, kind: CallKind, nano_usd: u64) -> Option<u32> {
        let attempts = nano_usd.checked_div(self.price(kind))?;
        Some(u32::try_from(attempts).unwrap_or(u32::MAX))
    }

    fn most(&self, kind: CallKind, attempts_max: u32) -> u64 {
        if self.limit.is_none() {
            return 0;
        }
        self.price(kind).saturating_mul(u64::from(attempts_max))
    }

    fn price(&self, kind: CallKind) -> u64 {
        match kind {
            CallKind::Search => self.prices.search_nano_usd_max,
            CallKind::Recognition => self.prices.recognition_nano_usd_max,
            CallKind::Planner => self.prices.planner_nano_usd_max,
            CallKind::Page => self.prices.page_nano_usd_max,
            CallKind::Conversion => self.prices.conversion_nano_usd_max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_under_way_may_cost_is_kept_for_them() {
        let limits = Limits {
            nano_usd_max: Some(10),
            prices: CallPrices {
                search_nano_usd_max: 5,
                recognition_nano_usd_max: 1,
                ..CallPrices::default()
            },
            ..Limits::default()
        };
        let mut money = Money::new(&limits);
        let left = |money: &Money| {
            let kinds = [CallKind::Search, CallKind::Recognition, CallKind::Planner];
            kinds.map(|kind| money.attempts_left(kind))
        };
        assert_eq!(left(&money), [Some(2), Some(10), None]);
        money.keep(CallKind::Search, 1);
        money.keep(CallKind::Recognition, 3);
        assert_eq!(left(&money), [Some(0), Some(2), None]);
        assert_eq!(money.attempts(CallKind::Search), Some(2));
        money.give_back(CallKind::Recognition, 3);
        money.pay(1);
        assert_eq!(left(&money), [Some(0), Some(4), None]);
        money.give_back(CallKind::Search, 1);
        assert_eq!(left(&money), [Some(1), Some(9), None]);
        assert_eq!(
            Money::new(&Limits::default()).attempts(CallKind::Search),
            None
        );
    }
}
