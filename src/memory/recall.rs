//! The questions for what is remembered: the answer to a photo's bytes, and photos of people.

use std::fmt::Write as _;

use serde_json::Value;

use domain::{
    PeopleToRecall, PersonToRecall, RECALL_PEOPLE_MAX, RECALL_PHOTOS_MAX, RECALL_TOWARD_MAX,
    Sha256Digest, spellings,
};
use platform::WantedAnswers;

use super::statement::{Parameter, Statement};

/// The most people of one name who are recalled.
pub const NAMESAKES_MAX: usize = 2;

/// Returns the question for the answer to the bytes of this digest: see [`super::read_answer`].
#[must_use]
pub fn answer_of(digest: &Sha256Digest, wanted: &WantedAnswers) -> Statement {
    Statement {
        sql: include_str!("answer.sql").to_owned(),
        parameters: vec![
            Parameter::Text(digest.to_string()),
            Parameter::Text(wanted.recogniser.clone()),
            Parameter::Number(wanted.since_ms),
            Parameter::Number(wanted.before_ms),
        ],
    }
}

/// Returns the question for photos of these people: see [`super::read_recalled`]. It reads under 200 rows:
/// two for each of [`RECALL_TOWARD_MAX`] people of the other side, and two for each photo.
#[must_use]
pub fn recall(people: &PeopleToRecall, wanted: &WantedAnswers) -> Statement {
    let mut parameters = vec![
        Parameter::Text(wanted.recogniser.clone()),
        Parameter::Number(wanted.since_ms),
        Parameter::Number(wanted.before_ms),
    ];
    let toward = people.toward.iter().take(RECALL_TOWARD_MAX);
    let toward: Vec<&String> = toward.collect();
    let has_toward = !toward.is_empty();
    // A list of texts is always JSON.
    parameters.push(Parameter::Text(
        serde_json::to_string(&toward).unwrap_or_default(),
    ));
    let count = people.people.len().clamp(1, RECALL_PEOPLE_MAX);
    let part = RECALL_PHOTOS_MAX / count;
    let mut lists = Vec::new();
    for person in people.people.iter().take(count) {
        let (value, ids) = ids_of(person, parameters.len() + 1);
        parameters.push(Parameter::Text(value));
        let mut photos = Vec::new();
        for id in ids {
            if has_toward {
                photos.push(format!(
                    "SELECT digest FROM (SELECT pairs.digest FROM json_each(?4) AS toward CROSS JOIN pairs \
                     ON pairs.person = {id} AND pairs.other = toward.value \
                     ORDER BY pairs.photos DESC, pairs.score DESC, pairs.digest LIMIT {})",
                    part / 2
                ));
            }
            photos.push(pairs_of(&id, part));
        }
        lists.push(format!(
            "SELECT digest FROM ({}) LIMIT {part}",
            photos.join(" UNION ALL ")
        ));
    }
    let mut found = String::new();
    for (place, list) in lists.iter().enumerate() {
        let and = if place == 0 { "" } else { " UNION ALL " };
        // Writing to a String cannot fail.
        let _ = write!(found, "{and}SELECT digest FROM ({list})");
    }
    Statement {
        sql: format!(
            "SELECT json_group_array(json_array(photos.digest, json(photos.hit), json(photos.people))) AS json \
             FROM ({found}) AS found CROSS JOIN photos ON photos.digest = found.digest \
             WHERE photos.recogniser = ?1 AND photos.at_ms >= ?2 AND photos.at_ms < ?3"
        ),
        parameters,
    }
}

/// Returns the value by which somebody is known, and the ids that it leads to, as expressions of this parameter.
fn ids_of(person: &PersonToRecall, parameter: usize) -> (String, Vec<String>) {
    if let Some(id) = &person.id {
        return (id.clone(), vec![format!("?{parameter}")]);
    }
    let (condition, value) = match &person.wikidata {
        Some(number) => (format!("number = ?{parameter}"), number.clone()),
        None => (named(parameter), json_of_spellings(&person.name)),
    };
    let ids = (0..NAMESAKES_MAX).map(|place| {
        format!(
            "(SELECT id FROM people WHERE {condition} ORDER BY photos DESC LIMIT 1 OFFSET {place})"
        )
    });
    (value, ids.collect())
}

/// Returns the condition that somebody has one of the names of this parameter, a JSON list.
pub(super) fn named(parameter: usize) -> String {
    format!("folded IN (SELECT value FROM json_each(?{parameter}))")
}

/// Returns the folded forms of a name as a JSON list.
pub(super) fn json_of_spellings(name: &str) -> String {
    Value::from(spellings(name)).to_string()
}

fn pairs_of(id: &str, photos: usize) -> String {
    format!(
        "SELECT digest FROM (SELECT digest FROM pairs WHERE person = {id} \
         ORDER BY photos DESC, score DESC, digest LIMIT {photos})"
    )
}
