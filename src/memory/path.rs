//! The shortest chain of what is known between two people, by what the database tells of those around both of them.
//! Nothing here asks: the caller does, and gives each answer back.

use std::collections::BTreeMap;

use serde_json::Value;

use super::statement::{Parameter, Statement};

/// The most people who are asked about at once.
const ASKED_MAX: usize = 20;
/// The most others of one person who are looked at, those of most photos first.
const OTHERS_MAX: u64 = 60;
/// The most people at the edge of the other side with whom each is looked at, too, however many others they have.
const TOWARD_MAX: usize = 10;
/// The most questions of one search.
const QUESTIONS_MAX: usize = 8;

/// A search from both ends, one step of one side after the other.
#[derive(Debug)]
pub struct PathSearch {
    /// The least confidence of a link, in percent.
    threshold_percent: u32,
    halves: [Half; 2],
    /// The side whose people are asked about, those of them who are left, and those who were found beside them.
    asking: Option<Asking>,
    questions_left: usize,
}

/// What is known around one end.
#[derive(Debug)]
struct Half {
    reached: BTreeMap<String, Reached>,
    /// Those who were reached last.
    edge: Vec<String>,
    /// Whether everybody beside those who were asked about was looked at.
    is_whole: bool,
}

/// How somebody is reached.
#[derive(Debug, Clone)]
struct Reached {
    hops: usize,
    /// The confidence of the weakest link on the way, in percent.
    weakest: f64,
    /// The person before, or the end itself.
    by: String,
}

#[derive(Debug)]
struct Asking {
    half: usize,
    left: Vec<String>,
    asked: Vec<String>,
    found: Vec<(String, Reached)>,
}

/// What is known between two people.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPath {
    /// The ids from one to the other; empty where no chain is known.
    pub people: Vec<String>,
    /// Whether everything that could be shorter was looked at.
    pub is_whole: bool,
}

impl PathSearch {
    /// Begins a search between the people of these ids, by links of at least this confidence.
    #[must_use]
    pub fn new(ends: [&str; 2], threshold_percent: u32) -> Self {
        Self {
            threshold_percent,
            halves: ends.map(Half::new),
            asking: None,
            questions_left: QUESTIONS_MAX,
        }
    }

    /// Returns the next question, of which [`Self::take`] takes the answer; `None` where the search is over.
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

    /// Begins a step of the side with fewer people at its edge. Returns `None` where both have met, or one has nobody.
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

    /// Takes the answer to the last question.
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
            let [place, other, score] = [0, 1, 2].map(|column| row.get(column));
            let place = place.and_then(Value::as_u64);
            let place = place.and_then(|place| usize::try_from(place).ok());
            let other = other.and_then(Value::as_str);
            let (Some(place), Some(other)) = (place, other) else {
                continue;
            };
            let score = score.and_then(Value::as_f64).unwrap_or_default();
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

    /// Returns the person by whom the best of the shortest chains leads.
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

    /// Returns what was found.
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

    /// Returns how somebody is reached who was seen with a person at the edge; `None` where they are reached already.
    fn beside(&self, by: &str, other: &str, score: f64) -> Option<(String, Reached)> {
        let before = self.reached.get(by)?;
        let reached = Reached {
            hops: before.hops + 1,
            weakest: before.weakest.min(score),
            by: by.to_owned(),
        };
        (!self.reached.contains_key(other)).then(|| (other.to_owned(), reached))
    }

    /// Takes those who were found in a step, each in the best way.
    fn take(&mut self, mut found: Vec<(String, Reached)>) {
        // Of several ways to somebody the last one stays.
        found.sort_by(|one, other| (one.1.weakest).total_cmp(&other.1.weakest));
        let found: BTreeMap<String, Reached> = found.into_iter().collect();
        self.edge = found.keys().cloned().collect();
        self.reached.extend(found);
    }

    /// Returns the people from this one back to the end.
    fn way_to(&self, id: &str) -> Vec<String> {
        let mut way = vec![id.to_owned()];
        let mut at = id;
        // Each is a hop nearer to the end, which is reached by itself.
        while let Some(reached) = self.reached.get(at).filter(|reached| reached.hops > 0) {
            at = &reached.by;
            way.push(at.to_owned());
        }
        way
    }
}

/// Returns the question for those with whom these people were seen at this confidence, among them those `toward` whom the
/// search goes: `[[place of the person, other, score]]`.
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
