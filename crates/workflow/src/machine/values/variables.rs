//! The variables of a run: global, by their whole names.

use std::collections::BTreeMap;

use serde_json::Value;

/// The most memory of all variables of a run together, in bytes.
pub const VARIABLES_BYTES_MAX: usize = 32_000_000;

/// The variables of a run.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    values: BTreeMap<String, Value>,
    bytes: usize,
}

/// The error that there is no room for one more value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl Variables {
    /// Returns the value of this name, or null where there is none.
    #[must_use]
    pub fn value(&self, name: &str) -> &Value {
        self.values.get(name).unwrap_or(&Value::Null)
    }

    /// Sets a value in the place of an earlier one.
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

    /// Removes the variables under a prefix whose names `keeps` does not keep, and returns how many
    /// there were.
    pub fn retain_of(&mut self, prefix: &str, keeps: impl Fn(&str) -> bool) -> usize {
        let begin = format!("{prefix}.");
        let of_it = self.values.range(begin.clone()..);
        let of_it = of_it.take_while(|(name, _)| name.starts_with(&begin));
        let stale: Vec<String> = of_it
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

    /// Returns whether a variable is set under a prefix whose name `known` does not know.
    #[must_use]
    pub fn has_others_of(&self, prefix: &str, known: impl Fn(&str) -> bool) -> bool {
        let begin = format!("{prefix}.");
        let mut of_it = self.values.range(begin.clone()..);
        of_it
            .by_ref()
            .take_while(|(name, _)| name.starts_with(&begin))
            .any(|(name, _)| !name.get(begin.len()..).is_some_and(&known))
    }

    /// Returns every variable, by its name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }
}

/// The memory of a value in a list or of a member, and of the block that a member's name is in, in
/// bytes.
const VALUE_BYTES: usize = 64;
const MEMBER_BYTES: usize = 132;

fn weight(name: &str, value: &Value) -> usize {
    MEMBER_BYTES + name.len() + value_bytes(value)
}

/// Returns about how many bytes of memory a value takes. The value's depth is bounded by its
/// reader.
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
}
