//! What must be equal to a recorded run: the actions and the end. The recorded program waited where no wait is needed,
//! so looks and times are not compared.

use serde_json::{Map, Value};

use crate::recorded_cases::{Difference, difference};

/// Returns the first difference between the expectation and the result, which has no times.
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
