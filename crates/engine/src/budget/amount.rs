//! The amount that is reserved or spent.

use serde::{Deserialize, Serialize};

use domain::{CallPrices, Limits, PAGE_OPENINGS_MAX};

/// The calls, counted by attempts, and what all calls cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Amount {
    /// Attempts of searches.
    pub searches: u64,
    /// Attempts of recognitions.
    pub recognitions: u64,
    /// Billionths of a dollar, for planner calls too.
    pub nano_usd: u64,
}

impl Amount {
    /// Returns the most that a run of these limits may spend, where attempts cost so much at most.
    #[must_use]
    pub fn most_of(limits: &Limits, prices: CallPrices) -> Self {
        let cost = |attempts: u32, price: u64| u64::from(attempts).saturating_mul(price);
        let pages = if limits.captures_pages {
            PAGE_OPENINGS_MAX
        } else {
            0
        };
        let conversions = if limits.converts_photos {
            limits.recognitions_max
        } else {
            0
        };
        let calls = cost(limits.searches_max, prices.search_nano_usd_max)
            .saturating_add(cost(
                limits.recognitions_max,
                prices.recognition_nano_usd_max,
            ))
            .saturating_add(cost(limits.planner_calls_max, prices.planner_nano_usd_max))
            .saturating_add(cost(pages, prices.page_nano_usd_max))
            .saturating_add(cost(conversions, prices.conversion_nano_usd_max));
        Self {
            searches: u64::from(limits.searches_max),
            recognitions: u64::from(limits.recognitions_max),
            nano_usd: limits.nano_usd_max.map_or(calls, |most| most.min(calls)),
        }
    }

    /// Returns dollars as billionths of a dollar. A run costs at most 1e13 of them.
    #[must_use]
    pub fn nano_usd_of(usd: f64) -> u64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let nano_usd = (usd.max(0.0) * 1e9).round() as u64;
        nano_usd
    }

    /// Returns both amounts together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            searches: self.searches.saturating_add(other.searches),
            recognitions: self.recognitions.saturating_add(other.recognitions),
            nano_usd: self.nano_usd.saturating_add(other.nano_usd),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_is_every_attempt_at_its_price_or_the_runs_own_dollars() {
        let prices = CallPrices {
            search_nano_usd_max: 5,
            recognition_nano_usd_max: 1,
            planner_nano_usd_max: 100,
            page_nano_usd_max: 1_000,
            conversion_nano_usd_max: 10_000,
        };
        let most = |nano_usd_max| {
            let limits = Limits {
                nano_usd_max,
                ..Limits::default()
            };
            Amount::most_of(&limits, prices)
        };
        let calls = Amount {
            searches: 20,
            recognitions: 100,
            nano_usd: 20 * 5 + 100 + 12 * 100,
        };
        assert_eq!(most(None), calls);
        assert_eq!(most(Some(1_000_000)), calls);
        assert_eq!(most(Some(7)).nano_usd, 7);
        let with_pages = Limits {
            captures_pages: true,
            ..Limits::default()
        };
        let pages = Amount::most_of(&with_pages, prices).nano_usd;
        assert_eq!(pages, calls.nano_usd + 12 * 1_000);
    }
}
