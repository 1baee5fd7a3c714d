//! A world as a JSON file: read, checked whole, and written.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use super::definition::World;

/// What is wrong with a world file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldError {
    /// The text is not JSON; the parser's words.
    NotJson(String),
    /// A member that must be there is not.
    Missing(&'static str),
    /// Something has the wrong type or content: where, and what was expected.
    Wrong {
        /// For example `photos[3][1]`.
        place: String,
        /// What should stand there, in words.
        expected: &'static str,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(reason) => write!(out, "the world file is not JSON: {reason}"),
            Self::Missing(member) => {
                write!(out, "the world file has no member \"{member}\"")
            }
            Self::Wrong { place, expected } => {
                write!(
                    out,
                    "the world file's {place} is wrong: expected {expected}"
                )
            }
        }
    }
}

impl std::error::Error for WorldError {}

impl World {
    /// Reads a world file: `{"name","source","license","photos":[[key,...],...]}` and, for
    /// namesakes, `"people":{"<key>":{"name":"<displayed name>"}}`. It may recommend a pair worth
    /// trying first, `"example":{"a":"<key>","b":"<key>"}`. Unknown members are ignored.
    pub fn parse(json: &str) -> Result<Self, WorldError> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| WorldError::NotJson(error.to_string()))?;
        let file = value
            .as_object()
            .ok_or_else(|| wrong("top level", "a JSON object"))?;
        let displayed = displayed_names(file)?;
        let photos = photo_keys(file)?;
        let texts = [
            text(file, "name")?,
            text(file, "source")?,
            text(file, "license")?,
        ];
        let world = Self::assemble(texts, &photos, &displayed);
        let Some(example) = file.get("example") else {
            return Ok(world);
        };
        let ends = [
            example_end(&world, example, "a")?,
            example_end(&world, example, "b")?,
        ];
        Ok(world.recommending(ends))
    }

    /// The world as a file that [`World::parse`] reads back to an equal one.
    #[must_use]
    pub fn to_json(&self) -> String {
        let key = |number: &usize| self.people.get(*number).map(|person| person.key.as_str());
        let photos: Vec<Vec<&str>> = self
            .photos
            .iter()
            .map(|photo| photo.people.iter().filter_map(key).collect())
            .collect();
        let named = self.people.iter().enumerate().filter(|(number, person)| {
            person.key != person.name || self.photos_of(*number).is_empty()
        });
        let people: Map<String, Value> = named
            .map(|(_, person)| (person.key.clone(), serde_json::json!({"name": person.name})))
            .collect();
        serde_json::json!({
            "name": self.name, "source": self.source, "license": self.license,
            "people": people, "photos": photos,
        })
        .to_string()
    }
}

/// The person whose key stands in this member of the recommended pair.
fn example_end(world: &World, example: &Value, member: &str) -> Result<usize, WorldError> {
    example
        .get(member)
        .and_then(Value::as_str)
        .and_then(|key| world.people.iter().position(|person| person.key == key))
        .ok_or_else(|| {
            wrong(
                format!("example.{member}"),
                "the key of somebody in a photo",
            )
        })
}

fn wrong(place: impl Into<String>, expected: &'static str) -> WorldError {
    WorldError::Wrong {
        place: place.into(),
        expected,
    }
}

fn text(file: &Map<String, Value>, member: &'static str) -> Result<String, WorldError> {
    let value = file.get(member).ok_or(WorldError::Missing(member))?;
    let text = value
        .as_str()
        .ok_or_else(|| wrong(format!("\"{member}\""), "a text"))?;
    Ok(text.to_owned())
}

fn photo_keys(file: &Map<String, Value>) -> Result<Vec<Vec<&str>>, WorldError> {
    let photos = file.get("photos").ok_or(WorldError::Missing("photos"))?;
    let photos = photos
        .as_array()
        .ok_or_else(|| wrong("\"photos\"", "a list of photos"))?;
    photos
        .iter()
        .enumerate()
        .map(|(number, photo)| keys_of(number, photo))
        .collect()
}

fn keys_of(number: usize, photo: &Value) -> Result<Vec<&str>, WorldError> {
    let keys = photo
        .as_array()
        .ok_or_else(|| wrong(format!("photos[{number}]"), "a list of names"))?;
    let key = |(position, value): (usize, &'_ Value)| match value.as_str() {
        Some(key) if is_name(key) => Ok(()),
        _ => Err(wrong(
            format!("photos[{number}][{position}]"),
            "a name without control characters",
        )),
    };
    keys.iter().enumerate().try_for_each(key)?;
    Ok(keys.iter().filter_map(Value::as_str).collect())
}

fn displayed_names(file: &Map<String, Value>) -> Result<BTreeMap<String, String>, WorldError> {
    let Some(people) = file.get("people") else {
        return Ok(BTreeMap::new());
    };
    let people = people
        .as_object()
        .ok_or_else(|| wrong("\"people\"", "an object of people"))?;
    let mut displayed = BTreeMap::new();
    for (key, person) in people {
        let place = || format!("people[{key:?}]");
        if !is_name(key) {
            return Err(wrong(place(), "a key without control characters"));
        }
        let person = person
            .as_object()
            .ok_or_else(|| wrong(place(), "an object"))?;
        let name = match person.get("name") {
            None => key.as_str(),
            Some(name) => name
                .as_str()
                .filter(|name| is_name(name))
                .ok_or_else(|| wrong(format!("{}.name", place()), "a displayed name"))?,
        };
        displayed.insert(key.clone(), name.to_owned());
    }
    Ok(displayed)
}

fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests;
