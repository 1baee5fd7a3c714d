//! Who was recognised in one photo.

use std::fmt;

use crate::sorted;

use super::confidence::Confidence;
use super::digest::Sha256Digest;
use super::face::FaceBox;
use super::people::PersonIndex;
use super::photo::Hit;
use super::veto::Veto;

/// At most so many people of one photo are paired with each other: 16 people make 120 pairs.
pub const PAIRED_PEOPLE_MAX: usize = 16;

/// The number of a sighting, from 1; written `ev1`, `ev2`, ...
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EvidenceRef(pub u32);

impl fmt::Display for EvidenceRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ev{}", self.0)
    }
}

/// A recognised person in a photo.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenFace {
    /// Whom the recogniser takes the face for.
    pub person: PersonIndex,
    /// The best confidence of this person's faces in the photo.
    pub confidence: Confidence,
    /// The place of that face in the photo.
    pub face_box: FaceBox,
}

/// One recognised photo: the only thing that an edge can be made of.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// Its number among the evidence.
    pub reference: EvidenceRef,
    /// Where the photo came from.
    pub hit: Hit,
    /// Whether they are those of a small copy.
    pub is_thumbnail: bool,
    /// The SHA-256 of the recognised bytes.
    pub digest: Sha256Digest,
    /// The query that found it first.
    pub query: String,
    /// Each person once, in the recogniser's order.
    pub faces: Vec<SeenFace>,
    /// Why it proves no edge, whoever is in it.
    pub veto: Option<Veto>,
}

impl Sighting {
    /// With what confidence the person was recognised here.
    #[must_use]
    pub fn confidence_of(&self, person: PersonIndex) -> Option<Confidence> {
        self.faces
            .iter()
            .find(|face| face.person == person)
            .map(|face| face.confidence)
    }

    /// The people that are paired with each other: of those at the threshold first those of
    /// `first`, then the most confident, at most [`PAIRED_PEOPLE_MAX`].
    #[must_use]
    pub fn paired_people(&self, threshold: Confidence, first: &[PersonIndex]) -> Vec<PersonIndex> {
        let mut faces: Vec<&SeenFace> = self
            .faces
            .iter()
            .filter(|face| face.confidence >= threshold)
            .collect();
        sorted::sort_by(&mut faces, |left, right| {
            let wanted = |face: &SeenFace| first.contains(&face.person);
            (wanted(right).cmp(&wanted(left)))
                .then(right.confidence.cmp(&left.confidence))
                .then(left.person.cmp(&right.person))
        });
        faces.truncate(PAIRED_PEOPLE_MAX);
        faces.into_iter().map(|face| face.person).collect()
    }
}
