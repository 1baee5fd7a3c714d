//! The memory that runs share. It stores the recogniser's answers by the digest of each photo's bytes, who was seen
//! with whom, and the answers of image searches.
//!
//! The memory is an `SQLite` database (Cloudflare D1). Its tables are in `migrations`. This file has the queries of
//! runs and the statements that change the memory, `atlas.rs` has the queries of the atlas, and `rows.rs` converts
//! rows. This module performs no I/O.

mod atlas;
mod rows;

use std::fmt::Write as _;

use domain::{
    MemoryNews, PeopleToRecall, PersonToRecall, PhotoToRemember, RECALL_PEOPLE_MAX,
    RECALL_PHOTOS_MAX, RECALL_TOWARD_MAX, RememberedSearch, SearchToRemember, Sha256Digest,
    spellings,
};
use platform::WantedAnswers;
use serde_json::Value;

use rows::photo_rows;

pub use atlas::{
    KnownPath, LINES_MAX, OFFSET_MAX, PathSearch, find_people, lines_of, most_seen, person, size,
    told_path,
};
pub use rows::{named_people, read_answer, read_recalled, sure_people};

/// The version of the tables that this program reads and writes.
pub const VERSION: u32 = 4;

/// The SQL condition that the tables have this program's version.
const IS_OF_VERSION: &str = "EXISTS (SELECT 1 FROM memory WHERE version = 4)";

/// An SQL statement with its parameters, which are bound to `?1`, `?2` and so on.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The SQL. A query returns its result in the column `json`.
    pub sql: String,
    /// The parameters, beginning with that for `?1`.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Parameter {
    /// A text.
    Text(String),
    /// An integer of at most 53 bits, such as a time in milliseconds, an index or an amount.
    Number(u64),
}

impl Statement {
    /// Makes a statement with these parameters.
    fn new(sql: impl Into<String>, parameters: Vec<Parameter>) -> Self {
        Self {
            sql: sql.into(),
            parameters,
        }
    }
}

impl Parameter {
    /// Makes a text parameter.
    fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Makes a parameter that is a list of texts as JSON.
    fn list<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        let list: Value = texts
            .into_iter()
            .map(|text| Value::from(text.as_ref()))
            .collect();
        Self::Text(list.to_string())
    }
}

/// Returns the query for the version that the tables have.
#[must_use]
pub fn version() -> Statement {
    let sql = "SELECT CAST(version AS TEXT) AS json FROM memory";
    Statement::new(sql, Vec::new())
}

/// The most people with one name whose photos are recalled.
pub const NAMESAKES_MAX: usize = 2;

/// Returns the query for the recogniser's answer for the bytes with this digest. [`read_answer`] parses its
/// result.
#[must_use]
pub fn answer_of(digest: &Sha256Digest, wanted: &WantedAnswers) -> Statement {
    Statement {
        sql: include_str!("answer.sql").to_owned(),
        parameters: vec![
            Parameter::Text(digest.to_string()),
            Parameter::list(&wanted.recognisers),
            Parameter::Number(wanted.since_ms),
            Parameter::Number(wanted.before_ms),
        ],
    }
}

/// Returns the query for photos of these people. [`read_recalled`] parses its result. It reads fewer than 200
/// rows: two for each of the [`RECALL_TOWARD_MAX`] people on the opposite side, and two for each photo.
#[must_use]
pub fn recall(people: &PeopleToRecall, wanted: &WantedAnswers) -> Statement {
    let mut parameters = vec![
        Parameter::list(&wanted.recognisers),
        Parameter::Number(wanted.since_ms),
        Parameter::Number(wanted.before_ms),
    ];
    let toward: Vec<&String> = people.toward.iter().take(RECALL_TOWARD_MAX).collect();
    let has_toward = !toward.is_empty();
    // Serializing a list of texts cannot fail.
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
        // Writing to a `String` cannot fail.
        let _ = write!(found, "{and}SELECT digest FROM ({list})");
    }
    Statement {
        sql: format!(
            "SELECT json_group_array(json_array(photos.digest, json(photos.hit), json(photos.people))) AS json \
             FROM ({found}) AS found CROSS JOIN photos ON photos.digest = found.digest \
             WHERE photos.recogniser IN (SELECT value FROM json_each(?1)) AND photos.at_ms >= ?2 AND photos.at_ms < ?3"
        ),
        parameters,
    }
}

/// Returns the value that identifies a person, and the subqueries for the person's ids. The subqueries take the value
/// from the parameter with this number.
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

