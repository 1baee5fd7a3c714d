//! The questions of the atlas: people by name, those with whom somebody was seen, and how much is kept. Each answer is
//! the JSON that is told.

use domain::fold;

use super::path::KnownPath;
use super::recall::{json_of_spellings, named};
use super::statement::{Parameter, Statement};

/// The most lines that are told at once.
pub const LINES_MAX: u64 = 24;
/// The most lines of one person that are left out before those that are told.
pub const OFFSET_MAX: u64 = 5_000;
/// The most people who are found by a name.
const PEOPLE_MAX: u64 = 10;
/// The most names among which the people of the most photos are chosen.
const NAMES_MAX: u64 = 200;
/// A person as JSON.
const PERSON: &str = "json_patch('{}', json_object('id', people.id, 'name', people.name, 'photos', people.photos, \
                      'wikidata', people.number))";

/// Returns the question for how much is kept and what was not paid for again:
/// `{people, photos, pairs, saved: {recognitions, usd}}`.
#[must_use]
pub fn size() -> Statement {
    let sql = "SELECT json_object('people', people, 'photos', photos, 'pairs', pairs, 'saved', json_object(\
               'recognitions', saved_recognitions, 'usd', saved_nano_usd / 1e9)) AS json FROM memory";
    Statement::new(sql, Vec::new())
}

/// Returns the question for people of whom a word of the name begins with this text, those of most photos first:
/// `[{id, name, photos, wikidata}]`.
#[must_use]
pub fn find_people(text: &str) -> Statement {
    let sql = format!(
        "SELECT json_group_array({PERSON}) AS json FROM (SELECT * FROM people WHERE id IN (\
         SELECT person FROM names WHERE ?1 <> '' AND part >= ?1 AND part < ?1 || char(1114111) LIMIT {NAMES_MAX}) \
         ORDER BY photos DESC, id LIMIT {PEOPLE_MAX}) AS people"
    );
    Statement::new(sql, vec![Parameter::Text(fold(text))])
}

/// Returns the question for the people of most photos, as [`find_people`] tells them.
#[must_use]
pub fn most_seen() -> Statement {
    let sql = format!(
        "SELECT json_group_array({PERSON}) AS json \
         FROM (SELECT * FROM people ORDER BY photos DESC, id LIMIT {PEOPLE_MAX}) AS people"
    );
    Statement::new(sql, Vec::new())
}

/// Returns the question for the person of this id, or else of this name who is in most photos:
/// `{id, name, photos, wikidata}`.
#[must_use]
pub fn person(id_or_name: &str) -> Statement {
    let sql = format!(
        "SELECT {PERSON} AS json FROM (SELECT * FROM people WHERE id = ?1 UNION ALL \
         SELECT * FROM (SELECT * FROM people WHERE {} ORDER BY photos DESC LIMIT 1)) AS people LIMIT 1",
        named(2)
    );
    Statement::new(
        sql,
        vec![
            Parameter::text(id_or_name),
            Parameter::Text(json_of_spellings(id_or_name)),
        ],
    )
}

/// Returns the question for those with whom the person of this id was seen at this confidence, the most and clearest
/// first, from this place on: `{threshold, edges, next}` with at most [`LINES_MAX`] edges as events tell them, each with
/// its best photo, and the place of the next one where there are more.
#[must_use]
pub fn lines_of(id: &str, offset: u64, threshold_percent: u32) -> Statement {
    let pairs = format!(
        "(SELECT * FROM pairs WHERE person = ?1 AND score >= ?3 ORDER BY photos DESC, score DESC, digest LIMIT {LINES_MAX} OFFSET ?2)"
    );
    let sql = format!(
        "SELECT json_patch('{{}}', json_object('threshold', CAST(?3 AS INTEGER), 'edges', json(({})), 'next', (\
         SELECT ?2 + {LINES_MAX} FROM pairs WHERE person = ?1 AND score >= ?3 AND ?2 + {LINES_MAX} <= {OFFSET_MAX} \
         LIMIT 1 OFFSET ?2 + {LINES_MAX}))) AS json",
        lines(&pairs)
    );
    let numbers = [offset, threshold_percent.into()].map(Parameter::Number);
    let id = Parameter::text(id);
    Statement::new(sql, [id].into_iter().chain(numbers).collect())
}

/// Returns the question for a chain between the people of these two ids: `{a, b, threshold, path, edges, weakest,
/// isWhole}`, with a line between each and the next one as [`lines_of`] has them, and `weakest` being that of the least confidence.
#[must_use]
pub fn told_path(ends: [&str; 2], path: &KnownPath, threshold_percent: u32) -> Statement {
    let pairs = "(SELECT pairs.* FROM json_each(?1) AS one CROSS JOIN json_each(?1) AS two ON two.key = one.key + 1 \
                 CROSS JOIN pairs ON pairs.person = one.value AND pairs.other = two.value)";
    let end = |place: u8| format!("json((SELECT {PERSON} FROM people WHERE id = ?{place}))");
    let sql = format!(
        "SELECT json_patch('{{}}', json_object('a', {}, 'b', {}, 'threshold', CAST(?5 AS INTEGER), 'path', json((\
         SELECT json_group_array(json_object('id', step.value, 'name', (SELECT name FROM people WHERE id = step.value))) \
         FROM json_each(?1) AS step)), 'edges', json(({})), 'weakest', json((\
         SELECT json_object('from', person, 'to', other) FROM {pairs} ORDER BY score LIMIT 1)), \
         'isWhole', json(iif(?4, 'true', 'false')))) AS json",
        end(2),
        end(3),
        lines(pairs),
    );
    let [a, b] = ends.map(Parameter::text);
    let numbers = [path.is_whole.into(), threshold_percent.into()].map(Parameter::Number);
    let texts = [Parameter::list(&path.people), a, b];
    Statement::new(sql, texts.into_iter().chain(numbers).collect())
}

fn lines(pairs: &str) -> String {
    let lines = include_str!("lines.sql").replace("{pairs}", pairs);
    lines.replace("{evidence}", include_str!("evidence.sql"))
}
