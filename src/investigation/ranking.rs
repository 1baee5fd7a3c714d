//! The table of who may be tried next, and its one-sided order. The both-ends order is by the best
//! [`Probe`] for each.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::domain::{CandidateRow, Confidence, PersonIndex, Side};

use super::machine::Investigation;
use super::notice::StateName;
use super::one_sided::OneSided;
use super::probe::Probe;
use super::record::Decision;

/// Rows of the table that the planner sees at most.
pub(super) const TABLE_ROWS_MAX: usize = 20;

/// A person who may be tried next.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) person: PersonIndex,
    pub(super) side: Side,
    /// Edges from the side's start.
    pub(super) depth: u32,
    /// Photos together with the frontier (one-sided), or found by other people's queries.
    pub(super) count: usize,
    /// Different people seen together with.
    pub(super) degree: usize,
    pub(super) best_confidence: Confidence,
    pub(super) name: String,
    /// Both ends: the best search for them.
    pub(super) probe: Option<Probe>,
}

impl Candidate {
    /// The row of the planner's table.
    pub(super) fn row(&self, number: usize) -> CandidateRow {
        CandidateRow {
            number,
            name: self.name.clone(),
            count: self.count,
            best_confidence: self.best_confidence.percent(),
            side: self.side,
        }
    }

    /// How much the best search for them is worth.
    pub(super) fn worth(&self) -> f64 {
        self.probe.as_ref().map_or(0.0, |probe| probe.worth)
    }
}

/// The one-sided order: best confidence with the frontier, then count, then name.
//= spec S3 "fallback heuristic"
fn by_confidence(left: &Candidate, right: &Candidate) -> Ordering {
    (right.best_confidence.cmp(&left.best_confidence))
        .then(right.count.cmp(&left.count))
        .then_with(|| left.name.cmp(&right.name))
        .then(left.person.cmp(&right.person))
}

impl Investigation {
    /// Why the ranking chose this one, in a few words.
    pub(super) fn reason_of(&self, candidate: &Candidate) -> String {
        if let Some(probe) = &candidate.probe {
            return self.reason_of_probe(probe);
        }
        let Candidate { count, degree, .. } = candidate;
        let photos = if *count == 1 { "photo" } else { "photos" };
        let people = if *degree == 1 { "person" } else { "people" };
        format!(
            "seen in {count} {photos}, with {degree} {people}, at best {:.1} %",
            candidate.best_confidence.percent()
        )
    }

    /// The one-sided table: who was seen with the frontier, is not on the path, did not fail from
    /// here, and could still end in time. The flag tells whether the hop limit alone removed one.
    pub(super) fn one_sided_candidates(&self, route: &OneSided) -> (Vec<Candidate>, bool) {
        let Some(frontier) = self.knowledge.person_of(route.frontier().subject) else {
            return (Vec::new(), false);
        };
        let on_path: BTreeSet<PersonIndex> = route
            .path()
            .filter_map(|subject| self.knowledge.person_of(subject))
            .collect();
        let target = self.knowledge.people.bound(Side::B);
        // X and then the target: two more edges.
        let has_room = route.accepted_edges() + 2 <= self.request.limits.hops;
        let mut hop_limited = false;
        let mut candidates: Vec<Candidate> = Vec::new();
        for person in self.knowledge.together().neighbours(frontier) {
            let is_tried = on_path.contains(&person)
                || route.frontier().failed.contains(&person)
                || route.is_exhausted(person, route.accepted_edges() + 1, self.spend.photos.looked);
            if is_tried || !self.may_be_on_path(person) {
                continue;
            }
            if !has_room && Some(person) != target {
                hop_limited = true;
                continue;
            }
            candidates.push(self.one_sided_candidate(route, frontier, person));
        }
        candidates.sort_by(by_confidence);
        (candidates, hop_limited)
    }

    fn one_sided_candidate(
        &self,
        route: &OneSided,
        frontier: PersonIndex,
        person: PersonIndex,
    ) -> Candidate {
        let edge = self.knowledge.together().edge(frontier, person);
        Candidate {
            person,
            side: Side::A,
            depth: route.accepted_edges() + 1,
            count: self.knowledge.times_together(frontier, person),
            degree: self.knowledge.together().degree(person),
            best_confidence: edge.map_or(Confidence::ZERO, crate::domain::Edge::confidence),
            name: self.knowledge.people.name(person).to_owned(),
            probe: None,
        }
    }

    /// Keeps a choice with its table and its reason.
    pub(super) fn note_decision(&mut self, table: &[Candidate], chosen: &str, reason: &str) {
        let frontier = match &self.route {
            super::machine::Route::OneSided(route) => Some(route.frontier().subject),
            super::machine::Route::BothEnds(route) => {
                route.frontier.map(|frontier| frontier.subject)
            }
        };
        self.decisions.push(Decision {
            state: StateName::S3,
            frontier: frontier
                .map_or("", |subject| self.knowledge.name_of(subject))
                .to_owned(),
            table: rows(table),
            chosen: chosen.to_owned(),
            reason: reason.to_owned(),
        });
    }
}

/// The table's first rows, numbered from 1.
pub(super) fn rows(table: &[Candidate]) -> Vec<CandidateRow> {
    (1..)
        .zip(table)
        .take(TABLE_ROWS_MAX)
        .map(|(number, candidate)| candidate.row(number))
        .collect()
}
