//! The limits of what the operator lets one run ask for.

use domain::{CallPrices, Limits, RECALLED_FETCHES_MAX, RECALLS_MAX};

/// The largest budgets that a run may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caps {
    /// The most attempts of searches.
    pub searches_max: u32,
    /// The most attempts of recognitions.
    pub recognitions_max: u32,
    /// The most attempts of planner calls.
    pub planner_calls_max: u32,
    /// The longest time of a run, in milliseconds.
    pub runtime_ms_max: u64,
    /// The most money, in billionths of a dollar, or `None` for no cap.
    pub nano_usd_max: Option<u64>,
    /// Whether the operator's token lifts the caps.
    pub are_lifted_by_token: bool,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            searches_max: 50,
            recognitions_max: 250,
            planner_calls_max: 24,
            runtime_ms_max: 300_000,
            nano_usd_max: None,
            are_lifted_by_token: false,
        }
    }
}

/// The most new photos that a search may show: the largest `images`.
const PHOTOS_PER_SEARCH_MAX: u32 = 10;
/// The most requests for one photo: its original and its smaller copy, each redirected three times.
const REQUESTS_PER_PHOTO_MAX: u32 = 8;

/// Returns a number that is far below 2^32.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Caps {
    /// Returns the requests of one run at the very worst, with this many writes to KV: every
    /// attempt that the caps allow, and every photo of every search from both of its addresses; and where the run uses
    /// what was recognised, all that it asks for that.
    #[must_use]
    pub fn requests_max(&self, kv_writes_max: u32, has_memory: bool) -> u32 {
        let memory = if has_memory {
            self.memory_requests_max()
        } else {
            0
        };
        let photos = self.searches_max.saturating_mul(PHOTOS_PER_SEARCH_MAX);
        let calls = self.searches_max.saturating_add(self.recognitions_max);
        let calls = calls.saturating_add(self.planner_calls_max);
        photos
            .saturating_mul(REQUESTS_PER_PHOTO_MAX)
            .saturating_add(calls)
            .saturating_add(kv_writes_max)
            .saturating_add(memory)
    }

    /// Returns the further requests of a run that uses and keeps what was recognised: a question for each photo, those
    /// for remembered photos, the photos that are fetched for that, and what is kept.
    fn memory_requests_max(&self) -> u32 {
        let free = small(RECALLED_FETCHES_MAX);
        let photos = (self.searches_max.saturating_mul(PHOTOS_PER_SEARCH_MAX)).saturating_add(free);
        photos
            .saturating_add(free.saturating_mul(REQUESTS_PER_PHOTO_MAX))
            .saturating_add(small(RECALLS_MAX))
            .saturating_add(self.recognitions_max.div_ceil(10))
    }

    /// Returns what is wrong with a cap of dollars where the dearest single call costs more than
    /// it.
    #[must_use]
    pub fn lack_of_money(&self, prices: &CallPrices) -> Option<String> {
        let dearest = prices.search_nano_usd_max;
        let dearest = dearest.max(prices.recognition_nano_usd_max);
        let dearest = dearest.max(prices.planner_nano_usd_max);
        (self.nano_usd_max? < dearest).then(|| {
            // The number of billionths is far below 2^52.
            let usd = dearest as f64 / 1e9;
            format!("must be at least {usd}, what one call may cost; raise it or leave it out")
        })
    }

    /// Returns the caps of a stranger, which are no more than the default budgets.
    #[must_use]
    pub(crate) fn for_strangers(&self) -> Self {
        let limits = self.default_limits();
        Self {
            searches_max: limits.searches_max,
            recognitions_max: limits.recognitions_max,
            planner_calls_max: limits.planner_calls_max,
            runtime_ms_max: limits.runtime_ms_max,
            nano_usd_max: self.nano_usd_max,
            are_lifted_by_token: true,
        }
    }

    /// Returns the specification's budgets, or the caps where they are lower.
    #[must_use]
    pub fn default_limits(&self) -> Limits {
        let limits = Limits::default();
        Limits {
            searches_max: limits.searches_max.min(self.searches_max),
            recognitions_max: limits.recognitions_max.min(self.recognitions_max),
            planner_calls_max: limits.planner_calls_max.min(self.planner_calls_max),
            runtime_ms_max: limits.runtime_ms_max.min(self.runtime_ms_max),
            nano_usd_max: self.nano_usd_max,
            ..limits
        }
    }
}
