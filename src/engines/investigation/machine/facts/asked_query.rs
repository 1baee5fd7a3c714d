//! A query that was asked, and what it found.

use crate::domain::Hit;

use super::subject::Subject;

/// A query that was asked.
#[derive(Debug, Clone)]
pub struct AskedQuery {
    hits: Vec<Hit>,
    /// So many hits, the first ones, were looked at for its sake.
    looked_at: usize,
    named: Vec<Subject>,
    is_answered: bool,
}

impl AskedQuery {
    /// A query that names these people; its answer is awaited.
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

    /// In the order of the answer.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Whether the hit at this place was looked at for this query's sake.
    pub fn has_looked_at(&self, place: usize) -> bool {
        place < self.looked_at
    }

    /// The first hits: those that were looked at for this query's sake.
    pub fn looked_at(&self) -> &[Hit] {
        self.hits.get(..self.looked_at).unwrap_or(&self.hits)
    }

    pub fn named(&self) -> &[Subject] {
        &self.named
    }

    /// Whether its answer is here. Before, or where the answer could not be read, that there are no
    /// hits says nothing.
    pub fn is_answered(&self) -> bool {
        self.is_answered
    }
}
