//! Compares a run with the recorded one by its actions and its end. Looks and times are not compared, because the
//! recorded program waited where no wait is needed.

use serde_json::{Map, Value};

use crate::recorded_cases::{Difference, difference};

/// Returns the first difference between the expectation, without its times, and the result.
pub(super) fn run_difference(expected: &Value, found: &Value) -> Option<Difference> {
    difference(&without_times(expected), found)
}

fn without_times(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members
                .iter()
                .filter(|(name, _)| !["at", "until", "polls"].contains(&name.as_str()));
            let kept = kept.map(|(name, value)| (name.clone(), without_times(value)));
            kept.collect::<Map<_, _>>().into()
        }
        Value::Array(list) => list.iter().map(without_times).collect(),
        other => other.clone(),
    }
}
