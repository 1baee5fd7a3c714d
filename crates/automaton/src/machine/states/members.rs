//! The members of one JSON object, each read as its kind, or refused with an error that names it.

use serde_json::{Map, Value};

use super::read_error::ReadError;

/// The length of the longest text of a file that is no action, in bytes.
const TEXT_BYTES_MAX: usize = 20_000;

/// A JSON object that is read member by member.
#[derive(Clone, Copy)]
pub(super) struct Members<'json> {
    members: &'json Map<String, Value>,
}

impl<'json> Members<'json> {
    /// Returns the members of a value. Fails where it is no object.
    pub(super) fn of(json: &'json Value, what: &str) -> Result<Self, ReadError> {
        match json {
            Value::Object(members) => Ok(Self { members }),
            _ => Err(ReadError::new(format!("{what} must be an object"))),
        }
    }

    /// Returns the value of a member. Returns `None` where it is absent; null is a value.
    pub(super) fn get(self, name: &str) -> Option<&'json Value> {
        self.members.get(name)
    }

    /// Returns the value of a member that must be there.
    pub(super) fn any(self, name: &str) -> Result<&'json Value, ReadError> {
        let value = self.members.get(name);
        value.ok_or_else(|| ReadError::new(format!("`{name}` is missing")))
    }

    /// Returns the value of a member. Returns `None` where it is absent or null.
    pub(super) fn optional(self, name: &str) -> Option<&'json Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Returns a member that is a text.
    pub(super) fn text(self, name: &str) -> Result<String, ReadError> {
        text(self.any(name)?, name)
    }

    /// Returns a member that is a text, or an empty one where it is absent or null.
    pub(super) fn optional_text(self, name: &str) -> Result<String, ReadError> {
        let value = self.optional(name);
        value.map_or_else(|| Ok(String::new()), |value| text(value, name))
    }

    /// Returns the entries of a list, or none where the list is absent.
    pub(super) fn list(self, name: &str, count_max: usize) -> Result<&'json [Value], ReadError> {
        match self.members.get(name) {
            None => Ok(&[]),
            Some(Value::Array(list)) if list.len() <= count_max => Ok(list),
            Some(Value::Array(_)) => {
                let message = format!("`{name}` has more than {count_max} entries");
                Err(ReadError::new(message))
            }
            Some(_) => Err(ReadError::new(format!("`{name}` must be a list"))),
        }
    }

    /// Returns the entries of a list of texts, or none where the list is absent or null.
    pub(super) fn texts(self, name: &str, count_max: usize) -> Result<Vec<String>, ReadError> {
        if self.optional(name).is_none() {
            return Ok(Vec::new());
        }
        let list = self.list(name, count_max)?.iter();
        list.map(|entry| text(entry, name)).collect()
    }

    /// Returns a flag, or its default where it is absent or null.
    pub(super) fn flag(self, name: &str, default: bool) -> Result<bool, ReadError> {
        let Some(value) = self.optional(name) else {
            return Ok(default);
        };
        let flag = value.as_bool();
        flag.ok_or_else(|| ReadError::new(format!("`{name}` must be true or false")))
    }

    /// Returns every member with its name.
    pub(super) fn all(self) -> impl Iterator<Item = (&'json String, &'json Value)> {
        self.members.iter()
    }
}

fn text(value: &Value, name: &str) -> Result<String, ReadError> {
    let Some(text) = value.as_str() else {
        return Err(ReadError::new(format!("`{name}` must be a text")));
    };
    if text.len() > TEXT_BYTES_MAX {
        let message = format!("`{name}` is longer than {TEXT_BYTES_MAX} bytes");
        return Err(ReadError::new(message));
    }
    Ok(text.to_owned())
}
