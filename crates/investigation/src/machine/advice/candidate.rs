//! The table of the people who may be tried next.

use domain::{CandidateRow, Confidence, PersonIndex, Side};

/// The most rows of the table that the planner sees.
pub const TABLE_ROWS_MAX: usize = 20;

/// A person who may be tried next.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub person: PersonIndex,
    pub side: Side,
    /// The number of edges from the side's start.
    pub depth: u32,
    /// The number of photos with the frontier (one-sided), or of photos found by other people's
    /// queries (both ends).
    pub count: usize,
    /// The number of different people with whom they were seen.
    pub degree: usize,
    pub best_confidence: Confidence,
    pub name: String,
}

impl Candidate {
    fn row(&self, number: usize) -> CandidateRow {
        CandidateRow {
            number,
            name: self.name.clone(),
            count: self.count,
            best_confidence: self.best_confidence.percent(),
            side: self.side,
        }
    }
}

/// Returns the table's first rows, numbered from 1.
pub fn numbered_rows(table: &[&Candidate]) -> Vec<CandidateRow> {
    (1..)
        .zip(table)
        .take(TABLE_ROWS_MAX)
        .map(|(number, candidate)| candidate.row(number))
        .collect()
}
