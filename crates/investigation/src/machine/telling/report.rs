//! Builds the reports of people, edges, the graph and the path, and the list of pages that show a chain's photos.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Chain, Edge, EvidenceGraph, EvidenceRef, Pair, PersonIndex, Side, Sighting, WordUse, fold,
    reach,
};

use crate::machine::facts::{Facts, Subject};
use crate::machine::interface::{
    CandidateRecord, EdgeReport, EvidenceReport, FaceReport, FrontierRecord, GraphEdgeReport,
    GraphReport, NodeReport, OtherPathReport, PathReport, PersonRef, PhotoPage, PhotoReport,
};

use super::doubt_words;

/// The most photos reported for one edge; they are the best ones. Six such edges, each photo full of faces, stay below
/// the 2 MB limit of a stored event.
const PHOTOS_PER_EDGE_MAX: usize = 10;

/// The most people of a graph.
const NODES_MAX: usize = 200;

/// The most edges of a graph, for the same reason as [`PHOTOS_PER_EDGE_MAX`].
const GRAPH_EDGES_MAX: usize = 2_000;

/// The largest number of other chains that are reported, the best first.
const OTHER_PATHS_MAX: usize = 3;

/// Returns a person's id and name.
pub fn person_ref(facts: &Facts, person: PersonIndex) -> PersonRef {
    PersonRef {
        id: facts.people().id(person).to_owned(),
        name: facts.name(person).to_owned(),
    }
}

/// Returns a subject's id and name. The id of a person of the request who was not recognised yet is made from the
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

/// Builds the report of the edge from `from` to `to`, with its photos.
pub fn edge_report(facts: &Facts, from: PersonIndex, to: PersonIndex, edge: &Edge) -> EdgeReport {
    let evidence: Vec<EvidenceReport> = photos_of(facts, from, to, edge)
        .into_iter()
        .take(PHOTOS_PER_EDGE_MAX)
        .filter_map(|sighting| photo_of_edge(facts, sighting, from, to))
        .collect();
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

/// Returns the photos of an edge, the best first.
pub(super) fn photos_of<'run>(
    facts: &'run Facts,
    from: PersonIndex,
    to: PersonIndex,
    edge: &Edge,
) -> Vec<&'run Sighting> {
    let score = |sighting: &Sighting| {
        let both = sighting.confidence_of(from).zip(sighting.confidence_of(to));
        both.map(|(one, other)| one.min(other))
    };
    let references = edge.evidence().iter();
    let mut photos: Vec<&Sighting> = references
        .filter_map(|reference| facts.knowledge().sighting(*reference))
        .collect();
    let counts_doubts = facts.limits().words >= WordUse::Doubts;
    photos.sort_by_key(|sighting| {
        // A small copy never comes before a full photo, a photo that could not be judged never before a judged one,
        // and a doubtful one never before one without doubt. Runs by older orders do not compare doubts.
        let is_unjudged = sighting.collage_check.unjudged().is_some();
        let is_doubtful = counts_doubts && sighting.is_doubtful();
        let by_doubt = (sighting.is_thumbnail, is_unjudged, is_doubtful);
        (by_doubt, Reverse(score(sighting)), sighting.reference)
    });
    photos
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
        portrait: face.portrait.clone(),
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
        recognised_by: sighting.recognised_by.clone(),
        doubt: doubt_words(facts, sighting),
        taken: sighting.provenance.taken,
        making: sighting.provenance.making.as_ref().map(ToString::to_string),
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

/// Builds the report of the centre and the verified people within reach of it, nearest first, with the edges among
/// them.
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
    // The edges at the centre come first, so that the limit does not cut them off.
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

/// Returns the centre, then the people connected to it in the order of their distance, at most [`NODES_MAX`] in all.
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

/// Builds the record of a path from A on, with its edges.
pub fn path_report(facts: &Facts, people: &[PersonIndex]) -> PathReport {
    let neighbours = people.iter().zip(people.iter().skip(1));
    let edges = neighbours.filter_map(|(from, to)| {
        let edge = facts.together().edge(*from, *to)?;
        Some(edge_report(facts, *from, *to, edge))
    });
    PathReport {
        edges: edges.collect(),
        people: people
            .iter()
            .map(|person| person_ref(facts, *person))
            .collect(),
    }
}

