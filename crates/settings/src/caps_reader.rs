//! Reads the settings `CAP_...`: what a run may ask for at most.

use domain::BUDGET_MAX;

use crate::caps::Caps;
use crate::dollars::NANO_USD_PER_USD;
use crate::reader::SettingsReader;

/// The longest runtime. The platform ends an alarm after 15 minutes; two are for the last calls and
/// writes.
const RUNTIME_MS_MAX: u64 = 13 * 60 * 1_000;
/// The default, which is what `limits.subrequests` of wrangler.toml says; a test holds both
/// together.
const SUBREQUESTS_DEFAULT: u64 = 6_000;
/// The numbers of requests that may be set; the platform allows no more.
const SUBREQUESTS: std::ops::RangeInclusive<u64> = 50..=10_000_000;

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
            searches_max: self.small("CAP_SEARCHES", caps.searches_max, 1_000),
            recognitions_max: self.small("CAP_RECOGNITIONS", caps.recognitions_max, BUDGET_MAX),
            planner_calls_max: self.small("CAP_LLM", caps.planner_calls_max, 1_000),
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

    fn small(&mut self, name: &str, default: u32, most: u32) -> u32 {
        let number = self.number(name, u64::from(default), 1..=u64::from(most));
        u32::try_from(number).unwrap_or(default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
    use crate::kv_writes::KV_WRITES_DEFAULT;
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
}
