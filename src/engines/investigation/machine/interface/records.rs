//! What a run keeps for those who ask why.

use crate::domain::{CandidateRow, EvidenceRef};

use super::notice::StateName;
use super::reports::{EdgeReport, PersonRef};

/// One choice with its table and its reason.
//= spec Notes on Determinism "Store all intermediate decisions"
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The state that chose.
    pub state: StateName,
    /// The name of whose surroundings had been looked at.
    pub frontier: String,
    /// What there was to choose from, best first.
    pub table: Vec<CandidateRow>,
    /// The name that was chosen.
    pub chosen: String,
    /// Why, in words.
    pub reason: String,
}

/// A frontier's candidate as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRecord {
    /// How they are named.
    pub person: PersonRef,
    /// Photos together with the frontier.
    pub count: usize,
    /// The best of them, in percent.
    pub best_confidence: f64,
    /// The numbers of these photos.
    pub evidence: Vec<EvidenceRef>,
}

/// A frontier with everybody who was seen beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierRecord {
    /// Whose surroundings were looked at.
    pub frontier: PersonRef,
    /// In the order of first sight.
    pub candidates: Vec<CandidateRecord>,
}

/// The path as it stands, with its edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathReport {
    /// From A on; empty where nobody is proven yet.
    pub people: Vec<PersonRef>,
    /// Between each two neighbours.
    pub edges: Vec<EdgeReport>,
}
