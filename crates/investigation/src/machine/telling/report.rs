//! The owned forms of people, edges and the graph for notices.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Edge, EvidenceGraph, EvidenceRef, PersonIndex, Side, Sighting, fold, reach};

use crate::machine::facts::{Facts, Subject};
use crate::machine::interface::{
    EdgeReport, EvidenceReport, FaceReport, GraphEdgeReport, GraphReport, NodeReport, PersonRef,
    PhotoReport,
};

use super::photo_line::doubt_words;

/// The most photos that one edge carries, the best ones. Six such edges, each photo full of faces,
/// stay under the 2 MB that one stored event may have.
const PHOTOS_PER_EDGE_MAX: usize = 10;
/// The most people of a graph.
const NODES_MAX: usize = 200;
/// The most edges of a graph, for the same reason as [`PHOTOS_PER_EDGE_MAX`].
const GRAPH_EDGES_MAX: usize = 2_000;

/// Returns a person's id and name.
pub fn person_ref(facts: &Facts, person: PersonIndex) -> PersonRef {
    PersonRef {
        id: facts.people().id(person).to_owned(),
        name: facts.name(person).to_owned(),
    }
}

/// Returns a subject's id and name. A typed person who is not recognised yet has the id of the
/// folded name.
pub fn subject_ref(facts: &Facts, subject: Subject) -> PersonRef {
    if let Some(person) = facts.knowledge().person_of(subject) {
        return person_ref(facts, person);
    }
    let name = facts.knowledge().name_of(subject);
    PersonRef {
        id: format!("name:{}", fold(name)),
        name: name.to_owned(),
    }
}

/// Makes the report of an edge with its photos, seen from `from`.
pub fn edge_report(facts: &Facts, from: PersonIndex, to: PersonIndex, edge: &Edge) -> EdgeReport {
    let mut evidence: Vec<EvidenceReport> = edge
        .evidence()
        .iter()
        .filter_map(|reference| facts.knowledge().sighting(*reference))
        .filter_map(|sighting| photo_of_edge(facts, sighting, from, to))
        .collect();
    evidence.sort_by(|left, right| {
        // A small copy never comes before a photo.
        (left.is_thumbnail.cmp(&right.is_thumbnail))
            .then(right.image_score.total_cmp(&left.image_score))
            .then(left.reference.cmp(&right.reference))
    });
    evidence.truncate(PHOTOS_PER_EDGE_MAX);
    let best = evidence.first();
    let capture = best.and_then(|photo| facts.captures().of_photo(photo.reference));
    EdgeReport {
        from: person_ref(facts, from),
        to: person_ref(facts, to),
        confidence: edge.confidence().percent(),
        capture: capture.cloned(),
        evidence,
    }
}

fn photo_of_edge(
    facts: &Facts,
    sighting: &Sighting,
    from: PersonIndex,
    to: PersonIndex,
) -> Option<EvidenceReport> {
    let score = sighting
        .confidence_of(from)?
        .min(sighting.confidence_of(to)?);
    let seen = sighting.faces.iter().map(|face| FaceReport {
        person: person_ref(facts, face.person),
        confidence: face.confidence.percent(),
        face_box: face.face_box,
        urls: urls(facts, face.person),
    });
    Some(EvidenceReport {
        reference: sighting.reference,
        image_url: sighting.hit.image_url.clone(),
        is_thumbnail: sighting.is_thumbnail,
        thumbnail_url: sighting.hit.thumbnail_url.clone(),
        context_url: sighting.hit.context_url.clone(),
        title: sighting.hit.title.clone(),
        credit: sighting.hit.credit.clone(),
        query: sighting.query.clone(),
        digest: sighting.digest.clone(),
        remembered: sighting.remembered.clone(),
        doubt: doubt_words(facts, sighting),
        image_score: score.percent(),
        faces: seen.collect(),
    })
}

fn urls(facts: &Facts, person: PersonIndex) -> Vec<String> {
    facts
        .people()
        .person(person)
        .map(|person| person.urls.clone())
        .unwrap_or_default()
}

/// Makes the report of the centre and the verified people within reach of it, nearest first, with
/// the edges among them.
pub fn graph_report(
    facts: &Facts,
    verified: &EvidenceGraph,
    centre: &[PersonIndex],
    joined: &BTreeMap<PersonIndex, Side>,
) -> GraphReport {
    let people = around(verified, centre);
    let included: BTreeSet<PersonIndex> = people.iter().copied().collect();
    let is_centre = |person: PersonIndex| centre.contains(&person);
    let mut edges: Vec<&Edge> = verified
        .edges()
        .filter(|edge| {
            let (one, other) = edge.pair().people();
            included.contains(&one) && included.contains(&other)
        })
        .collect();
    // The sort is stable, so that the edges at the centre stay in when the bound cuts.
    edges.sort_by_key(|edge| {
        let (one, other) = edge.pair().people();
        u8::from(!is_centre(one)) + u8::from(!is_centre(other))
    });
    edges.truncate(GRAPH_EDGES_MAX);
    let photos: BTreeSet<EvidenceRef> = edges
        .iter()
        .flat_map(|edge| edge.evidence().iter().copied())
        .collect();
    GraphReport {
        nodes: people
            .iter()
            .map(|person| NodeReport {
                person: person_ref(facts, *person),
                urls: urls(facts, *person),
                side: joined.get(person).copied(),
            })
            .collect(),
        edges: edges
            .into_iter()
            .map(|edge| graph_edge(facts, edge))
            .collect(),
        evidence: photos
            .into_iter()
            .filter_map(|reference| facts.knowledge().sighting(reference))
            .map(photo)
            .collect(),
    }
}

/// Returns the centre first, then everybody connected to it by distance, at most [`NODES_MAX`].
fn around(verified: &EvidenceGraph, centre: &[PersonIndex]) -> Vec<PersonIndex> {
    let mut distances: BTreeMap<PersonIndex, u32> = BTreeMap::new();
    for start in centre {
        let reached = reach(verified, *start, |_| true);
        for person in reached.order() {
            let distance = reached.distance(*person).unwrap_or(u32::MAX);
            let known = distances.entry(*person).or_insert(distance);
            *known = distance.min(*known);
        }
    }
    let mut people: Vec<PersonIndex> = centre.to_vec();
    let mut others: Vec<(u32, PersonIndex)> = distances
        .into_iter()
        .filter(|(person, _)| !centre.contains(person))
        .map(|(person, distance)| (distance, person))
        .collect();
    others.sort();
    people.extend(others.into_iter().map(|(_, person)| person));
    people.truncate(NODES_MAX);
    people
}

fn graph_edge(facts: &Facts, edge: &Edge) -> GraphEdgeReport {
    let (one, other) = edge.pair().people();
    GraphEdgeReport {
        from: facts.people().id(one).to_owned(),
        to: facts.people().id(other).to_owned(),
        confidence: edge.confidence().percent(),
        evidence: edge.evidence().to_vec(),
    }
}

fn photo(sighting: &Sighting) -> PhotoReport {
    PhotoReport {
        reference: sighting.reference,
        image_url: sighting.hit.image_url.clone(),
        thumbnail_url: sighting.hit.thumbnail_url.clone(),
        context_url: sighting.hit.context_url.clone(),
        credit: sighting.hit.credit.clone(),
    }
}
