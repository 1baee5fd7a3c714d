//! What of a recorded run has to be equal. The words of the formats allow this much:
//!
//! - an engine that refuses strings before the run may give `syntax` as the cause of all;
//! - where the original program itself broke, the engine ends with an error of its own and runs no
//!   further action, so the name of the program's exception is left out;
//! - the times of what happens in a browser are information only.

use serde_json::{Map, Value};

use crate::recorded_cases::{Difference, difference};

use super::case::CaseKind;

/// Returns the first difference between what is expected and what was found.
pub(super) fn run_difference(
    kind: CaseKind,
    expected: &Value,
    found: &Value,
) -> Option<Difference> {
    let (mut expected, mut found) = (expected.clone(), found.clone());
    without_exceptions(&mut expected);
    if kind == CaseKind::Browser {
        without_times(&mut expected);
        without_times(&mut found);
    }
    difference(&expected, &found)
}

/// Returns whether a case expects that the original breaks before it has run any action. An engine may
/// refuse such a case before the run.
pub(super) fn is_crash_without_actions(expected: &Value) -> bool {
    let kind = expected.pointer("/result/error/kind");
    let runs = expected.get("runs").and_then(Value::as_array);
    kind.and_then(Value::as_str) == Some("crash") && runs.is_some_and(Vec::is_empty)
}

/// Leaves the names of the program's exceptions out.
fn without_exceptions(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.get("kind").and_then(Value::as_str) == Some("crash") {
                members.retain(|name, _| name == "kind");
            }
            members.values_mut().for_each(without_exceptions);
        }
        Value::Array(list) => list.iter_mut().for_each(without_exceptions),
        _ => {}
    }
}

fn without_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let kept = std::mem::take(members).into_iter();
            let kept = kept.filter(|(name, _)| name != "at" && name != "until");
            *members = kept.collect::<Map<_, _>>();
            members.values_mut().for_each(without_times);
        }
        Value::Array(list) => list.iter_mut().for_each(without_times),
        _ => {}
    }
}
