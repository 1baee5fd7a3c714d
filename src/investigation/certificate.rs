//! What a final chain is worth: what is proven, what was looked for in vain, what stays open.

use crate::domain::{Chain, Confidence, EvidenceGraph, Pair, PersonIndex};

use super::machine::Investigation;
use super::notice::PersonRef;
use super::query;
use super::report;

/// An edge of a chain, and in how many photos it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenReport {
    /// One end's id.
    pub from: String,
    /// The other's.
    pub to: String,
    /// Photos that show both at the threshold.
    pub photos: usize,
    /// The same for people.
    pub message: String,
}

/// Two people of a chain whose photo would make it shorter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairReport {
    /// One's id.
    pub one: String,
    /// The other's.
    pub other: String,
    /// Photos looked at that show one of them at the threshold.
    pub photos: usize,
    /// The same for people.
    pub message: String,
}

/// What a chain is worth.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CertificateReport {
    /// Its edges, in path order.
    pub proven: Vec<ProvenReport>,
    /// Searched for together, and not found: no proof that there is no such photo.
    pub excluded: Vec<PairReport>,
    /// No search for both was answered.
    pub open: Vec<PairReport>,
}

/// Another chain between the same two people.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherPathReport {
    /// From A to B.
    pub path: Vec<PersonRef>,
    /// The weakest edge, in percent.
    pub bottleneck: f64,
    /// The product of the edges' confidences, 0 to 1.
    pub cumulative: f64,
}

/// Other chains that are told at most, the best first.
const OTHER_PATHS_MAX: usize = 3;

impl Investigation {
    /// For each edge of the chain its photos; for each two people of the chain who are no
    /// neighbours in it, and whose photo would make it shorter, whether they were asked for.
    pub(super) fn certificate(&self, chain: &Chain) -> CertificateReport {
        let name = |person: PersonIndex| self.knowledge.people.name(person);
        let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
        let proven = neighbours.zip(&chain.edges).map(|((from, to), edge)| {
            let photos = edge.evidence().len();
            let count = if photos == 1 { "photo" } else { "photos" };
            ProvenReport {
                from: report::person_ref(&self.knowledge, *from).id,
                to: report::person_ref(&self.knowledge, *to).id,
                photos,
                message: format!("{photos} {count} of {} with {}", name(*from), name(*to)),
            }
        });
        let mut certificate = CertificateReport {
            proven: proven.collect(),
            excluded: Vec::new(),
            open: Vec::new(),
        };
        for (place, one) in chain.people.iter().enumerate() {
            for other in chain.people.iter().skip(place + 2) {
                let photos = self.photos_of_either(*one, *other);
                let pair = |message: String| PairReport {
                    one: report::person_ref(&self.knowledge, *one).id,
                    other: report::person_ref(&self.knowledge, *other).id,
                    photos,
                    message,
                };
                let (one, other) = (name(*one), name(*other));
                if self.was_asked_for_both(one, other) {
                    certificate.excluded.push(pair(format!(
                        "no photo of {one} with {other} among {photos} looked at"
                    )));
                } else {
                    let message = format!("no search for {one} with {other} was answered");
                    certificate.open.push(pair(message));
                }
            }
        }
        certificate
    }

    /// Photos looked at that show one of the two at the threshold and that could prove something.
    fn photos_of_either(&self, one: PersonIndex, other: PersonIndex) -> usize {
        let threshold = self.knowledge.threshold();
        let shows = |face: Option<Confidence>| face.is_some_and(|sure| sure >= threshold);
        let sightings = self.knowledge.sightings().iter();
        sightings
            .filter(|sighting| {
                let could_prove = sighting.veto.is_none();
                let shows_one = shows(sighting.confidence_of(one));
                could_prove && (shows_one || shows(sighting.confidence_of(other)))
            })
            .count()
    }

    /// Whether a query that names both was answered.
    pub(super) fn was_asked_for_both(&self, one: &str, other: &str) -> bool {
        query::naming_both(one, other)
            .iter()
            .filter_map(|query| self.knowledge.asked(query))
            .any(|asked| asked.is_answered)
    }

    /// The best chains that do without one of this chain's edges.
    pub(super) fn other_paths(&self, chain: &Chain) -> Vec<OtherPathReport> {
        let (Some(from), Some(to)) = (chain.people.first(), chain.people.last()) else {
            return Vec::new();
        };
        let verified = self.verified();
        let mut others: Vec<Chain> = Vec::new();
        for edge in &chain.edges {
            let without = without(&verified, edge.pair());
            let other = self.best_in(&without, *from, *to);
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
                .map(|person| report::person_ref(&self.knowledge, *person))
                .collect(),
            bottleneck: other.bottleneck().percent(),
            cumulative: other.cumulative(),
        });
        told.collect()
    }
}

fn without(graph: &EvidenceGraph, left_out: Pair) -> EvidenceGraph {
    let pairs = graph.edges().map(crate::domain::Edge::pair);
    graph.restricted_to(&pairs.filter(|pair| *pair != left_out).collect())
}
