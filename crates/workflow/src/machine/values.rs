//! The values of a workflow: its variables, the conditions over these, and the conversion of a tool's answer to a
//! value.
//!
//! Values are JSON. In conditions, a boolean equals the text `true` or `false`, and a number equals its text. Lists and
//! objects equal nothing, not even themselves. Only numbers and their texts can be ordered; for any other value,
//! neither "greater than" nor "less than" holds.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::graph::{Condition, Operator, ValueRef};
use super::interface::Dialect;

/// The most memory of all variables of a run, in bytes.
pub const VARIABLES_BYTES_MAX: usize = 32_000_000;
/// The approximate memory of a value without its content, in bytes. The next constant is the additional memory of a
/// variable or an object's member, without the bytes of its name.
const VALUE_BYTES: usize = 64;
const MEMBER_BYTES: usize = 132;
/// The memory of values that a visit of a node may compare at no extra cost, in bytes.
const BYTES_OF_STEP: usize = 50_000;
/// If both sides of a condition together are too large to be emitted in full, a side of at most this many bytes of JSON
/// still is. A longer side is replaced by its length.
const BRIEF_BYTES_MAX: usize = 64;
/// The longest value that is emitted in full, in bytes of JSON. A longer one is replaced by its length.
const SHOWN_BYTES_MAX: usize = 8_192;

/// The variables of a run. Their memory is limited.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    values: BTreeMap<String, Value>,
    bytes: usize,
}

/// The error for a value that does not fit into the memory of all variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl Variables {
    /// Returns the value of the variable with this name, or null if it was never set.
    #[must_use]
    pub fn value(&self, name: &str) -> &Value {
        self.values.get(name).unwrap_or(&Value::Null)
    }

    /// Sets a variable. Replaces its earlier value, if any.
    pub fn set(&mut self, name: String, value: Value) -> Result<(), Full> {
        let bytes = weight(&name, &value);
        if self.bytes.saturating_add(bytes) > VARIABLES_BYTES_MAX {
            return Err(Full);
        }
        let before = self.values.get(&name).map(|before| weight(&name, before));
        self.bytes = self.bytes.saturating_sub(before.unwrap_or_default()) + bytes;
        self.values.insert(name, value);
        Ok(())
    }

    /// Removes the variables with this prefix, except those for which `keeps` returns true for the name after the
    /// prefix. Returns the number of removed variables.
    pub fn retain_of(&mut self, prefix: &str, keeps: impl Fn(&str) -> bool) -> usize {
        let begin = format!("{prefix}.");
        let stale: Vec<String> = self
            .values
            .range(begin.clone()..)
            .take_while(|(name, _)| name.starts_with(&begin))
            .filter(|(name, _)| !name.get(begin.len()..).is_some_and(&keeps))
            .map(|(name, _)| name.clone())
            .collect();
        for name in &stale {
            if let Some(value) = self.values.remove(name) {
                self.bytes = self.bytes.saturating_sub(weight(name, &value));
            }
        }
        stale.len()
    }

    /// Returns whether there is a variable with this prefix for which `known` returns false for the name after the
    /// prefix.
    #[must_use]
    pub fn has_others_of(&self, prefix: &str, known: impl Fn(&str) -> bool) -> bool {
        let begin = format!("{prefix}.");
        let mut of_it = self.values.range(begin.clone()..);
        of_it
            .by_ref()
            .take_while(|(name, _)| name.starts_with(&begin))
            .any(|(name, _)| !name.get(begin.len()..).is_some_and(&known))
    }

    /// Returns all variables: each name with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }
}

fn weight(name: &str, value: &Value) -> usize {
    MEMBER_BYTES + name.len() + value_bytes(value)
}

/// Returns the approximate memory of a value, in bytes. The recursion is safe, since the parser bounds the depth.
#[must_use]
pub fn value_bytes(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(value_bytes).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| MEMBER_BYTES + name.len() + value_bytes(value))
            .sum(),
    };
    VALUE_BYTES + inner
}

/// The additional variable that holds a node's value if that is a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayAlias {
    /// The variable `.windows`.
    Windows,
    /// The variable `.matches`.
    Matches,
}

/// Folds a node's name to a variable prefix: in lower case, with `_` in place of each character that is not a letter or
/// a digit.
#[must_use]
pub fn fold(name: &str) -> String {
    let lower = name.to_lowercase();
    let folded = lower.chars().map(|letter| {
        if letter.is_alphanumeric() || letter == '_' {
            letter
        } else {
            '_'
        }
    });
    folded.collect()
}

