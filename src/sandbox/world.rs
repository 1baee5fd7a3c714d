//! A world: who is in which photo. Parsed once, checked whole, then only read.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use super::hash::{below, hash};
use super::index::Index;

/// Photos and the people in them.
#[derive(Clone, Debug)]
pub struct World {
    /// What the world calls itself.
    pub name: String,
    /// Where its facts come from.
    pub source: String,
    /// Under which licence.
    pub license: String,
    /// Everybody, in order of first appearance.
    pub people: Vec<WorldPerson>,
    /// All photos, in the file's order.
    pub photos: Vec<WorldPhoto>,
    pub(super) index: Index,
    /// The pair that the file itself recommends.
    pub(super) own_example: Option<[usize; 2]>,
}

/// Somebody whom the recogniser knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPerson {
    /// How the world file tells this person from a namesake.
    pub key: String,
    /// The displayed name; two people may share one.
    pub name: String,
    /// The recogniser's identifier.
    pub id: String,
    /// A Wikidata page without its scheme, as the recogniser gives it; about a third have one.
    pub wikidata: Option<String>,
    /// A film database page without its scheme; some have one.
    pub imdb: Option<String>,
}

/// One photo: the numbers of the people in it, from left to right, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPhoto {
    /// Indexes into [`World::people`].
    pub people: Vec<usize>,
}

/// Why a text is no world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldError {
    /// The text is not JSON at all.
    NotJson(String),
    /// A member that must be there is not.
    Missing(&'static str),
    /// Something has the wrong type or content: where, and what was expected.
    Wrong {
        /// The place, as in `photos[3][1]`.
        place: String,
        /// What should stand there.
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
        let mut world = Self::assemble(texts, &photos, &displayed);
        if let Some(example) = file.get("example") {
            world.own_example = Some([world.key_at(example, "a")?, world.key_at(example, "b")?]);
        }
        Ok(world)
    }

    /// The person whose key stands in this member of the recommended pair.
    fn key_at(&self, example: &Value, member: &str) -> Result<usize, WorldError> {
        example
            .get(member)
            .and_then(Value::as_str)
            .and_then(|key| self.people.iter().position(|person| person.key == key))
            .ok_or_else(|| {
                wrong(
                    format!("example.{member}"),
                    "the key of somebody in a photo",
                )
            })
    }

    /// Builds a world from photos as lists of keys, and the displayed names that differ from them.
    pub(super) fn assemble(
        [name, source, license]: [String; 3],
        photos: &[Vec<&str>],
        displayed: &BTreeMap<String, String>,
    ) -> Self {
        let mut roll = Roll {
            people: Vec::new(),
            numbers: BTreeMap::new(),
            displayed,
        };
        let photos: Vec<WorldPhoto> = photos
            .iter()
            .map(|keys| {
                let mut people: Vec<usize> = Vec::with_capacity(keys.len());
                for key in keys {
                    let number = roll.number(key);
                    if !people.contains(&number) {
                        people.push(number);
                    }
                }
                WorldPhoto { people }
            })
            .collect();
        // Somebody described but in no photo still exists: known to the recogniser, never found.
        for key in displayed.keys() {
            roll.number(key);
        }
        let people = roll.people;
        let index = Index::new(&people, &photos);
        Self {
            name,
            source,
            license,
            people,
            photos,
            index,
            own_example: None,
        }
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

    /// The photos that show a person, in order.
    #[must_use]
    pub fn photos_of(&self, person: usize) -> &[usize] {
        self.index.photos_of(person)
    }

    /// The people of a photo; empty for a photo that does not exist.
    #[must_use]
    pub fn people_in(&self, photo: usize) -> &[usize] {
        self.photos
            .get(photo)
            .map_or(&[], |photo| photo.people.as_slice())
    }

    /// A short fingerprint of the world, carried in its pictures: a picture of another world
    /// shows nobody.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let size = [self.people.len(), self.photos.len()];
        let [people, photos] = size.map(Into::into);
        format!(
            "{:016x}",
            hash(&["world".into(), self.name.as_str().into(), people, photos])
        )
    }
}

/// The people met so far.
struct Roll<'a> {
    people: Vec<WorldPerson>,
    numbers: BTreeMap<String, usize>,
    displayed: &'a BTreeMap<String, String>,
}

impl Roll<'_> {
    fn number(&mut self, key: &str) -> usize {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        let number = self.people.len();
        let name = self
            .displayed
            .get(key)
            .map_or_else(|| key.to_owned(), Clone::clone);
        self.people.push(WorldPerson::new(number, key, name));
        self.numbers.insert(key.to_owned(), number);
        number
    }
}

impl WorldPerson {
    fn new(number: usize, key: &str, name: String) -> Self {
        // Of nine: two have both pages, one Wikidata only, three the film database only, three none.
        let share = below(hash(&["urls".into(), key.into()]), 9);
        Self {
            key: key.to_owned(),
            name,
            id: format!("c{number}"),
            wikidata: (share < 3).then(|| format!("www.wikidata.org/wiki/Q9{number:06}")),
            imdb: matches!(share, 0 | 1 | 3..=5)
                .then(|| format!("www.imdb.com/name/nm9{number:06}")),
        }
    }

    /// The recogniser's `Urls`: without scheme, Wikidata first, often none.
    #[must_use]
    pub fn urls(&self) -> Vec<&str> {
        [&self.wikidata, &self.imdb]
            .into_iter()
            .filter_map(Option::as_deref)
            .collect()
    }
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
