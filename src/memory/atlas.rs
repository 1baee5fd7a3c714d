//! The queries of the atlas: people by name, the people seen with somebody, and totals. Each query returns JSON that
//! can be sent as it is.

use std::collections::BTreeMap;

use domain::fold;
use serde_json::Value;

use super::{Parameter, Statement, json_of_spellings, named};

/// The most connections that one query returns.
pub const LINES_MAX: u64 = 24;
/// The most connections of one person that can be skipped.
pub const OFFSET_MAX: u64 = 5_000;
/// The most people that a search by name returns.
const PEOPLE_MAX: u64 = 10;
/// The most matching names that a search reads. Of the people with these names, it returns those with the most photos.
const NAMES_MAX: u64 = 200;
/// The SQL expression that makes a person's JSON.
const PERSON: &str = "json_patch('{}', json_object('id', people.id, 'name', people.name, 'photos', people.photos, \
                      'wikidata', people.number))";

/// Returns the query for the totals and for what reused answers saved: `{people, photos, pairs, saved: {recognitions,
/// usd}}`.
#[must_use]
pub fn size() -> Statement {
    let sql = "SELECT json_object('people', people, 'photos', photos, 'pairs', pairs, 'saved', json_object(\
               'recognitions', saved_recognitions, 'usd', saved_nano_usd / 1e9)) AS json FROM memory";
    Statement::new(sql, Vec::new())
}

/// Returns the query for people whose name has a word that begins with this text. Those with the most photos come
/// first: `[{id, name, photos, wikidata}]`.
#[must_use]
pub fn find_people(text: &str) -> Statement {
    let sql = format!(
        "SELECT json_group_array({PERSON}) AS json FROM (SELECT * FROM people WHERE id IN (\
         SELECT person FROM names WHERE ?1 <> '' AND part >= ?1 AND part < ?1 || char(1114111) LIMIT {NAMES_MAX}) \
         ORDER BY photos DESC, id LIMIT {PEOPLE_MAX}) AS people"
    );
    Statement::new(sql, vec![Parameter::Text(fold(text))])
}

/// Returns the query for the people with the most photos. The result has the form of [`find_people`].
#[must_use]
pub fn most_seen() -> Statement {
    let sql = format!(
        "SELECT json_group_array({PERSON}) AS json \
         FROM (SELECT * FROM people ORDER BY photos DESC, id LIMIT {PEOPLE_MAX}) AS people"
    );
    Statement::new(sql, Vec::new())
}

/// Returns the query for the person with this id or, if there is none, the person with this name and the most photos:
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

/// Returns the query for the people seen with the person who has this id, with at least this confidence: `{threshold,
/// edges, next}`. Those with the most photos come first, then those with the highest confidence. It returns at most
/// [`LINES_MAX`] edges from this offset on, each with its best photo, in the form that events use. `next` is the
/// offset for the next query if there are more.
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

/// Returns the query that describes the chain between the people with these two ids: `{a, b, threshold, path, edges,
/// weakest, isWhole}`. The edges are as in [`lines_of`], and `weakest` is the edge with the lowest confidence.
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

/// The most people whose connections one query reads.
const ASKED_MAX: usize = 20;
/// The most connections that are read per person. Those with the most photos come first.
const OTHERS_MAX: u64 = 60;
/// A query also reads the connections to at most this many people on the opposite frontier, even beyond [`OTHERS_MAX`].
const TOWARD_MAX: usize = 10;
/// The most queries that one search makes.
const QUESTIONS_MAX: usize = 8;

/// A breadth-first search for a chain, from both ends in turn.
#[derive(Debug)]
pub struct PathSearch {
    /// The lowest confidence of a connection, in percent.
    threshold_percent: u32,
    halves: [Half; 2],
    /// The step in progress: its side, the people still to expand, and the people found so far. `None` between two
    /// steps.
    asking: Option<Asking>,
    questions_left: usize,
}