/// Returns the variables that a node's value sets, in order, by their names after the prefix. `success` comes first and
/// `result` last. If a member has the name of another variable, the later one counts; in stored orders of the strict
/// dialect, such a member is omitted.
#[must_use]
pub fn variables_of(
    value: &Value,
    alias: Option<ArrayAlias>,
    dialect: Dialect,
) -> Vec<(&str, Value)> {
    let mut set = vec![("success", Value::Bool(true))];
    let alias = match alias {
        Some(ArrayAlias::Windows) => Some("windows"),
        Some(ArrayAlias::Matches) => Some("matches"),
        None => None,
    };
    match value {
        Value::Object(members) => add_members(&mut set, members, &["success", "result"], dialect),
        Value::Array(list) => {
            set.push(("found", Value::Bool(!list.is_empty())));
            set.push(("count", Value::from(list.len())));
            if let Some(Value::Object(first)) = list.first() {
                let own = [
                    "success",
                    "found",
                    "count",
                    "result",
                    alias.unwrap_or("result"),
                ];
                add_members(&mut set, first, &own, dialect);
            }
            if let Some(alias) = alias {
                set.push((alias, value.clone()));
            }
        }
        Value::Null => {
            set.push(("result", Value::from("")));
            return set;
        }
        Value::String(_) | Value::Bool(_) | Value::Number(_) => {}
    }
    set.push(("result", value.clone()));
    set
}

fn add_members<'value>(
    set: &mut Vec<(&'value str, Value)>,
    members: &'value Map<String, Value>,
    own: &[&str],
    dialect: Dialect,
) {
    let members = members
        .iter()
        .filter(|(key, _)| dialect != Dialect::Strict || !own.contains(&key.as_str()));
    set.extend(members.map(|(key, value)| (key.as_str(), value.clone())));
}

/// Returns both sides of a condition for a notice. They are in full if together they take at most `bytes_max` of
/// memory.
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

/// Returns the extra steps for comparing a condition's values: one for each 50 kB of their memory, so 0 for short
/// values.
#[must_use]
pub fn comparison_steps(condition: &Condition, variables: &Variables) -> u32 {
    let side_bytes = |side: &ValueRef| value_bytes(value_of(side, variables));
    let bytes = side_bytes(&condition.left).saturating_add(side_bytes(&condition.right));
    u32::try_from(bytes / BYTES_OF_STEP).unwrap_or(u32::MAX)
}

/// Returns the value of one side of a condition; null for a variable that was never set.
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

/// Returns a text unchanged, and any other value as compact JSON.
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

/// Parses a text as JSON. Returns the text itself if it is no JSON, and null if it is empty.
#[must_use]
pub fn parse_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.is_empty() => Value::Null,
        Err(_) => Value::from(text),
    }
}

/// Returns a value in the form for notices, where a long value is replaced by its length.
#[must_use]
pub fn shown(value: &Value) -> Value {
    shown_within(value, SHOWN_BYTES_MAX)
}

/// Returns a value in the form for notices. A value of more than `bytes_max` bytes of JSON is replaced by its length.
fn shown_within(value: &Value, bytes_max: usize) -> Value {
    let length = value.to_string().len();
    if length <= bytes_max {
        return value.clone();
    }
    Value::from(format!("{length} bytes of JSON, too long to be shown"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn variables_take_a_bounded_memory() {
        let mut variables = Variables::default();
        let large = Value::from("x".repeat(VARIABLES_BYTES_MAX / 2));
        assert_eq!(variables.set("a.text".into(), large.clone()), Ok(()));
        assert_eq!(variables.set("b.text".into(), large.clone()), Err(Full));
        assert_eq!(variables.value("b.text"), &Value::Null);
        assert_eq!(variables.set("a.text".into(), json!(1)), Ok(()));
        assert_eq!(variables.set("b.text".into(), large), Ok(()));
    }

    #[test]
    fn what_a_node_does_not_set_any_more_can_go() {
        let mut variables = Variables::default();
        for name in ["a.x", "a.found", "ab.x", "a"] {
            variables.set(name.to_owned(), json!(1)).unwrap();
        }
        assert!(variables.has_others_of("a", |name| name == "found"));
        assert_eq!(variables.retain_of("a", |name| name == "found"), 1);
        let names: Vec<_> = variables.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "a.found", "ab.x"]);
    }

    #[test]
    fn names_are_folded_letter_by_letter() {
        for (name, folded) in [
            ("Find Text", "find_text"),
            ("Click (Login)", "click__login_"),
            ("Press Größe", "press_größe"),
            ("İ", "i_"),
            ("", ""),
        ] {
            assert_eq!(fold(name), folded, "{name}");
        }
    }

    #[test]
    fn a_list_gives_its_first_member_and_an_alias() {
        let value = json!([{"count": 9, "x": 1}, {"x": 2}]);
        let names: Vec<_> = variables_of(&value, Some(ArrayAlias::Matches), Dialect::Seed)
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let list = value.to_string();
        let expected = [
            "success=true",
            "found=true",
            "count=2",
            "count=9",
            "x=1",
            &format!("matches={list}"),
            &format!("result={list}"),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn nothing_is_an_empty_text() {
        let expected = [("success", json!(true)), ("result", json!(""))];
        assert_eq!(variables_of(&Value::Null, None, Dialect::Seed), expected);
    }

    #[track_caller]
    fn check(left: &Value, operator: Operator, right: &Value, expected: bool) {
        let side = |value: &Value| ValueRef::Literal(value.clone());
        let condition = Condition {
            left: side(left),
            operator,
            right: side(right),
        };
        let found = holds(&condition, &Variables::default());
        assert_eq!(found, expected, "{left} {} {right}", operator.as_ref());
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
