//! The members of an answer's value.

use serde_json::{Map, Value};

use super::quoted::make_plain;

/// The members of an object, one added after the other.
#[derive(Debug, Clone, Default)]
pub struct Members(Map<String, Value>);

impl Members {
    /// Adds a member as it is.
    #[inline(never)]
    pub fn add(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// Adds a stranger's text, as [`make_plain`] makes it.
    #[inline(never)]
    pub fn add_text(&mut self, name: &str, text: &str) {
        self.add_plain(name, text.into());
    }

    /// Adds a stranger's value, as [`make_plain`] makes it.
    #[inline(never)]
    pub fn add_plain(&mut self, name: &str, mut value: Value) {
        make_plain(&mut value);
        self.add(name, value);
    }

    /// Adds what an object has under a name, as [`make_plain`] makes it. Adds nothing where the object has no such
    /// member.
    #[inline(never)]
    pub fn add_of(&mut self, name: &str, object: &Value, member: &str) {
        match object.get(member) {
            None | Some(Value::Null) => {}
            Some(value) => self.add_plain(name, value.clone()),
        }
    }

    /// Returns the object.
    #[must_use]
    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}
