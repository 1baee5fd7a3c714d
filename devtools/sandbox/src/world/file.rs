//! A world as a JSON file: parsed, validated, and written.

use serde_json::{Map, Value};

use super::definition::World;
use super::person_file;
use super::world_error::{WorldError, is_name, wrong};

impl World {
    /// Parses a world file, `{"name","source","license","photos":[[key,...],...]}`. Optional details of people are in
    /// `"people":{"<key>":{"name":"<displayed name>","wikidata":"Q42","aliases":["<another name>"],"description":"<few
    /// words>"}}`. The file may recommend a pair worth trying first: `"example":{"a":"<key>","b":"<key>"}`. Unknown
    /// members are ignored.
    pub fn parse(json: &str) -> Result<Self, WorldError> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| WorldError::NotJson(error.to_string()))?;
        let file = value
            .as_object()
            .ok_or_else(|| wrong("top level", "a JSON object"))?;
        let details = person_file::read(file)?;
        let photos = photo_keys(file)?;
        let texts = [
            text(file, "name")?,
            text(file, "source")?,
            text(file, "license")?,
        ];
        let world = Self::assemble(texts, &photos, &details);
        person_file::check_numbers(&world.people)?;
        let Some(example) = file.get("example") else {
            return Ok(world);
        };
        let ends = [
            example_end(&world, example, "a")?,
            example_end(&world, example, "b")?,
        ];
        Ok(world.recommending(ends))
    }

    /// Returns the world as the text of a file, from which [`World::parse`] makes an equal world.
    #[must_use]
    pub fn to_json(&self) -> String {
        let key = |number: &usize| self.people.get(*number).map(|person| person.key.as_str());
        let photos: Vec<Vec<&str>> = self
            .photos
            .iter()
            .map(|photo| photo.people.iter().filter_map(key).collect())
            .collect();
        let people: Map<String, Value> = self
            .people
            .iter()
            .enumerate()
            .filter_map(|(number, person)| {
                let is_in_photos = !self.photos_of(number).is_empty();
                person_file::written(number, person, is_in_photos)
            })
            .collect();
        serde_json::json!({
            "name": self.name, "source": self.source, "license": self.license,
            "people": people, "photos": photos,
        })
        .to_string()
    }
}

/// Returns the person whom one member of the recommended pair names.
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

#[cfg(test)]
mod tests;
