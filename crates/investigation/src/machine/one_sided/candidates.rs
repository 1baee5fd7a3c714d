//! The people who may be tried next beside the frontier.

use std::cmp::Ordering;

use domain::{Confidence, Edge, PersonIndex, Side};

use crate::machine::advice::Candidate;
use crate::machine::telling::counted;
use crate::machine::view::View;

use super::path::Path;

/// Orders candidates by the best confidence with the frontier, then by count, then by name.
//= spec S3 "fallback heuristic"
fn by_confidence(left: &Candidate, right: &Candidate) -> Ordering {
    (right.best_confidence.cmp(&left.best_confidence))
        .then(right.count.cmp(&left.count))
        .then_with(|| left.name.cmp(&right.name))
        .then(left.person.cmp(&right.person))
}

/// Returns the people who were seen with the frontier, are not on the path, did not fail from here,
/// and could still end in time. Notes where the hop limit alone removed somebody.
pub fn candidates(path: &mut Path, view: View) -> Vec<Candidate> {
    let facts = view.facts();
    let Some(frontier) = facts.knowledge().person_of(path.frontier().subject) else {
        return Vec::new();
    };
    let on_path = path.people(facts);
    let target = facts.people().bound(Side::B);
    let depth = path.accepted_edges() + 1;
    let photos_looked = view.budget().photos_looked();
    // A candidate and then the target make two more edges.
    let has_room = depth < facts.limits().hops;
    let mut candidates: Vec<Candidate> = Vec::new();
    for person in facts.together().neighbours(frontier) {
        let is_tried = on_path.contains(&person)
            || path.has_failed(person)
            || path.is_exhausted(person, depth, photos_looked);
        if is_tried || !facts.may_be_on_path(person) {
            continue;
        }
        if !has_room && Some(person) != target {
            path.note_hop_limit();
            continue;
        }
        candidates.push(candidate(view, frontier, person, depth));
    }
    candidates.sort_by(by_confidence);
    candidates
}

fn candidate(view: View, frontier: PersonIndex, person: PersonIndex, depth: u32) -> Candidate {
    let facts = view.facts();
    let edge = facts.together().edge(frontier, person);
    Candidate {
        person,
        side: Side::A,
        depth,
        count: edge.map_or(0, |edge| edge.evidence().len()),
        degree: facts.together().degree(person),
        best_confidence: edge.map_or(Confidence::ZERO, Edge::confidence),
        name: facts.name(person).to_owned(),
    }
}

/// Returns why the ranking chose this one, in a few words.
pub fn reason_of(candidate: &Candidate) -> String {
    format!(
        "seen in {}, with {}, at best {:.1} %",
        counted(candidate.count, "photo", "photos"),
        counted(candidate.degree, "person", "people"),
        candidate.best_confidence.percent()
    )
}
