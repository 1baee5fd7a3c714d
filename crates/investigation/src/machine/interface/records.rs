//! The records that a run keeps for those who ask why.

use domain::{CandidateRow, EvidenceRef};

use super::notice::StateName;
use super::reports::{EdgeReport, PersonRef};

/// One choice with its table and its reason.
//= spec Notes on Determinism "Store all intermediate decisions"
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The state that chose.
    pub state: StateName,
    /// The name of the person whose surroundings had been looked at.
    pub frontier: String,
    /// The rows that there were to choose from, best first.
    pub table: Vec<CandidateRow>,
    /// The name that was chosen.
    pub chosen: String,
    /// The reason, in words.
    pub reason: String,
}

/// A frontier's candidate as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRecord {
    /// The candidate's id and name.
    pub person: PersonRef,
    /// The number of photos with the frontier.
    pub count: usize,
    /// The best confidence of these photos, in percent.
    pub best_confidence: f64,
    /// The numbers of these photos.
    pub evidence: Vec<EvidenceRef>,
}

/// A frontier with everybody who was seen beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierRecord {
    /// The person whose surroundings were looked at.
    pub frontier: PersonRef,
    /// The candidates in the order in which they were first seen.
    pub candidates: Vec<CandidateRecord>,
}

/// The path as of now, with its edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathReport {
    /// The people from A on. The list is empty where nobody is proven yet.
    pub people: Vec<PersonRef>,
    /// The edges between each two neighbours.
    pub edges: Vec<EdgeReport>,
}
