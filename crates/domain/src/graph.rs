//! Verified edges. An [`Edge`] can only be made from a [`Sighting`] of both people. A photo with a [`Rejection`] proves
//! nothing, whoever was recognised in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Serialize, Serializer};

use crate::collage::{CollageCheck, Veto};
use crate::face::{Confidence, FaceBox, Portrait, RecognisedBy};
use crate::identifiers::Sha256Digest;
use crate::memory::RememberedFrom;
use crate::people::PersonIndex;
use crate::provenance::{Making, Provenance};
use crate::search::Hit;
use crate::word_doubt::WordDoubt;

/// The most people in one photo who are paired with each other. 16 people make 120 pairs.
pub const PAIRED_PEOPLE_MAX: usize = 16;

/// Two different people, regardless of their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    lower: PersonIndex,
    upper: PersonIndex,
}

impl Pair {
    /// Makes the pair of two people; `None` if both are the same person.
    #[must_use]
    pub fn new(one: PersonIndex, other: PersonIndex) -> Option<Self> {
        match one.cmp(&other) {
            std::cmp::Ordering::Less => Some(Self {
                lower: one,
                upper: other,
            }),
            std::cmp::Ordering::Greater => Some(Self {
                lower: other,
                upper: one,
            }),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Returns the two people. The one seen earlier comes first.
    #[must_use]
    pub fn people(self) -> (PersonIndex, PersonIndex) {
        (self.lower, self.upper)
    }
}

/// Two people proven together by at least one photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pair: Pair,
    confidence: Confidence,
    is_judged: bool,
    evidence: Vec<EvidenceRef>,
}

/// How sure an edge is. Any edge with a photo whose pixels were judged is surer than one without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeStrength {
    /// Whether the pixels of at least one photo were judged.
    pub is_judged: bool,
    /// The edge's confidence.
    pub confidence: Confidence,
}

impl Edge {
    /// Makes the edge that a photo proves; `None` if one of the two was not recognised with the threshold's
    /// confidence, if the photo is rejected, or if it shows somebody else twice.
    //= spec Fixed Parameters "Edge acceptance"
    #[must_use]
    pub fn from_sighting(sighting: &Sighting, pair: Pair, threshold: Confidence) -> Option<Self> {
        let (lower, upper) = pair.people();
        let is_of_pair = |person: &PersonIndex| [lower, upper].contains(person);
        if sighting.rejection().is_some() || !sighting.twice.iter().all(is_of_pair) {
            return None;
        }
        let confidence = sighting
            .confidence_of(lower)?
            .min(sighting.confidence_of(upper)?);
        (confidence >= threshold).then(|| Self {
            pair,
            confidence,
            is_judged: sighting.collage_check.unjudged().is_none(),
            evidence: vec![sighting.reference],
        })
    }

    /// Adds the proof by another photo of the same pair to this edge.
    fn join(&mut self, other: &Self) {
        // A photo's confidence is the lower of the two people's. The edge's confidence is the highest of its photos'.
        self.confidence = self.confidence.max(other.confidence);
        self.is_judged |= other.is_judged;
        for reference in &other.evidence {
            if !self.evidence.contains(reference) {
                self.evidence.push(*reference);
            }
        }
    }

    /// Returns the two people whom the edge joins.
    #[must_use]
    pub fn pair(&self) -> Pair {
        self.pair
    }

    /// Returns the confidence of the edge. A photo's confidence is the lower of the two people's, and the edge's is
    /// the highest of its photos'.
    //= spec S6 "edge_conf"
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Returns how sure the edge is, for comparison with other edges.
    #[must_use]
    pub fn strength(&self) -> EdgeStrength {
        EdgeStrength {
            is_judged: self.is_judged,
            confidence: self.confidence,
        }
    }

    /// Returns the numbers of the photos that prove the edge, oldest first.
    #[must_use]
    pub fn evidence(&self) -> &[EvidenceRef] {
        &self.evidence
    }
}

/// All edges that photos have proven so far.
#[derive(Debug, Clone, Default)]
pub struct EvidenceGraph {
    edges: BTreeMap<Pair, Edge>,
    /// Each edge in both directions. One set for all is cheaper to copy and to search than one set per person.
    neighbours: BTreeSet<(PersonIndex, PersonIndex)>,
}