/// The part of the search that starts from one end.
#[derive(Debug)]
struct Half {
    reached: BTreeMap<String, Reached>,
    /// The people who were reached last, which is this side's frontier.
    edge: Vec<String>,
    /// Whether all connections of the expanded people were read.
    is_whole: bool,
}

/// The best chain from an end to a person.
#[derive(Debug, Clone)]
struct Reached {
    hops: usize,
    /// The lowest confidence among the connections of this chain, in percent.
    weakest: f64,
    /// The id of the preceding person in the chain; the end has its own id.
    by: String,
}

#[derive(Debug)]
struct Asking {
    half: usize,
    left: Vec<String>,
    asked: Vec<String>,
    found: Vec<(String, Reached)>,
}

/// The result of a search for a chain between two people.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPath {
    /// The ids of the chain's people from one end to the other; empty if no chain is known.
    pub people: Vec<String>,
    /// Whether every connection that could make the chain shorter was read.
    pub is_whole: bool,
}

impl PathSearch {
    /// Starts a search between the people with these ids, over connections with at least this confidence.
    #[must_use]
    pub fn new(ends: [&str; 2], threshold_percent: u32) -> Self {
        Self {
            threshold_percent,
            halves: ends.map(Half::new),
            asking: None,
            questions_left: QUESTIONS_MAX,
        }
    }

    /// Returns the next query; `None` if the search is over. The query's result must be passed to [`Self::take`].
    pub fn next_question(&mut self) -> Option<Statement> {
        if self.asking.is_none() {
            self.asking = self.begin_step();
        }
        let asking = self.asking.as_mut()?;
        if self.questions_left == 0 {
            return None;
        }
        let edge = self.halves.get(1 - asking.half)?.edge.as_slice();
        let toward = edge.get(..edge.len().min(TOWARD_MAX))?;
        self.questions_left -= 1;
        let rest = asking.left.split_off(asking.left.len().min(ASKED_MAX));
        asking.asked = std::mem::replace(&mut asking.left, rest);
        Some(others_of(&asking.asked, toward, self.threshold_percent))
    }

    /// Begins a step of the side with the smaller frontier. Returns `None` if the sides have met, or if one frontier
    /// is empty.
    fn begin_step(&self) -> Option<Asking> {
        let [a, b] = &self.halves;
        let is_over = self.meeting().is_some() || a.edge.is_empty() || b.edge.is_empty();
        let half = usize::from(b.edge.len() < a.edge.len());
        let left = self.halves.get(half).filter(|_| !is_over)?.edge.clone();
        Some(Asking {
            half,
            left,
            asked: Vec::new(),
            found: Vec::new(),
        })
    }

    /// Processes the result of the last query.
    pub fn take(&mut self, json: &str) {
        let Some(asking) = self.asking.as_mut() else {
            return;
        };
        let Some(half) = self.halves.get_mut(asking.half) else {
            return;
        };
        let rows: Value = serde_json::from_str(json).unwrap_or_default();
        let mut counts = vec![0; asking.asked.len()];
        for row in rows.as_array().into_iter().flatten() {
            let place = row.get(0).and_then(Value::as_u64);
            let other = row.get(1).and_then(Value::as_str);
            let (Some(Ok(place)), Some(other)) = (place.map(usize::try_from), other) else {
                continue;
            };
            let score = row.get(2).and_then(Value::as_f64).unwrap_or_default();
            let Some((by, count)) = asking.asked.get(place).zip(counts.get_mut(place)) else {
                continue;
            };
            *count += 1;
            (asking.found).extend(half.beside(by, other, score));
        }
        half.is_whole &= counts.iter().all(|count| *count < OTHERS_MAX);
        if asking.left.is_empty() {
            half.take(std::mem::take(&mut asking.found));
            self.asking = None;
        }
    }

