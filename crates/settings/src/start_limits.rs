//! The limits of what may be started in a day, at once and in a minute.

use serde::{Deserialize, Serialize};

use crate::reader::SettingsReader;

/// The settings of the six limits.
const DAILY_SEARCHES: &str = "DAILY_SEARCHES";
const DAILY_RECOGNITIONS: &str = "DAILY_RECOGNITIONS";
const DAILY_USD: &str = "DAILY_USD";
const LIVE_RUNS_MAX: &str = "LIVE_RUNS_MAX";
const LIVE_RUNS_PER_CLIENT_MAX: &str = "LIVE_RUNS_PER_CLIENT_MAX";
const STARTS_PER_MINUTE_MAX: &str = "STARTS_PER_MINUTE_MAX";

/// The largest number of calls a day, and of runs, that may be set.
const CALLS_MAX: u64 = 1_000_000_000;
const RUNS_MAX: u64 = 500;

/// The most that all runs together may spend in a UTC day, and the most runs that there may be.
/// `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StartLimits {
    /// The most attempts of searches in a day.
    pub daily_searches_max: Option<u64>,
    /// The most attempts of recognitions in a day.
    pub daily_recognitions_max: Option<u64>,
    /// The most billionths of a dollar in a day.
    pub daily_nano_usd_max: Option<u64>,
    /// The most runs under way at the same time.
    pub live_runs_max: Option<u64>,
    /// The most runs of one client under way at the same time.
    pub live_runs_per_client_max: Option<u64>,
    /// The most runs that one client starts within any minute.
    pub starts_per_minute_max: Option<u64>,
}

impl StartLimits {
    /// The limits where everybody may start runs and the operator says nothing else: twenty runs of
    /// the default budgets a day, and five dollars.
    pub const PUBLIC: Self = Self {
        daily_searches_max: Some(400),
        daily_recognitions_max: Some(2_000),
        daily_nano_usd_max: Some(5_000_000_000),
        live_runs_max: Some(10),
        live_runs_per_client_max: Some(2),
        starts_per_minute_max: Some(6),
    };

    /// Returns whether nothing is limited: then nobody has to be asked.
    #[must_use]
    pub fn are_off(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the limits of a run that another run begins: it counts as part of that run, which
    /// was counted when it was started.
    #[must_use]
    pub fn of_child(self) -> Self {
        Self {
            live_runs_max: None,
            live_runs_per_client_max: None,
            starts_per_minute_max: None,
            ..self
        }
    }

    /// Returns the limits of the operator, whose runs only the day's budget holds.
    #[must_use]
    pub fn of_operator(self) -> Self {
        Self {
            live_runs_max: None,
            live_runs_per_client_max: None,
            starts_per_minute_max: None,
            ..self
        }
    }

    /// Reads the limits. Each is a number, or `none`; a limit that is not set is [`Self::PUBLIC`]'s
    /// where everybody may start runs, and none elsewhere.
    pub(crate) fn read<F: Fn(&str) -> Option<String>>(
        reader: &mut SettingsReader<F>,
        is_public: bool,
    ) -> Self {
        let default = if is_public {
            Self::PUBLIC
        } else {
            Self::default()
        };
        let calls = 0..=CALLS_MAX;
        let runs = 1..=RUNS_MAX;
        Self {
            daily_searches_max: reader.number_or_none(
                DAILY_SEARCHES,
                default.daily_searches_max,
                calls.clone(),
            ),
            daily_recognitions_max: reader.number_or_none(
                DAILY_RECOGNITIONS,
                default.daily_recognitions_max,
                calls,
            ),
            daily_nano_usd_max: reader.usd_or_none(DAILY_USD, default.daily_nano_usd_max),
            live_runs_max: reader.number_or_none(
                LIVE_RUNS_MAX,
                default.live_runs_max,
                runs.clone(),
            ),
            live_runs_per_client_max: reader.number_or_none(
                LIVE_RUNS_PER_CLIENT_MAX,
                default.live_runs_per_client_max,
                runs.clone(),
            ),
            starts_per_minute_max: reader.number_or_none(
                STARTS_PER_MINUTE_MAX,
                default.starts_per_minute_max,
                runs,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
    use crate::reader::among;

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
