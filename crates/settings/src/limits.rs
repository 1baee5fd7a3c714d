//! The limits of one run, on what its order may request (`CAP_...`) and on its writes, and the limits of all runs
//! together.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use domain::{BUDGET_MAX, CallPrices, Limits, RECALLED_FETCHES_MAX, RECALLS_MAX};

use crate::reader::{NANO_USD_PER_USD, SettingsReader};

/// The most photos that one search may fetch: the largest permitted value of a run's option `images`.
const PHOTOS_PER_SEARCH_MAX: u32 = 10;
/// The most requests for one photo: one for its original and one for its thumbnail, and three redirects of each.
const REQUESTS_PER_PHOTO_MAX: u32 = 8;

/// The longest runtime, in milliseconds. The platform ends an alarm after 15 minutes, of which two are left for the
/// last calls and writes.
const RUNTIME_MS_MAX: u64 = 13 * 60 * 1_000;
/// The default of `SUBREQUESTS_MAX`. It equals `limits.subrequests` in wrangler.toml, which a test checks.
const SUBREQUESTS_DEFAULT: u64 = 6_000;
/// The permitted range of `SUBREQUESTS_MAX`; the platform allows no more.
const SUBREQUESTS: RangeInclusive<u64> = 50..=10_000_000;

/// The permitted range of the daily limits of calls and of runs.
const CALLS: RangeInclusive<u64> = 0..=1_000_000_000;
const RUNS: RangeInclusive<u64> = 1..=500;

/// The default limit of writes per run to KV. It suffices to write changes every five seconds during the longest run.
pub const KV_WRITES_DEFAULT: u32 = 600;
/// The smallest permitted limit of writes per run. With less, the documents at a run's end could not be written.
pub const KV_WRITES_MIN: u32 = 20;
/// The largest permitted limit of writes per run. KV allows no more operations per invocation.
pub const KV_WRITES_MAX: u32 = 1_000;

/// The largest budgets that a run may request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caps {
    /// The most attempts of searches in a run.
    pub searches_max: u32,
    /// The most attempts of recognitions in a run.
    pub recognitions_max: u32,
    /// The most attempts of planner calls in a run.
    pub planner_calls_max: u32,
    /// The longest time of a run, in milliseconds.
    pub runtime_ms_max: u64,
    /// The most money that a run may spend, in billionths of a dollar; `None` if unlimited.
    pub nano_usd_max: Option<u64>,
    /// Whether requests with the operator's token may exceed the caps.
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

impl Caps {
    /// Returns the largest number of requests that one run can make, including this many writes to KV. It is the sum of
    /// all attempts that the caps allow, all requests for the photos of all searches, the writes, and the additional
    /// requests if there is a memory.
    #[must_use]
    pub fn requests_max(&self, kv_writes_max: u32, has_memory: bool) -> u32 {
        let memory = if has_memory {
            self.memory_requests_max()
        } else {
            0
        };
        let photos = self.searches_max.saturating_mul(PHOTOS_PER_SEARCH_MAX);
        let calls = self
            .searches_max
            .saturating_add(self.recognitions_max)
            .saturating_add(self.planner_calls_max);
        photos
            .saturating_mul(REQUESTS_PER_PHOTO_MAX)
            .saturating_add(calls)
            .saturating_add(kv_writes_max)
            .saturating_add(memory)
    }

    /// Returns the largest number of additional requests of a run with a memory: one per photo, and those for reading
    /// remembered photos, fetching them again, and storing.
    fn memory_requests_max(&self) -> u32 {
        let free = small(RECALLED_FETCHES_MAX);
        let photos = (self.searches_max.saturating_mul(PHOTOS_PER_SEARCH_MAX)).saturating_add(free);
        photos
            .saturating_add(free.saturating_mul(REQUESTS_PER_PHOTO_MAX))
            .saturating_add(small(RECALLS_MAX))
            .saturating_add(self.recognitions_max.div_ceil(10))
    }

    /// Returns a fault if the cap of dollars is below the price of the most expensive single call; otherwise `None`.
    /// With such a cap, that call could never be made.
    #[must_use]
    pub fn lack_of_money(&self, prices: &CallPrices) -> Option<String> {
        let dearest = prices
            .search_nano_usd_max
            .max(prices.recognition_nano_usd_max)
            .max(prices.planner_nano_usd_max);
        (self.nano_usd_max? < dearest).then(|| {
            // The number of billionths is far below 2^52, so the conversion is exact.
            let usd = dearest as f64 / 1e9;
            format!("must be at least {usd}, what one call may cost; raise it or leave it out")
        })
    }

