//! The worth of a final chain: what is proven, what was looked for in vain, and what stays open.

use domain::{Chain, Confidence, Edge, EvidenceGraph, Pair, PersonIndex};

use crate::machine::facts::{AskedQuery, Facts, ListKey, query};
use crate::machine::interface::{CertificateReport, OtherPathReport, PairReport, ProvenReport};

use super::report::person_ref;
use super::words::{counted, listed};

/// The most other chains that are told, the best first.
const OTHER_PATHS_MAX: usize = 3;

/// Makes the certificate of a chain. It has for each edge of the chain its photos. For each two
/// people of the chain who are no neighbours in it, and whose photo would make it shorter, it says
/// whether they were asked for.
///
/// `is_checked` says for which links a second photo was looked for.
pub fn certificate(
    facts: &Facts,
    chain: &Chain,
    is_checked: impl Fn(Pair) -> bool,
) -> CertificateReport {
    let mut certificate = CertificateReport {
        proven: proven(facts, chain, is_checked),
        ..CertificateReport::default()
    };
    for (place, one) in chain.people.iter().enumerate() {
        for other in chain.people.iter().skip(place + 2) {
            let photos = photos_of_either(facts, *one, *other);
            let pair = |message: String| PairReport {
                one: person_ref(facts, *one).id,
                other: person_ref(facts, *other).id,
                photos,
                message,
            };
            let (one, other) = (facts.name(*one), facts.name(*other));
            let asked = asked_for_both(facts, one, other);
            if let Some(asked) = asked {
                certificate.excluded.push(pair(format!(
                    "no photo of {one} with {other} among {photos} looked at{asked}"
                )));
            } else {
                let message = format!("no search for {one} with {other} was answered");
                certificate.open.push(pair(message));
            }
        }
    }
    certificate
}

fn proven(facts: &Facts, chain: &Chain, is_checked: impl Fn(Pair) -> bool) -> Vec<ProvenReport> {
    let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
    let proven = neighbours.zip(&chain.edges).map(|((from, to), edge)| {
        let photos = edge.evidence().len();
        let is_confirmed = is_checked(edge.pair()).then_some(photos > 1);
        let looked_for = match is_confirmed {
            None => "",
            Some(true) => "; a second one was looked for and found",
            Some(false) => "; a second one was looked for and not found",
        };
        ProvenReport {
            from: person_ref(facts, *from).id,
            to: person_ref(facts, *to).id,
            photos,
            is_confirmed,
            message: format!(
                "{} of {} with {}{looked_for}",
                counted(photos, "photo", "photos"),
                facts.name(*from),
                facts.name(*to)
            ),
        }
    });
    proven.collect()
}

/// Returns the number of photos looked at that show one of the two at the threshold and that could
/// prove something.
fn photos_of_either(facts: &Facts, one: PersonIndex, other: PersonIndex) -> usize {
    let threshold = facts.knowledge().threshold();
    let shows = |face: Option<Confidence>| face.is_some_and(|sure| sure >= threshold);
    let sightings = facts.knowledge().sightings().iter();
    sightings
        .filter(|sighting| {
            let could_prove = sighting.collage_check.veto().is_none();
            let shows_one = shows(sighting.confidence_of(one));
            could_prove && (shows_one || shows(sighting.confidence_of(other)))
        })
        .count()
}

/// Returns which image searches have answered a query that names both, as the end of a sentence that
/// is empty where there is only one. Returns `None` where none has.
fn asked_for_both(facts: &Facts, one: &str, other: &str) -> Option<String> {
    let queries = query::naming_both(one, other);
    let has_answered = |source: &usize| {
        let mut queries = queries.iter();
        queries.any(|query| {
            let query = query.text().to_owned();
            let list = ListKey {
                query,
                source: *source,
            };
            let asked = facts.knowledge().list(&list);
            asked.is_some_and(AskedQuery::is_answered)
        })
    };
    let sources = facts.request().sources.len();
    let asked: Vec<usize> = (0..sources.max(1)).filter(has_answered).collect();
    if asked.is_empty() {
        return None;
    }
    if sources < 2 {
        return Some(String::new());
    }
    let names = asked.iter().filter_map(|source| facts.source(*source));
    let names: Vec<&str> = names.map(|source| source.name.as_str()).collect();
    let verb = if names.len() == 1 { "was" } else { "were" };
    Some(format!("; {} {verb} asked for both", listed(&names)))
}

/// Returns the best chains of verified edges that do without one of this chain's edges.
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
