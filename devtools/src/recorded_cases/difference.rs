//! Compares two JSON values up to their first difference.

use std::fmt;

use serde_json::{Number, Value};

/// The most characters of a value that a difference shows.
const SHOWN_CHARS_MAX: usize = 300;

/// The first difference of two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    place: String,
    expected: String,
    found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            expected,
            found,
        } = self;
        write!(
            formatter,
            "at {place}\n    expected {expected}\n    found    {found}"
        )
    }
}

/// Returns the first difference of two values, or `None` if they are equal. Numbers are compared by value, and the
/// order of members is ignored.
#[must_use]
pub fn difference(expected: &Value, found: &Value) -> Option<Difference> {
    differ("", Some(expected), Some(found))
}

fn differ(place: &str, expected: Option<&Value>, found: Option<&Value>) -> Option<Difference> {
    match (expected, found) {
        (None, None) => None,
        (Some(Value::Object(expected)), Some(Value::Object(found))) => {
            let names = expected.keys().chain(found.keys());
            names.into_iter().find_map(|name| {
                differ(
                    &format!("{place}/{name}"),
                    expected.get(name),
                    found.get(name),
                )
            })
        }
        (Some(Value::Array(expected)), Some(Value::Array(found))) => {
            let positions = 0..expected.len().max(found.len());
            positions
                .into_iter()
                .find_map(|at| differ(&format!("{place}/{at}"), expected.get(at), found.get(at)))
        }
        (Some(Value::Number(expected)), Some(Value::Number(found)))
            if are_equal(expected, found) =>
        {
            None
        }
        (Some(expected), Some(found)) if expected == found => None,
        (expected, found) => Some(Difference {
            place: if place.is_empty() { "/" } else { place }.to_owned(),
            expected: shown(expected),
            found: shown(found),
        }),
    }
}

/// Returns whether two numbers are equal. Integers are compared exactly, all others as floats.
fn are_equal(one: &Number, other: &Number) -> bool {
    let whole = |number: &Number| {
        let signed = number.as_i64().map(i128::from);
        signed.or_else(|| number.as_u64().map(i128::from))
    };
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}

fn shown(value: Option<&Value>) -> String {
    let Some(value) = value else {
        return "nothing".to_owned();
    };
    let json = value.to_string();
    let mut shown: String = json.chars().take(SHOWN_CHARS_MAX).collect();
    if shown.len() < json.len() {
        shown.push_str(" ...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_compare_by_value_and_whole_ones_exactly() {
        for (one, other, are_equal) in [
            (json!(7), json!(7.0), true),
            (json!({"a": 1, "b": 2}), json!({"b": 2.0, "a": 1}), true),
            (json!(u64::MAX), json!(u64::MAX - 1), false),
            (json!([1, 2]), json!([1]), false),
            (json!({"a": null}), json!({}), false),
            (json!("3"), json!(3), false),
        ] {
            assert_eq!(
                difference(&one, &other).is_none(),
                are_equal,
                "{one} {other}"
            );
        }
    }
}
