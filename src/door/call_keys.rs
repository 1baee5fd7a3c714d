//! The keys of calls that bring no key of their own. The same call of one caller, sent again while its run goes on or
//! a moment later, is meant to find that run; later it begins a new one.

use serde_json::{Map, Value};

use domain::Sha256Digest;

/// The time in which keys are numbered anew, in milliseconds.
const PERIOD_MS: u64 = 3_600_000;
/// The time into a period in which a run of the period before may still be meant, in milliseconds: longer than any
/// run takes.
const OVERLAP_MS: u64 = 20 * 60_000;
/// The most runs of the same call in one period that are told apart. Each ended before the next one began.
pub const CALL_RUNS_MAX: u32 = 8;

/// Returns the name of a call, which is the same for the same tool and arguments.
#[must_use]
pub fn call_name(tool: &str, arguments: &Map<String, Value>) -> Sha256Digest {
    // The members of a map are in the order of their names.
    let arguments = Value::Object(arguments.clone()).to_string();
    Sha256Digest::of(format!("{tool}\n{arguments}").as_bytes())
}

/// Returns the period of this time, from which on a call that is sent now may mean a run, and the period in which it
/// begins one.
#[must_use]
pub fn call_periods(now_ms: u64) -> std::ops::RangeInclusive<u64> {
    let period = now_ms / PERIOD_MS;
    let is_early = now_ms % PERIOD_MS < OVERLAP_MS;
    period.saturating_sub(u64::from(is_early))..=period
}

/// Returns the text of the key that the call of this name has in a period, where so many runs of it are over.
#[must_use]
pub fn call_key(name: &Sha256Digest, period: u64, runs: u32) -> String {
    format!("call-{name}-{period}-{runs}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(json: Value) -> Map<String, Value> {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_call_is_its_tool_and_its_arguments_in_any_order() {
        let name = |tool, json| call_name(tool, &arguments(json));
        let one = name("find_chain", json!({"a": "x", "b": "y"}));
        assert_eq!(one, name("find_chain", json!({"b": "y", "a": "x"})));
        assert_ne!(one, name("find_chain", json!({"a": "y", "b": "x"})));
        assert_ne!(one, name("other", json!({"a": "x", "b": "y"})));
    }

    #[test]
    fn a_run_of_the_hour_before_is_found_and_none_is_begun_there() {
        assert_eq!(call_periods(5 * PERIOD_MS + 1_000), 4..=5);
        assert_eq!(call_periods(5 * PERIOD_MS + OVERLAP_MS), 5..=5);
        assert_eq!(call_periods(0), 0..=0);
        let name = Sha256Digest::new([1; 32]);
        assert_ne!(call_key(&name, 5, 0), call_key(&name, 4, 0));
        assert_ne!(call_key(&name, 5, 0), call_key(&name, 5, 1));
    }
}