    /// Returns the caps for callers other than the operator, which are at most the default budgets.
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

    /// Returns the specification's default budgets, each lowered to its cap.
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

/// Converts a number that is known to be far below 2^32.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads the settings `CAP_...`.
    pub(crate) fn caps(&mut self, kv_writes_max: u32) -> Caps {
        let caps = self.read_caps();
        let allowed = self.number("SUBREQUESTS_MAX", SUBREQUESTS_DEFAULT, SUBREQUESTS);
        let has_memory = self.text_or("MEMORY", "off") != "off";
        let worst = u64::from(caps.requests_max(kv_writes_max, has_memory));
        if worst > allowed {
            let what = format!(
                "lets a run make {worst} requests at the worst, and SUBREQUESTS_MAX is {allowed}: \
                 lower it, or raise SUBREQUESTS_MAX and limits.subrequests of wrangler.toml alike"
            );
            self.note_wrong("CAP_SEARCHES", &what);
        }
        caps
    }

    fn read_caps(&mut self) -> Caps {
        let caps = Caps::default();
        Caps {
            searches_max: self.small("CAP_SEARCHES", caps.searches_max, 1..=1_000),
            recognitions_max: self.small("CAP_RECOGNITIONS", caps.recognitions_max, 1..=BUDGET_MAX),
            planner_calls_max: self.small("CAP_LLM", caps.planner_calls_max, 1..=1_000),
            runtime_ms_max: self.number(
                "CAP_RUNTIME_MS",
                caps.runtime_ms_max,
                1_000..=RUNTIME_MS_MAX,
            ),
            nano_usd_max: self
                .text("CAP_USD")
                .map(|_| self.price(&["CAP_USD"], 0, NANO_USD_PER_USD)),
            are_lifted_by_token: false,
        }
    }
}

/// The limits of all runs together: what they may spend in a UTC day, and how many there may be. `None` is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StartLimits {
    /// The most attempts of searches in a day.
    pub daily_searches_max: Option<u64>,
    /// The most attempts of recognitions in a day.
    pub daily_recognitions_max: Option<u64>,
    /// The most money in a day, in billionths of a dollar.
    pub daily_nano_usd_max: Option<u64>,
    /// The most runs in progress at once.
    pub live_runs_max: Option<u64>,
    /// The most runs of one client in progress at once.
    pub live_runs_per_client_max: Option<u64>,
    /// The most runs that one client may start within a minute.
    pub starts_per_minute_max: Option<u64>,
}

impl StartLimits {
    /// The default limits if everybody may start runs: five dollars a day, and the calls of twenty runs with the
    /// default budgets.
    pub const PUBLIC: Self = Self {
        daily_searches_max: Some(400),
        daily_recognitions_max: Some(2_000),
        daily_nano_usd_max: Some(5_000_000_000),
        live_runs_max: Some(10),
        live_runs_per_client_max: Some(2),
        starts_per_minute_max: Some(6),
    };

