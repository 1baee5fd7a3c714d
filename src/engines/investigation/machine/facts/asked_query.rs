//! A query that was asked, and what it found.

use crate::domain::Hit;

use super::subject::Subject;

/// A query that was asked.
#[derive(Debug, Clone)]
pub struct AskedQuery {
    hits: Vec<Hit>,
    /// The number of hits, from the first on, that were looked at for this query's sake.
    looked_at: usize,
    named: Vec<Subject>,
    is_answered: bool,
}

impl AskedQuery {
    /// Makes a query that names these people and whose answer is awaited.
    pub fn new(named: Vec<Subject>) -> Self {
        Self {
            hits: Vec::new(),
            looked_at: 0,
            named,
            is_answered: false,
        }
    }

    pub fn answer(&mut self, hits: Vec<Hit>, looked_at: usize) {
        self.hits = hits;
        self.looked_at = looked_at;
        self.is_answered = true;
    }

    /// Returns the hits in the order of the answer.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Returns whether the hit at this place was looked at for this query's sake.
    pub fn has_looked_at(&self, place: usize) -> bool {
        place < self.looked_at
    }

    /// Returns the first hits, which were looked at for this query's sake.
    pub fn looked_at(&self) -> &[Hit] {
        self.hits.get(..self.looked_at).unwrap_or(&self.hits)
    }

    pub fn named(&self) -> &[Subject] {
        &self.named
    }

    /// Returns whether the query's answer is here. Before it is, or where it could not be read, an
    /// empty list of hits says nothing.
    pub fn is_answered(&self) -> bool {
        self.is_answered
    }
}
