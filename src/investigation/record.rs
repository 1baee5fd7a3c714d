//! What a run keeps for those who ask why.

use crate::domain::{CandidateRow, EvidenceRef, PersonIndex};

use super::machine::{Investigation, Route};
use super::notice::{EdgeReport, GraphReport, PersonRef, StateName};
use super::report;
use super::subject::Subject;

/// One choice with its table and its reason.
//= spec Notes on Determinism "Store all intermediate decisions"
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Where it was made.
    pub state: StateName,
    /// Whose surroundings had been looked at.
    pub frontier: String,
    /// What there was to choose from, best first.
    pub table: Vec<CandidateRow>,
    /// Who was chosen.
    pub chosen: String,
    /// Why.
    pub reason: String,
}

/// A frontier's candidate as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateRecord {
    /// Who.
    pub person: PersonRef,
    /// Photos together with the frontier.
    pub count: usize,
    /// The best of them, in percent.
    pub best_confidence: f64,
    /// Their numbers.
    pub evidence: Vec<EvidenceRef>,
}

/// A frontier with everybody who was seen beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierRecord {
    /// Whose surroundings were looked at.
    pub frontier: PersonRef,
    /// Who was seen there.
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

impl Investigation {
    /// The path as it stands: the final one, or the one-sided plan's accepted one.
    #[must_use]
    pub fn path_report(&self) -> PathReport {
        let people: Vec<PersonIndex> = match (&self.final_path, &self.route) {
            (Some(path), _) => path.clone(),
            (None, Route::OneSided(route)) => route
                .path()
                .filter_map(|subject| self.knowledge.person_of(subject))
                .collect(),
            (None, Route::BothEnds(_)) => Vec::new(),
        };
        let edges = people
            .iter()
            .zip(people.iter().skip(1))
            .filter_map(|(from, to)| {
                let edge = self.knowledge.together().edge(*from, *to)?;
                Some(report::edge(&self.knowledge, *from, *to, edge))
            });
        PathReport {
            edges: edges.collect(),
            people: people
                .iter()
                .map(|person| report::person_ref(&self.knowledge, *person))
                .collect(),
        }
    }

    /// The verified people and edges as they stand.
    #[must_use]
    pub fn graph(&self) -> GraphReport {
        self.graph_report(self.final_path.as_deref().unwrap_or_default())
    }

    /// For each frontier in the order of looking who was seen beside it. Those that are looked at
    /// are left out until the run has ended: their tables still grow.
    #[must_use]
    pub fn candidate_records(&self) -> Vec<FrontierRecord> {
        let finished = if self.is_ended() {
            self.frontiers.as_slice()
        } else {
            self.frontiers
                .split_last()
                .map_or(&[][..], |(_, before)| before)
        };
        let is_looked_at = |subject: &&Subject| {
            let mut surveys = self.surveys.iter();
            surveys.any(|survey| survey.place.frontier == Some(**subject))
        };
        finished
            .iter()
            .filter(|subject| !is_looked_at(subject))
            .filter_map(|subject| {
                let person = self.knowledge.person_of(*subject)?;
                Some(FrontierRecord {
                    frontier: report::subject_ref(&self.knowledge, *subject),
                    candidates: self.candidates_beside(person),
                })
            })
            .collect()
    }

    fn candidates_beside(&self, person: PersonIndex) -> Vec<CandidateRecord> {
        let together = self.knowledge.together();
        let beside = together.neighbours(person).filter_map(|other| {
            let edge = together.edge(person, other)?;
            Some(CandidateRecord {
                person: report::person_ref(&self.knowledge, other),
                count: edge.evidence().len(),
                best_confidence: edge.confidence().percent(),
                evidence: edge.evidence().to_vec(),
            })
        });
        beside.collect()
    }
}