impl EvidenceGraph {
    /// Adds a proven edge, or joins it to the pair's existing edge. Returns whether the pair had no edge before.
    pub fn add(&mut self, edge: Edge) -> bool {
        if let Some(known) = self.edges.get_mut(&edge.pair) {
            known.join(&edge);
            return false;
        }
        self.neighbours.extend(both_directions(edge.pair));
        self.edges.insert(edge.pair, edge);
        true
    }

    /// Returns the edge between two people.
    #[must_use]
    pub fn edge(&self, one: PersonIndex, other: PersonIndex) -> Option<&Edge> {
        self.edges.get(&Pair::new(one, other)?)
    }

    /// Returns all edges, in the order in which their people were first seen.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.edges.values()
    }

    /// Returns a graph with only the edges between these pairs.
    #[must_use]
    pub fn restricted_to(&self, pairs: &BTreeSet<Pair>) -> Self {
        let kept = pairs.iter().filter_map(|pair| self.edges.get(pair));
        let edges: BTreeMap<Pair, Edge> = kept.map(|edge| (edge.pair, edge.clone())).collect();
        let neighbours = edges.keys().copied().flat_map(both_directions).collect();
        Self { edges, neighbours }
    }

    /// Returns the people who share an edge with a person, in the order in which they were first seen.
    pub fn neighbours(&self, person: PersonIndex) -> impl Iterator<Item = PersonIndex> + '_ {
        let first = (person, PersonIndex(0));
        let of_person = self
            .neighbours
            .range(first..=(person, PersonIndex(u32::MAX)));
        of_person.map(|(_, neighbour)| *neighbour)
    }

    /// Returns the number of a person's edges.
    #[must_use]
    pub fn degree(&self, person: PersonIndex) -> usize {
        self.neighbours(person).count()
    }
}

fn both_directions(pair: Pair) -> [(PersonIndex, PersonIndex); 2] {
    let (lower, upper) = pair.people();
    [(lower, upper), (upper, lower)]
}

/// The number of a sighting, counted from 1 and written `ev1`, `ev2` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EvidenceRef(pub u32);

impl Serialize for EvidenceRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for EvidenceRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ev{}", self.0)
    }
}

/// A person who was recognised in a photo.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenFace {
    /// The person whom the recogniser matched to the face.
    pub person: PersonIndex,
    /// The highest confidence among this person's faces in the photo.
    pub confidence: Confidence,
    /// The place of the face with that confidence.
    pub face_box: FaceBox,
    /// The portrait that this face was compared with, if the recogniser tells it.
    pub portrait: Option<Box<Portrait>>,
}

/// A contradiction between the faces of a photo. The photo still proves an edge, but before the run relies on the edge,
/// a second photo is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaceDoubt {
    /// Two people were recognised in one face, which can belong to only one of them.
    OneFace(PersonIndex, PersonIndex),
    /// One person was recognised in two faces. One of these must be a picture, a mirror image or a mistake.
    Twice(PersonIndex),
}

/// A contradiction between a photo's date and the life of somebody in it. Each has the person, and the year of the birth
/// or death.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateDoubt {
    /// The photo was taken before the person was born.
    BeforeBirth(PersonIndex, u16),
    /// The photo was taken after the year in which the person died.
    AfterDeath(PersonIndex, u16),
}

/// One recognised photo. Edges come from nothing else.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// The number of this sighting, under which edges cite it.
    pub reference: EvidenceRef,
    /// The search result that the photo comes from.
    pub hit: Hit,
    /// Whether a small copy of the photo was recognised instead of the photo itself.
    pub is_thumbnail: bool,
    /// The SHA-256 of the recognised bytes.
    pub digest: Sha256Digest,
    /// The query that first found the photo.
    pub query: String,
    /// The recognised people in the recogniser's order. Each person occurs once.
    pub faces: Vec<SeenFace>,
    /// Whether the pixels show that the photo is a collage.
    pub collage_check: CollageCheck,
    /// The contradiction between the photo's faces, if there is one.
    pub face_doubt: Option<FaceDoubt>,
    /// The people who are in the photo twice. It proves nothing of two others: one may stand beside the first picture of
    /// the person, the other beside the second. In runs of older orders it is empty.
    pub twice: Vec<PersonIndex>,
    /// What the words beside the photo say against it, if they do.
    pub word_doubt: Option<WordDoubt>,
    /// The contradiction between the photo's date and the life of somebody in it, if there is one.
    pub date_doubt: Option<DateDoubt>,
    /// How and when the photo was made, according to its file or to the page that shows it.
    pub provenance: Provenance,
    /// The origin of a recogniser's answer that an earlier run paid for; `None` if this run requested the answer.
    pub remembered: Option<RememberedFrom>,
    /// The recogniser that named the faces; `None` in runs of older versions.
    pub recognised_by: Option<RecognisedBy>,
}