    /// Returns the person in whom the halves of the best chain meet; `None` if they do not meet. The best chain is the
    /// shortest; of equally short ones, it is the one whose weakest connection is strongest.
    fn meeting(&self) -> Option<&String> {
        let [a, b] = &self.halves;
        let mut best: Option<(usize, f64, &String)> = None;
        for (id, of_a) in &a.reached {
            let Some(of_b) = b.reached.get(id) else {
                continue;
            };
            let (hops, weakest) = (of_a.hops + of_b.hops, of_a.weakest.min(of_b.weakest));
            let is_better = |(known, sure, _): (usize, f64, &String)| {
                hops < known || (hops == known && weakest > sure)
            };
            if best.is_none_or(is_better) {
                best = Some((hops, weakest, id));
            }
        }
        best.map(|(_, _, id)| id)
    }

    /// Returns the result of the search so far.
    #[must_use]
    pub fn found(&self) -> KnownPath {
        let [a, b] = &self.halves;
        let Some(middle) = self.meeting() else {
            let ends_here = |half: &Half| half.edge.is_empty() && half.is_whole;
            return KnownPath {
                people: Vec::new(),
                is_whole: ends_here(a) || ends_here(b),
            };
        };
        let mut people = a.way_to(middle);
        people.reverse();
        people.extend(b.way_to(middle).into_iter().skip(1));
        KnownPath {
            people,
            is_whole: a.is_whole && b.is_whole,
        }
    }
}

impl Half {
    fn new(id: &str) -> Self {
        let start = Reached {
            hops: 0,
            weakest: 100.0,
            by: id.to_owned(),
        };
        Self {
            reached: [(id.to_owned(), start)].into_iter().collect(),
            edge: vec![id.to_owned()],
            is_whole: true,
        }
    }

    /// Returns `other` and the chain to them through `by`, a person on the frontier who was seen with them; `None` if
    /// `other` was reached before.
    fn beside(&self, by: &str, other: &str, score: f64) -> Option<(String, Reached)> {
        let before = self.reached.get(by)?;
        let reached = Reached {
            hops: before.hops + 1,
            weakest: before.weakest.min(score),
            by: by.to_owned(),
        };
        (!self.reached.contains_key(other)).then(|| (other.to_owned(), reached))
    }

    /// Adds the people who were found in a step, each with the best chain to them.
    fn take(&mut self, mut found: Vec<(String, Reached)>) {
        // If there are several chains to a person, the map keeps the one that is inserted last, so the best one comes
        // last.
        found.sort_by(|one, other| (one.1.weakest).total_cmp(&other.1.weakest));
        let found: BTreeMap<String, Reached> = found.into_iter().collect();
        self.edge = found.keys().cloned().collect();
        self.reached.extend(found);
    }

    /// Returns the ids of the people from this one back to the end from which this half starts.
    fn way_to(&self, id: &str) -> Vec<String> {
        let mut way = vec![id.to_owned()];
        let mut at = id;
        // Each predecessor is one hop nearer to the end. The end is its own predecessor, where the loop stops.
        while let Some(reached) = self.reached.get(at).filter(|reached| reached.hops > 0) {
            at = &reached.by;
            way.push(at.to_owned());
        }
        way
    }
}

/// Returns the query for the people seen with one of `people` with at least this confidence: `[[index of the person,
/// other, score]]`. Connections to people in `toward` are always included.
fn others_of(people: &[String], toward: &[String], threshold_percent: u32) -> Statement {
    let sql = format!(
        "SELECT json_group_array(json_array(asked.key, pairs.other, pairs.score)) AS json \
         FROM json_each(?1) AS asked CROSS JOIN pairs ON pairs.person = asked.value AND pairs.score >= ?3 \
         AND pairs.other IN (\
         SELECT other FROM (SELECT best.other FROM pairs AS best WHERE best.person = asked.value AND best.score >= ?3 \
         ORDER BY best.photos DESC, best.score DESC, best.digest LIMIT {OTHERS_MAX}) \
         UNION SELECT value FROM json_each(?2))"
    );
    let least = Parameter::Number(threshold_percent.into());
    let lists = [people, toward].map(Parameter::list);
    Statement::new(sql, lists.into_iter().chain([least]).collect())
}
