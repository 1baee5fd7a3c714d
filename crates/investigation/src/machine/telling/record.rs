//! The records of the path and of the people around it.

use domain::PersonIndex;

use crate::machine::facts::{Facts, Subject};
use crate::machine::interface::{CandidateRecord, FrontierRecord, PathReport};

use super::report;

/// Makes the record of a path from A on, with its edges.
pub fn path_report(facts: &Facts, people: &[PersonIndex]) -> PathReport {
    let neighbours = people.iter().zip(people.iter().skip(1));
    let edges = neighbours.filter_map(|(from, to)| {
        let edge = facts.together().edge(*from, *to)?;
        Some(report::edge_report(facts, *from, *to, edge))
    });
    PathReport {
        edges: edges.collect(),
        people: people
            .iter()
            .map(|person| report::person_ref(facts, *person))
            .collect(),
    }
}

/// Makes the records of everybody who was seen beside each frontier.
pub fn frontier_records(facts: &Facts, frontiers: &[Subject]) -> Vec<FrontierRecord> {
    let records = frontiers.iter();
    let records = records.filter_map(|subject| frontier_record(facts, *subject));
    records.collect()
}

/// Makes the record of everybody who was seen beside a frontier. Returns `None` where the frontier
/// was never recognised.
fn frontier_record(facts: &Facts, subject: Subject) -> Option<FrontierRecord> {
    let person = facts.knowledge().person_of(subject)?;
    Some(FrontierRecord {
        frontier: report::subject_ref(facts, subject),
        candidates: candidates_beside(facts, person),
    })
}

fn candidates_beside(facts: &Facts, person: PersonIndex) -> Vec<CandidateRecord> {
    let together = facts.together();
    let beside = together.neighbours(person).filter_map(|other| {
        let edge = together.edge(person, other)?;
        Some(CandidateRecord {
            person: report::person_ref(facts, other),
            count: edge.evidence().len(),
            best_confidence: edge.confidence().percent(),
            evidence: edge.evidence().to_vec(),
        })
    });
    beside.collect()
}