/// The reason why a photo proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection<'photo> {
    /// Its pixels show that it was composed of several photos.
    Collage(Veto),
    /// Its file says that it was generated or composed.
    Making(&'photo Making),
    /// The words beside it say that it shows no real people.
    Words(&'photo WordDoubt),
}

impl fmt::Display for Rejection<'_> {
    /// Writes the reason as the end of a sentence about the photo.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collage(veto) => out.write_str(veto.reason()),
            Self::Making(making) => making.fmt(out),
            Self::Words(doubt) => doubt.fmt(out),
        }
    }
}

impl Sighting {
    /// Returns why the photo proves nothing; `None` if it proves edges.
    #[must_use]
    pub fn rejection(&self) -> Option<Rejection<'_>> {
        let by_pixels = self.collage_check.veto().map(Rejection::Collage);
        let making = self.provenance.making.as_ref();
        let by_making = || {
            making
                .filter(|making| making.rejects())
                .map(Rejection::Making)
        };
        let words = self.word_doubt.as_ref();
        let by_words = || words.filter(|words| words.rejects).map(Rejection::Words);
        by_pixels.or_else(by_making).or_else(by_words)
    }

    /// Returns whether the photo proves an edge but a second photo should be searched for before the run relies on the
    /// edge.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        let by_pixels = matches!(
            self.collage_check,
            CollageCheck::Doubtful | CollageCheck::NotJudged(_)
        );
        let by_claims = self.word_doubt.is_some() || self.date_doubt.is_some();
        by_pixels || self.face_doubt.is_some() || by_claims
    }

    /// Returns the confidence with which a person was recognised in this photo.
    #[must_use]
    pub fn confidence_of(&self, person: PersonIndex) -> Option<Confidence> {
        self.faces
            .iter()
            .find(|face| face.person == person)
            .map(|face| face.confidence)
    }

    /// Returns the people to pair with each other. These are at most [`PAIRED_PEOPLE_MAX`] of those who reach the
    /// threshold. The people in `first` come first, then the most confident.
    #[must_use]
    pub fn paired_people(&self, threshold: Confidence, first: &[PersonIndex]) -> Vec<PersonIndex> {
        let mut faces: Vec<&SeenFace> = self
            .faces
            .iter()
            .filter(|face| face.confidence >= threshold)
            .collect();
        faces.sort_by(|left, right| {
            let wanted = |face: &SeenFace| first.contains(&face.person);
            (wanted(right).cmp(&wanted(left)))
                .then(right.confidence.cmp(&left.confidence))
                .then(left.person.cmp(&right.person))
        });
        faces.truncate(PAIRED_PEOPLE_MAX);
        faces.into_iter().map(|face| face.person).collect()
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
pub(crate) mod tests {
    use super::*;
    use crate::face::FaceBox;
    use crate::identifiers::Sha256Digest;
    use crate::search::Hit;

    pub(crate) fn sighting(number: u32, faces: &[(u32, f64)]) -> Sighting {
        Sighting {
            reference: EvidenceRef(number),
            hit: Hit {
                image_url: format!("https://photos.example/{number}.jpg"),
                ..Hit::default()
            },
            is_thumbnail: false,
            digest: Sha256Digest::new([0; 32]),
            query: String::new(),
            faces: faces
                .iter()
                .map(|(person, percent)| SeenFace {
                    person: PersonIndex(*person),
                    confidence: Confidence::clamped(*percent),
                    face_box: FaceBox::default(),
                    portrait: None,
                })
                .collect(),
            collage_check: CollageCheck::Passed,
            face_doubt: None,
            twice: Vec::new(),
            word_doubt: None,
            date_doubt: None,
            provenance: Provenance::default(),
            remembered: None,
            recognised_by: None,
        }
    }

    fn pair(one: u32, other: u32) -> Pair {
        Pair::new(PersonIndex(one), PersonIndex(other)).unwrap()
    }

    #[test]
    fn both_must_be_at_the_threshold() {
        let threshold = Confidence::clamped(80.0);
        let photo = sighting(1, &[(0, 99.0), (1, 80.0), (2, 79.99)]);
        let edge = Edge::from_sighting(&photo, pair(0, 1), threshold).unwrap();
        assert_eq!(edge.confidence().percent(), 80.0);
        assert_eq!(Edge::from_sighting(&photo, pair(0, 2), threshold), None);
        assert_eq!(Edge::from_sighting(&photo, pair(0, 3), threshold), None);
    }

    #[test]
    fn the_best_photo_gives_the_confidence_and_all_stay_as_evidence() {
        let threshold = Confidence::clamped(80.0);
        let mut graph = EvidenceGraph::default();
        for (number, low) in [(1, 82.0), (2, 91.0), (3, 85.0)] {
            let photo = sighting(number, &[(0, 99.0), (1, low)]);
            let new = graph.add(Edge::from_sighting(&photo, pair(1, 0), threshold).unwrap());
            assert_eq!(new, number == 1);
        }
        let edge = graph.edge(PersonIndex(0), PersonIndex(1)).unwrap();
        assert_eq!(edge.confidence().percent(), 91.0);
        assert_eq!(
            edge.evidence(),
            [EvidenceRef(1), EvidenceRef(2), EvidenceRef(3)]
        );
        assert_eq!(graph.degree(PersonIndex(0)), 1);
    }

    #[test]
    fn a_crowd_pairs_the_wanted_two_and_its_most_confident_people() {
        let faces: Vec<(u32, f64)> = (0..30).map(|n| (n, 99.0 - f64::from(n) / 2.0)).collect();
        let photo = sighting(1, &faces);
        let paired = photo.paired_people(Confidence::clamped(80.0), &[PersonIndex(29)]);
        assert_eq!(paired.len(), 16);
        assert_eq!(paired[0], PersonIndex(29));
        assert_eq!(paired[1..], (0..15).map(PersonIndex).collect::<Vec<_>>());
        let at_ninety_eight = photo.paired_people(Confidence::clamped(98.0), &[PersonIndex(29)]);
        assert_eq!(
            at_ninety_eight,
            [PersonIndex(0), PersonIndex(1), PersonIndex(2)]
        );
    }

    #[test]
    fn a_photo_with_somebody_twice_proves_nothing_of_two_others() {
        let threshold = Confidence::clamped(80.0);
        let faces = [(0, 99.0), (1, 98.0), (2, 97.0)];
        let proves = |twice: &[u32], one: u32, other: u32| {
            let photo = Sighting {
                twice: twice.iter().copied().map(PersonIndex).collect(),
                ..sighting(1, &faces)
            };
            Edge::from_sighting(&photo, pair(one, other), threshold).is_some()
        };
        assert!(proves(&[], 1, 2));
        assert!(proves(&[0], 0, 1) && proves(&[0], 2, 0));
        assert!(!proves(&[0], 1, 2));
        // Where two people are there twice, the third one may stand beside either of the two pictures of each.
        assert!(proves(&[0, 1], 0, 1));
        assert!(!proves(&[0, 1], 0, 2));
        assert!(!proves(&[0, 1, 2], 0, 1));
    }

    #[test]
    fn a_rejected_photo_proves_nothing() {
        let pair = Pair::new(PersonIndex(0), PersonIndex(1)).unwrap();
        let honest = sighting(1, &[(0, 99.0), (1, 99.0)]);
        assert!(Edge::from_sighting(&honest, pair, Confidence::ZERO).is_some());
        for &veto in crate::Veto::ALL {
            let vetoed = Sighting {
                collage_check: CollageCheck::Vetoed(veto),
                ..honest.clone()
            };
            assert_eq!(Edge::from_sighting(&vetoed, pair, Confidence::ZERO), None);
        }
    }
}
