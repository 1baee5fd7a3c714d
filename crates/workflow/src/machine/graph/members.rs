//! The members of one JSON object, each read as its kind, or refused with an error that names it.

use std::fmt;

use serde_json::{Map, Value};

use super::node_id::NodeId;

/// The reason why a JSON text is no workflow: the place, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError(pub(super) String);

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A JSON object that is read member by member.
pub(super) struct Members<'json, 'parent> {
    members: &'json Map<String, Value>,
    place: Place<'parent>,
}

/// The place of an object in a workflow. It is put into words only where an error needs them.
#[derive(Clone, Copy)]
pub(super) enum Place<'parent> {
    /// The workflow itself.
    Workflow,
    /// An entry of a list of the workflow, by the list's word and the position from 0.
    Item(&'static str, usize),
    /// An entry of a list of the workflow, whose name is known.
    Named(&'static str, usize, &'parent str),
    /// A member of another object.
    Member(&'parent Place<'parent>, &'parent str),
    /// An entry of a list in another object.
    Entry(&'parent Place<'parent>, &'static str, &'static str),
}

/// The most characters of a name or a word that an error shows.
const SHOWN_CHARS_MAX: usize = 60;

/// Returns a name or a word as an error shows it.
fn shown(text: &str) -> String {
    text.chars().take(SHOWN_CHARS_MAX).collect()
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workflow => formatter.write_str("the workflow"),
            Self::Item(what, at) => write!(formatter, "{what} {}", at + 1),
            Self::Named(what, at, name) => {
                write!(formatter, "{what} {} \"{}\"", at + 1, shown(name))
            }
            Self::Member(parent, name) => write!(formatter, "`{name}` of {parent}"),
            Self::Entry(parent, what, list) => write!(formatter, "{what} in `{list}` of {parent}"),
        }
    }
}

impl<'json, 'parent> Members<'json, 'parent> {
    /// Returns the members of the value at this place. Fails where the value is no object.
    pub(super) fn of(json: &'json Value, place: Place<'parent>) -> Result<Self, ReadError> {
        match json {
            Value::Object(members) => Ok(Self { members, place }),
            _ => Err(ReadError(format!("{place} must be an object"))),
        }
    }

    /// Returns the members with a better name for their place.
    pub(super) fn named(self, place: Place<'parent>) -> Self {
        Self { place, ..self }
    }