/// Builds the records of the people who were seen with each frontier.
pub fn frontier_records(facts: &Facts, frontiers: &[Subject]) -> Vec<FrontierRecord> {
    let records = frontiers
        .iter()
        .filter_map(|subject| frontier_record(facts, *subject));
    records.collect()
}

/// Builds the record of the people who were seen with a frontier; `None` if the frontier was never recognised.
fn frontier_record(facts: &Facts, subject: Subject) -> Option<FrontierRecord> {
    let person = facts.knowledge().person_of(subject)?;
    Some(FrontierRecord {
        frontier: subject_ref(facts, subject),
        candidates: candidates_beside(facts, person),
    })
}

fn candidates_beside(facts: &Facts, person: PersonIndex) -> Vec<CandidateRecord> {
    let together = facts.together();
    let beside = together.neighbours(person).filter_map(|other| {
        let edge = together.edge(person, other)?;
        Some(CandidateRecord {
            person: person_ref(facts, other),
            count: edge.evidence().len(),
            best_confidence: edge.confidence().percent(),
            evidence: edge.evidence().to_vec(),
        })
    });
    beside.collect()
}

/// Returns the best other chains of verified edges: for each edge of this chain, the best chain that avoids it.
pub fn other_paths(facts: &Facts, verified: &EvidenceGraph, chain: &Chain) -> Vec<OtherPathReport> {
    let (Some(from), Some(to)) = (chain.people.first(), chain.people.last()) else {
        return Vec::new();
    };
    let mut others: Vec<Chain> = Vec::new();
    for edge in &chain.edges {
        let other = facts.best_chain(&without(verified, edge.pair()), *from, *to);
        others.extend(other.filter(|other| !others.contains(other)));
    }
    others.sort_by(|left, right| {
        (left.hops().cmp(&right.hops()))
            .then(right.bottleneck().cmp(&left.bottleneck()))
            .then(right.cumulative().total_cmp(&left.cumulative()))
    });
    let others = others.iter().take(OTHER_PATHS_MAX);
    let told = others.map(|other| OtherPathReport {
        path: other
            .people
            .iter()
            .map(|person| person_ref(facts, *person))
            .collect(),
        bottleneck: other.bottleneck().percent(),
        cumulative: other.cumulative(),
    });
    told.collect()
}

fn without(graph: &EvidenceGraph, left_out: Pair) -> EvidenceGraph {
    let pairs = graph.edges().map(Edge::pair);
    graph.restricted_to(&pairs.filter(|pair| *pair != left_out).collect())
}

/// Returns the pages that show the best photo of each edge, each page once, in path order. A photo whose page has no
/// web address gets an entry of its own.
fn photo_pages(facts: &Facts, chain: &Chain) -> Vec<PhotoPage> {
    let mut pages: Vec<PhotoPage> = Vec::new();
    let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
    for ((from, to), edge) in neighbours.zip(&chain.edges) {
        let report = edge_report(facts, *from, *to, edge);
        let Some(best) = report.evidence.into_iter().next() else {
            continue;
        };
        let url = best.context_url.filter(|url| is_of_the_web(url));
        let is_same = |page: &&mut PhotoPage| {
            (url.is_some() && page.url == url) || page.photos.contains(&best.reference)
        };
        match pages.iter_mut().find(is_same) {
            Some(page) if page.photos.contains(&best.reference) => {}
            Some(page) => page.photos.push(best.reference),
            None => pages.push(PhotoPage {
                photos: vec![best.reference],
                url,
            }),
        }
    }
    pages
}

/// Returns the addresses of the pages that show the best photo of each edge.
pub fn page_urls(facts: &Facts, chain: &Chain) -> Vec<String> {
    let pages = photo_pages(facts, chain).into_iter();
    pages.filter_map(|page| page.url).collect()
}

/// Returns the first of the chain's pages whose outcome is not known yet.
pub fn next_page(facts: &Facts, chain: &Chain) -> Option<PhotoPage> {
    let mut pages = photo_pages(facts, chain).into_iter();
    pages.find(|page| !facts.captures().is_settled(page))
}

fn is_of_the_web(url: &str) -> bool {
    let begins = |scheme: &str| {
        let beginning = url.get(..scheme.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(scheme))
    };
    begins("https://") || begins("http://")
}