/// Returns the condition that a person has one of the names in the parameter with this number, a JSON list.
fn named(parameter: usize) -> String {
    format!("folded IN (SELECT value FROM json_each(?{parameter}))")
}

/// Returns the folded spellings of a name as a JSON list.
fn json_of_spellings(name: &str) -> String {
    Value::from(spellings(name)).to_string()
}

fn pairs_of(id: &str, photos: usize) -> String {
    format!(
        "SELECT digest FROM (SELECT digest FROM pairs WHERE person = {id} \
         ORDER BY photos DESC, score DESC, digest LIMIT {photos})"
    )
}

/// The number of days on which fetching a photo must fail before the photo is forgotten.
pub const FAILED_DAYS_MAX: u64 = 3;
/// The separator of the statements in an SQL file.
const BETWEEN: &str = ";\n";
/// The statements that remove photos to be forgotten from the pairs of people whom these photos show.
const PAIRS: &str = include_str!("forget_pairs.sql");
const VETO: &str = "UPDATE photos SET is_vetoed = 1 WHERE digest IN (SELECT digest FROM gone)";
const IS_LISTED: &str = "digest IN (SELECT value FROM json_each(?1))";

/// Returns the statements that store what a run reports. They must be executed in one transaction.
#[must_use]
pub fn keeping(news: &MemoryNews) -> Vec<Statement> {
    let mut statements = kept(&news.photos);
    statements.extend(news.search.iter().flat_map(kept_searches));
    let change = |sql: String, parameters| Statement::new(sql, parameters);
    if !news.vetoed.is_empty() {
        let gone = gone_of(&format!("NOT photos.is_vetoed AND {IS_OF_VERSION}"));
        let vetoed = [Parameter::list(
            news.vetoed.iter().map(Sha256Digest::as_str),
        )];
        statements.extend(each(PAIRS, &gone, &vetoed));
        statements.extend(each(VETO, &gone, &vetoed));
    }
    if !news.failed.is_empty() {
        let failed = Parameter::list(news.failed.iter().map(Sha256Digest::as_str));
        let sql = format!(
            "UPDATE photos SET failed_days = failed_days + 1, failed_day = ?2 \
             WHERE {IS_LISTED} AND failed_day <> ?2 AND {IS_OF_VERSION}"
        );
        statements.push(change(
            sql,
            vec![failed.clone(), Parameter::Number(news.day)],
        ));
        let gone = gone_of(&format!(
            "photos.failed_days >= {FAILED_DAYS_MAX} AND {IS_OF_VERSION}"
        ));
        statements.extend(forgotten(&gone, &[failed]));
    }
    if !news.came.is_empty() {
        let came = Parameter::list(news.came.iter().map(Sha256Digest::as_str));
        let sql = format!(
            "UPDATE photos SET failed_days = 0 WHERE {IS_LISTED} AND failed_days > 0 AND {IS_OF_VERSION}"
        );
        statements.push(change(sql, vec![came]));
    }
    if news.saved_recognitions > 0 {
        let sql = "UPDATE memory SET saved_recognitions = saved_recognitions + ?1, \
                   saved_nano_usd = saved_nano_usd + ?2 WHERE version = 4";
        let saved = [news.saved_recognitions, news.saved_nano_usd];
        statements.push(change(sql.to_owned(), saved.map(Parameter::Number).into()));
    }
    statements
}

/// Returns the statements that store photos. Each photo replaces what was stored about it before.
fn kept(photos: &[PhotoToRemember]) -> Vec<Statement> {
    if photos.is_empty() {
        return Vec::new();
    }
    let rows = [Parameter::Text(photo_rows(photos))];
    let to_keep = include_str!("to_keep.sql");
    let gone = format!(
        "{to_keep}, gone AS (SELECT photos.digest, photos.people, photos.is_vetoed \
         FROM to_keep CROSS JOIN photos ON photos.digest = to_keep.digest),\n{}",
        include_str!("gone.sql")
    );
    let mut statements = forgotten(&gone, &rows);
    statements.extend(each(include_str!("keep.sql"), to_keep, &rows));
    statements
}

