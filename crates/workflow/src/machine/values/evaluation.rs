//! The evaluation of conditions.
//!
//! Booleans and the texts `true` and `false` are equal, and so are numbers and their texts. Lists and
//! objects are equal to nothing, not even to themselves. Only numbers and their texts can be larger
//! or smaller than others; for any other value both comparisons are false.

use std::borrow::Cow;

use serde_json::Value;

use crate::machine::graph::{Condition, Operator, ValueRef};

use super::shown::shown_within;
use super::variables::{Variables, value_bytes};

/// The bytes of memory that may be compared at no further cost with the visit of a node.
const BYTES_OF_STEP: usize = 50_000;
/// The longest side of a condition that is told whole where there is no room for both sides, in bytes
/// of JSON. A longer side is told by its number of bytes.
const BRIEF_BYTES_MAX: usize = 64;

/// Returns the left and the right side of a condition as they are told: whole where both together
/// take no more than so many bytes of memory.
#[must_use]
pub fn told_sides(
    condition: &Condition,
    variables: &Variables,
    bytes_max: usize,
) -> (Value, Value) {
    let left = value_of(&condition.left, variables);
    let right = value_of(&condition.right, variables);
    if value_bytes(left).saturating_add(value_bytes(right)) <= bytes_max {
        return (left.clone(), right.clone());
    }
    let told = |side| shown_within(side, BRIEF_BYTES_MAX);
    (told(left), told(right))
}

/// Returns whether a condition holds.
#[must_use]
pub fn holds(condition: &Condition, variables: &Variables) -> bool {
    let left = value_of(&condition.left, variables);
    let right = value_of(&condition.right, variables);
    match condition.operator {
        Operator::Equals => are_equal(left, right),
        Operator::NotEquals => !are_equal(left, right),
        Operator::GreaterThan => compare(left, right, |left, right| left > right),
        Operator::LessThan => compare(left, right, |left, right| left < right),
        Operator::GreaterThanOrEqual => compare(left, right, |left, right| left >= right),
        Operator::LessThanOrEqual => compare(left, right, |left, right| left <= right),
        Operator::Contains => text_of(left).contains(&*text_of(right)),
        Operator::NotContains => !text_of(left).contains(&*text_of(right)),
        Operator::IsEmpty => is_empty(left),
        Operator::IsNotEmpty => !is_empty(left),
    }
}

/// Returns how many steps it takes to compare a condition's values, beside the visit of its node: 0
/// where they are short, and one for each 50 kB of memory.
#[must_use]
pub fn comparison_steps(condition: &Condition, variables: &Variables) -> u32 {
    let bytes = |side: &ValueRef| value_bytes(value_of(side, variables));
    let bytes = bytes(&condition.left).saturating_add(bytes(&condition.right));
    u32::try_from(bytes / BYTES_OF_STEP).unwrap_or(u32::MAX)
}

/// Returns the value of a side of a condition. A variable that was never set is null.
fn value_of<'value>(side: &'value ValueRef, variables: &'value Variables) -> &'value Value {
    match side {
        ValueRef::Variable(name) => variables.value(name),
        ValueRef::Literal(value) => value,
    }
}

fn are_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Bool(flag), Value::String(text)) | (Value::String(text), Value::Bool(flag)) => {
            text == if *flag { "true" } else { "false" }
        }
        (Value::Number(_), Value::Number(_) | Value::String(_))
        | (Value::String(_), Value::Number(_)) => compare(left, right, |left, right| {
            (left - right).abs() < f64::EPSILON
        }),
        _ => false,
    }
}

fn compare(left: &Value, right: &Value, is_so: impl Fn(f64, f64) -> bool) -> bool {
    match (number_of(left), number_of(right)) {
        (Some(left), Some(right)) => is_so(left, right),
        _ => false,
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse::<f64>().ok(),
        _ => None,
    }
}

/// Returns a text as it is, and any other value as its compact JSON.
fn text_of(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(left: &Value, operator: Operator, right: &Value, expected: bool) {
        let side = |value: &Value| ValueRef::Literal(value.clone());
        let condition = Condition {
            left: side(left),
            operator,
            right: side(right),
        };
        let found = holds(&condition, &Variables::default());
        assert_eq!(found, expected, "{left} {} {right}", operator.as_str());
    }

    #[test]
    fn what_is_equal() {
        let one = [1.0, 1.0 + f64::EPSILON / 2.0];
        for (left, right, expected) in [
            (json!(null), json!(null), true),
            (json!(true), json!("true"), true),
            (json!(true), json!("True"), false),
            (json!(false), json!("false"), true),
            (json!(1), json!(true), false),
            (json!(7), json!(7.0), true),
            (json!("7"), json!(7.0), true),
            (json!("7"), json!("7.0"), false),
            (json!(" 7"), json!(7), false),
            (json!("1e2"), json!(100), true),
            (json!(one[0]), json!(one[1]), true),
            (json!(u64::MAX), json!(u64::MAX - 1), true),
            (json!([]), json!([]), false),
            (json!({}), json!({}), false),
            (json!(null), json!(""), false),
            (json!("inf"), json!("inf"), true),
        ] {
            check(&left, Operator::Equals, &right, expected);
            check(&right, Operator::Equals, &left, expected);
            check(&left, Operator::NotEquals, &right, !expected);
        }
    }

    #[test]
    fn what_is_larger_and_what_contains() {
        use Operator::{
            Contains, GreaterThan, GreaterThanOrEqual, IsEmpty, IsNotEmpty, LessThan, NotContains,
        };
        for (left, operator, right, expected) in [
            (json!("10"), GreaterThan, json!(9), true),
            (json!(null), GreaterThan, json!(9), false),
            (json!(null), LessThan, json!(9), false),
            (json!("b"), GreaterThan, json!("a"), false),
            (json!(9), GreaterThanOrEqual, json!("9.0"), true),
            (json!("13"), Contains, json!(3.0), false),
            (json!("3.05"), Contains, json!(3.0), true),
            (json!([1, "a"]), Contains, json!("\"a\""), true),
            (json!("a null b"), Contains, json!(null), true),
            (json!("abc"), NotContains, json!("d"), true),
            (json!(false), IsEmpty, json!(null), false),
            (json!(0), IsEmpty, json!(null), false),
            (json!({}), IsEmpty, json!(null), true),
            (json!("x"), IsNotEmpty, json!(null), true),
        ] {
            check(&left, operator, &right, expected);
        }
    }
}