    /// Returns the place of the object.
    pub(super) fn place(&self) -> &Place<'parent> {
        &self.place
    }

    /// Returns the error of a member that is something else than this.
    pub(super) fn wrong(&self, name: &str, expected: &str) -> ReadError {
        let place = Place::Member(&self.place, name);
        ReadError(format!("{place} must be {expected}"))
    }

    /// Returns the value of a member, which must be there.
    pub(super) fn any(&self, name: &str) -> Result<&'json Value, ReadError> {
        self.members
            .get(name)
            .ok_or_else(|| ReadError(format!("{} is missing", Place::Member(&self.place, name))))
    }

    /// Returns the value of a member. Returns `None` where it is absent or null.
    pub(super) fn optional(&self, name: &str) -> Option<&'json Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Returns the members of a member that is an object.
    pub(super) fn object<'this>(
        &'this self,
        name: &'this str,
    ) -> Result<Members<'json, 'this>, ReadError> {
        Members::of(self.any(name)?, Place::Member(&self.place, name))
    }

    /// Returns a member that is a list.
    pub(super) fn list(&self, name: &str) -> Result<&'json [Value], ReadError> {
        match self.any(name)? {
            Value::Array(list) => Ok(list),
            _ => Err(self.wrong(name, "a list")),
        }
    }

    /// Returns a member that is a text.
    pub(super) fn text(&self, name: &str) -> Result<&'json str, ReadError> {
        let text = self.any(name)?.as_str();
        text.ok_or_else(|| self.wrong(name, "a text"))
    }

    /// Returns a member that is a text. Returns `None` where it is absent or null.
    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, ReadError> {
        let text = self.optional(name).map(|value| {
            let text = value.as_str().map(str::to_owned);
            text.ok_or_else(|| self.wrong(name, "a text or null"))
        });
        text.transpose()
    }

    /// Returns a member that is a list of texts.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, ReadError> {
        let texts = self.list(name)?.iter().map(|text| {
            let text = text.as_str().map(str::to_owned);
            text.ok_or_else(|| self.wrong(name, "a list of texts"))
        });
        texts.collect()
    }

    /// Returns a member that is `true` or `false`.
    pub(super) fn flag(&self, name: &str) -> Result<bool, ReadError> {
        let flag = self.any(name)?.as_bool();
        flag.ok_or_else(|| self.wrong(name, "true or false"))
    }

    /// Returns a member that is a number.
    pub(super) fn number(&self, name: &str) -> Result<f64, ReadError> {
        let number = self.any(name)?.as_f64();
        number.ok_or_else(|| self.wrong(name, "a number"))
    }

    /// Returns a member that is a number. Returns `None` where it is absent or null.
    pub(super) fn optional_number(&self, name: &str) -> Result<Option<f64>, ReadError> {
        match self.optional(name) {
            None => Ok(None),
            Some(_) => self.number(name).map(Some),
        }
    }

    /// Returns a member that is a whole number of 32 bits without a sign.
    pub(super) fn count(&self, name: &str) -> Result<u32, ReadError> {
        let count = whole_number(self.any(name)?);
        let count = count.and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| self.wrong(name, "a whole number from 0 to 4294967295"))
    }

    /// Returns a member that is a whole number of 32 bits without a sign. Returns `None` where it
    /// is absent or null.
    pub(super) fn optional_count(&self, name: &str) -> Result<Option<u32>, ReadError> {
        match self.optional(name) {
            None => Ok(None),
            Some(_) => self.count(name).map(Some),
        }
    }

    /// Returns a member that is a whole number of 32 bits with a sign.
    pub(super) fn whole(&self, name: &str) -> Result<i32, ReadError> {
        let whole = whole_number(self.any(name)?);
        let whole = whole.and_then(|whole| i32::try_from(whole).ok());
        whole.ok_or_else(|| self.wrong(name, "a whole number of 32 bits"))
    }

    /// Returns a member that is a number of milliseconds. Returns `None` where it is absent or
    /// null.
    pub(super) fn optional_ms(&self, name: &str) -> Result<Option<u64>, ReadError> {
        let ms = self.optional(name).map(|value| {
            let ms = whole_number(value).and_then(|ms| u64::try_from(ms).ok());
            ms.ok_or_else(|| self.wrong(name, "whole milliseconds or null"))
        });
        ms.transpose()
    }

    /// Returns the value of the word that a member is, which must be one of these words.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, ReadError> {
        let word = self.text(name)?;
        let known = words.iter().find(|(known, _)| *known == word);
        known.map(|(_, meant)| *meant).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
            let (known, shown) = (known.join(", "), shown(word));
            self.wrong(name, &format!("one of {known}, not \"{shown}\""))
        })
    }

    /// Returns a member that is the id of a node.
    pub(super) fn id(&self, name: &str) -> Result<NodeId, ReadError> {
        let id = NodeId::parse(self.text(name)?);
        id.ok_or_else(|| self.wrong(name, "a UUID"))
    }
}

/// The largest number up to which every whole number is an exact binary fraction.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// Returns a whole number, which may be written as `5.0`, as in JSON Schema. Returns `None` where
/// the value is none.
fn whole_number(value: &Value) -> Option<i64> {
    let number = value.as_f64()?;
    let is_whole = number.fract() == 0.0 && number.abs() <= EXACT_MAX;
    // The number is at most 2^53 on either side of 0.
    #[allow(clippy::cast_possible_truncation)]
    let whole = number as i64;
    // A text of more digits is read to the nearest number: it is this large only by that.
    is_whole
        .then_some(value.as_i64().unwrap_or(whole))
        .filter(|whole| whole.unsigned_abs() <= 1 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for (text, expected) in [
            ("0", Some(0)),
            ("5", Some(5)),
            ("5.0", Some(5)),
            ("-3e2", Some(-300)),
            ("9007199254740992", Some(1 << 53)),
            ("-9007199254740992.0", Some(-(1 << 53))),
            ("9007199254740993", None),
            ("18446744073709551615", None),
            ("1e300", None),
            ("5.5", None),
            ("null", None),
            ("\"5\"", None),
        ] {
            let value = serde_json::from_str(text).unwrap();
            assert_eq!(whole_number(&value), expected, "{text}");
        }
    }
}
