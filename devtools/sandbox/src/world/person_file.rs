//! The details of a person in a world file: name, number, aliases, description.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::people::{PersonDetails, WorldPerson, made_up_wikidata_number};
use super::world_error::{WorldError, is_name, wrong};

/// Parses the member `people`, which may be missing.
pub(super) fn read(
    file: &Map<String, Value>,
) -> Result<BTreeMap<String, PersonDetails>, WorldError> {
    let Some(people) = file.get("people") else {
        return Ok(BTreeMap::new());
    };
    let people = people
        .as_object()
        .ok_or_else(|| wrong("\"people\"", "an object of people"))?;
    people
        .iter()
        .map(|(key, person)| Ok((key.clone(), details(key, person)?)))
        .collect()
}

fn details(key: &str, person: &Value) -> Result<PersonDetails, WorldError> {
    let place = |member: &str| format!("people[{key:?}]{member}");
    if !is_name(key) {
        return Err(wrong(place(""), "a key without control characters"));
    }
    let person = person
        .as_object()
        .ok_or_else(|| wrong(place(""), "an object"))?;
    let text = |member: &str, expected: &'static str| match person.get(member) {
        None => Ok(None),
        Some(text) => match text.as_str().filter(|text| is_name(text)) {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(wrong(place(&format!(".{member}")), expected)),
        },
    };
    let number = "a Wikidata number like \"Q42\"";
    let wikidata = text("wikidata", number)?;
    if wikidata.as_deref().is_some_and(|text| !is_number(text)) {
        return Err(wrong(place(".wikidata"), number));
    }
    Ok(PersonDetails {
        name: text("name", "a displayed name")?.unwrap_or_else(|| key.to_owned()),
        wikidata,
        aliases: aliases(person.get("aliases"))
            .ok_or_else(|| wrong(place(".aliases"), "a list of names"))?,
        description: text("description", "a text without control characters")?,
    })
}

fn aliases(value: Option<&Value>) -> Option<Vec<String>> {
    let Some(value) = value else {
        return Some(Vec::new());
    };
    let name = |alias: &Value| {
        let alias = alias.as_str().filter(|alias| is_name(alias))?;
        Some(alias.to_owned())
    };
    value.as_array()?.iter().map(name).collect()
}

/// Returns whether a text is `Q` and up to nine digits without a leading zero.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('Q').unwrap_or_default();
    (1..=9).contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Checks that no two people have the same Wikidata number.
pub(super) fn check_numbers(people: &[WorldPerson]) -> Result<(), WorldError> {
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, person) in people.iter().enumerate() {
        let Some(owner) = owners.insert(&person.wikidata_number, number) else {
            continue;
        };
        // At least one of two equal numbers is from the file, because generated numbers differ from each other.
        let claims = |number: &usize| made_up_wikidata_number(*number) != person.wikidata_number;
        let claimed = [number, owner].into_iter().find(claims);
        let key = claimed.and_then(|number| people.get(number));
        return Err(wrong(
            format!(
                "people[{:?}].wikidata",
                key.map_or("", |person| &person.key)
            ),
            "a Wikidata number that nobody else has",
        ));
    }
    Ok(())
}

/// Returns the entry of a person in a world file, or `None` if the file needs no more than the key.
pub(super) fn written(
    number: usize,
    person: &WorldPerson,
    is_in_photos: bool,
) -> Option<(String, Value)> {
    let mut entry = Map::new();
    if person.key != person.name || !is_in_photos {
        entry.insert("name".to_owned(), json!(person.name));
    }
    if person.wikidata_number != made_up_wikidata_number(number) {
        entry.insert("wikidata".to_owned(), json!(person.wikidata_number));
    }
    if !person.aliases.is_empty() {
        entry.insert("aliases".to_owned(), json!(person.aliases));
    }
    if let Some(description) = &person.description {
        entry.insert("description".to_owned(), json!(description));
    }
    (!entry.is_empty()).then(|| (person.key.clone(), Value::Object(entry)))
}