/// Returns the statements that forget photos for good. If `person` is given, no photo of that person will be stored
/// again.
#[must_use]
pub fn forgetting(digests: &[Sha256Digest], person: Option<&str>) -> Vec<Statement> {
    let listed = Parameter::list(digests.iter().map(Sha256Digest::as_str));
    let person = person.map(|id| Sha256Digest::of(id.as_bytes()));
    let marks = digests.iter().chain(&person).map(Sha256Digest::as_str);
    let sql = format!(
        "INSERT OR IGNORE INTO forgotten (digest) SELECT value FROM json_each(?1) WHERE {IS_OF_VERSION}"
    );
    let mut statements = vec![Statement::new(sql, vec![Parameter::list(marks)])];
    let gone = gone_of(IS_OF_VERSION);
    statements.extend(forgotten(&gone, &[listed]));
    // The answers of image searches reveal who is in a photo, so they are forgotten too.
    let searches = format!("DELETE FROM searches WHERE {IS_OF_VERSION}");
    statements.push(Statement::new(searches, Vec::new()));
    statements
}

/// Returns the query for a photo's digest, if the photo is stored.
#[must_use]
pub fn photo(digest: &Sha256Digest) -> Statement {
    Statement::new(
        "SELECT digest AS json FROM photos WHERE digest = ?1",
        vec![Parameter::text(digest.as_str())],
    )
}

/// Returns the query for the digests of photos that show somebody, at most `photos_max`.
#[must_use]
pub fn photos_of(person: &str, photos_max: u64) -> Statement {
    Statement::new(
        "SELECT json_group_array(digest) AS json FROM (SELECT digest FROM faces WHERE person = ?1 LIMIT ?2)",
        vec![Parameter::text(person), Parameter::Number(photos_max)],
    )
}

/// Returns the common table expression for the photos that `?1` lists and that satisfy this condition.
fn gone_of(condition: &str) -> String {
    format!(
        "WITH gone AS (SELECT photos.digest, photos.people, photos.is_vetoed FROM photos \
         WHERE {IS_LISTED} AND {condition}),\n{}",
        include_str!("gone.sql")
    )
}

/// Returns the statements that forget the photos in this table expression.
fn forgotten(gone: &str, parameters: &[Parameter]) -> Vec<Statement> {
    let mut statements = each(PAIRS, gone, parameters);
    statements.extend(each(include_str!("forget_photos.sql"), gone, parameters));
    statements
}

/// Returns each statement in an SQL file, with `beginning` before it and with these parameters.
fn each(file: &str, beginning: &str, parameters: &[Parameter]) -> Vec<Statement> {
    let statement = |sql| Statement::new(format!("{beginning}\n{sql}"), parameters.to_vec());
    file.split(BETWEEN).map(statement).collect()
}

/// The most answers of image searches that are stored. The oldest are dropped first.
const SEARCHES_MAX: usize = 1_000;

/// Returns the query for the answer to the image search with this digest. [`read_search`] parses its result.
#[must_use]
pub fn search_answer(question: &Sha256Digest, wanted: &WantedAnswers) -> Statement {
    let sql = "SELECT json_array(at_ms, body) AS json FROM searches \
               WHERE question = ?1 AND at_ms >= ?2 AND at_ms < ?3";
    let times = [wanted.searches_since_ms, wanted.before_ms].map(Parameter::Number);
    let question = Parameter::text(question.as_str());
    Statement::new(sql, [vec![question], times.into()].concat())
}

/// Parses the stored answer of an image search. Returns `None` if this program did not write it.
#[must_use]
pub fn read_search(json: &str) -> Option<RememberedSearch> {
    let (at_ms, body) = serde_json::from_str(json).ok()?;
    Some(RememberedSearch { at_ms, body })
}

/// Returns the statements that store an answer, replacing an older one, and drop expired answers.
fn kept_searches(search: &SearchToRemember) -> [Statement; 2] {
    let keep = format!(
        "INSERT OR REPLACE INTO searches (question, at_ms, until_ms, body) SELECT ?1, ?2, ?3, ?4 \
         WHERE {IS_OF_VERSION} AND NOT EXISTS (SELECT 1 FROM searches WHERE question = ?1 AND at_ms >= ?2)"
    );
    let drop = format!(
        "DELETE FROM searches WHERE (until_ms <= ?1 \
         OR number <= (SELECT max(number) FROM searches) - {SEARCHES_MAX}) AND {IS_OF_VERSION}"
    );
    let answer = vec![
        Parameter::text(search.question.as_str()),
        Parameter::Number(search.answer.at_ms),
        Parameter::Number(search.until_ms),
        Parameter::text(&search.answer.body),
    ];
    [
        Statement::new(keep, answer),
        Statement::new(drop, vec![Parameter::Number(search.answer.at_ms)]),
    ]
}
