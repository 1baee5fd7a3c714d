//! The members of an answer's value.

use serde_json::{Map, Value};

use super::quoted::{plain, plain_value};

/// The members of an object, one added after the other.
#[derive(Debug, Clone, Default)]
pub struct Members(Map<String, Value>);

impl Members {
    /// Adds a member as it is.
    #[inline(never)]
    pub fn add(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// Adds a stranger's text, as [`plain`] makes it.
    #[inline(never)]
    pub fn add_text(&mut self, name: &str, text: &str) {
        self.add(name, plain(text).into());
    }

    /// Adds what an object has under a name, as [`plain_value`] makes it. Adds nothing where the object has no such
    /// member.
    #[inline(never)]
    pub fn add_of(&mut self, name: &str, object: &Value, member: &str) {
        match object.get(member) {
            None | Some(Value::Null) => {}
            Some(value) => self.add(name, plain_value(value)),
        }
    }

    /// Returns the object.
    #[must_use]
    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}