    /// Returns whether nothing is limited. If so, the shared budget need not be queried.
    #[must_use]
    pub fn are_off(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the limits of a child run. Only its spending is limited, since its parent was already counted as a run.
    #[must_use]
    pub fn of_child(self) -> Self {
        self.of_operator()
    }

    /// Returns the limits of the operator's runs, which are only the daily budgets.
    #[must_use]
    pub fn of_operator(self) -> Self {
        Self {
            live_runs_max: None,
            live_runs_per_client_max: None,
            starts_per_minute_max: None,
            ..self
        }
    }

    /// Reads the limits, each of which is a number or `none`. The defaults are those of [`Self::PUBLIC`] if everybody
    /// may start runs, otherwise unlimited.
    pub(crate) fn read<F: Fn(&str) -> Option<String>>(
        reader: &mut SettingsReader<F>,
        is_public: bool,
    ) -> Self {
        let default = if is_public {
            Self::PUBLIC
        } else {
            Self::default()
        };
        let mut calls = |name, default| reader.number_or_none(name, default, &CALLS);
        let daily_searches_max = calls("DAILY_SEARCHES", default.daily_searches_max);
        let daily_recognitions_max = calls("DAILY_RECOGNITIONS", default.daily_recognitions_max);
        let daily_nano_usd_max = reader.usd_or_none("DAILY_USD", default.daily_nano_usd_max);
        let mut runs = |name, default| reader.number_or_none(name, default, &RUNS);
        Self {
            daily_searches_max,
            daily_recognitions_max,
            daily_nano_usd_max,
            live_runs_max: runs("LIVE_RUNS_MAX", default.live_runs_max),
            live_runs_per_client_max: runs(
                "LIVE_RUNS_PER_CLIENT_MAX",
                default.live_runs_per_client_max,
            ),
            starts_per_minute_max: runs("STARTS_PER_MINUTE_MAX", default.starts_per_minute_max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Bindings;
    use crate::reader::among;

    fn caps(settings: &[(&str, &str)]) -> (Caps, Vec<String>) {
        let mut reader = SettingsReader::new(among(settings), Bindings::default());
        (reader.caps(KV_WRITES_DEFAULT), reader.into_wrong())
    }

    #[test]
    fn caps_that_the_platform_would_cut_short_are_named() {
        let (default, wrong) = caps(&[]);
        assert_eq!(
            (default.requests_max(KV_WRITES_DEFAULT, false), wrong),
            (4_924, vec![])
        );
        let (_, wrong) = caps(&[("CAP_SEARCHES", "80")]);
        assert!(
            matches!(&wrong[..], [one] if one.starts_with("CAP_SEARCHES (lets a run make 7354 ")),
            "{wrong:?}"
        );
        let raised = [("CAP_SEARCHES", "80"), ("SUBREQUESTS_MAX", "7500")];
        assert_eq!(caps(&raised).1, Vec::<String>::new());
        assert_eq!(
            caps(&[("CAP_RUNTIME_MS", "780000")]).1,
            Vec::<String>::new()
        );
        let wrong = "CAP_RUNTIME_MS (must be a whole number from 1000 to 780000)";
        assert_eq!(caps(&[("CAP_RUNTIME_MS", "780001")]).1, [wrong]);
    }

    #[test]
    fn the_platforms_limit_is_the_one_that_is_reckoned_with() {
        let configuration = include_str!("../../../wrangler.toml");
        let mut lines = configuration.lines();
        let line = lines.find_map(|line| line.strip_prefix("subrequests = "));
        let limit: u64 = line.unwrap().replace('_', "").parse().unwrap();
        assert_eq!(limit, SUBREQUESTS_DEFAULT);
    }

    fn read(pairs: &[(&str, &str)], is_public: bool) -> (StartLimits, Vec<String>) {
        let mut reader = SettingsReader::new(among(pairs), Bindings::default());
        let limits = StartLimits::read(&mut reader, is_public);
        (limits, reader.into_wrong())
    }

    #[test]
    fn they_are_on_where_everybody_may_start_runs_and_each_goes_off_by_name() {
        assert_eq!(read(&[], true), (StartLimits::PUBLIC, Vec::new()));
        assert!(read(&[], false).0.are_off());
        let (limits, wrong) = read(&[("DAILY_USD", "none"), ("LIVE_RUNS_MAX", "3")], true);
        let expected = StartLimits {
            daily_nano_usd_max: None,
            live_runs_max: Some(3),
            ..StartLimits::PUBLIC
        };
        assert_eq!((limits, wrong), (expected, Vec::new()));
        let (limits, _) = read(&[("DAILY_USD", "0.5")], false);
        assert_eq!(limits.daily_nano_usd_max, Some(500_000_000));
        assert!(!limits.are_off());
        assert_eq!(limits.of_operator(), limits);
        assert_eq!(StartLimits::PUBLIC.of_operator().live_runs_max, None);
    }

    #[test]
    fn what_cannot_be_read_is_named_and_stays_on() {
        for (name, value, words) in [
            ("DAILY_SEARCHES", "many", "from 0 to 1000000000, or none"),
            ("DAILY_USD", "-1", "dollars from 0 to 10000, or none"),
            ("LIVE_RUNS_MAX", "0", "from 1 to 500, or none"),
            ("STARTS_PER_MINUTE_MAX", "501", "from 1 to 500, or none"),
        ] {
            let (limits, wrong) = read(&[(name, value)], true);
            assert_eq!(limits, StartLimits::PUBLIC, "{name}");
            assert!(
                wrong.len() == 1 && wrong[0].contains(name) && wrong[0].contains(words),
                "{wrong:?}"
            );
        }
    }
}
