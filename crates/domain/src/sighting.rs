//! The people who were recognised in one photo.

use std::fmt;

use crate::confidence::Confidence;
use crate::digest::Sha256Digest;
use crate::face::FaceBox;
use crate::people::PersonIndex;
use crate::photo::Hit;
use crate::remembered::RememberedFrom;
use crate::veto::CollageCheck;

/// The most people of one photo who are paired with each other: 16 people make 120 pairs.
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
    /// The person whom the recogniser takes the face for.
    pub person: PersonIndex,
    /// The best confidence of this person's faces in the photo.
    pub confidence: Confidence,
    /// The place of that face in the photo.
    pub face_box: FaceBox,
}

/// What the faces of a photo say against it. It proves what it shows, but a second photo is the first thing to look
/// for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaceDoubt {
    /// Two people were recognised in one face.
    OneFace(PersonIndex, PersonIndex),
    /// One person was recognised in two faces: one of them is a picture, in a mirror or a mistake.
    Twice(PersonIndex),
}

/// One recognised photo: the only thing that an edge can be made of.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// The photo's number among the evidence.
    pub reference: EvidenceRef,
    /// The search result that the photo comes from.
    pub hit: Hit,
    /// Whether the recognised bytes are those of a small copy.
    pub is_thumbnail: bool,
    /// The SHA-256 of the recognised bytes.
    pub digest: Sha256Digest,
    /// The query that found the photo first.
    pub query: String,
    /// The recognised people, each once, in the recogniser's order.
    pub faces: Vec<SeenFace>,
    /// What its pixels say: a vetoed photo proves no edge, whoever is in it.
    pub collage_check: CollageCheck,
    /// What its faces say against it.
    pub face_doubt: Option<FaceDoubt>,
    /// The recogniser and the time of an answer that an earlier run had paid for; `None` for this run's own.
    pub remembered: Option<RememberedFrom>,
}

impl Sighting {
    /// Returns whether the photo proves what it shows, and a second one is the first thing to look for.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.collage_check == CollageCheck::Doubtful || self.face_doubt.is_some()
    }

    /// Returns the confidence with which the person was recognised here.
    #[must_use]
    pub fn confidence_of(&self, person: PersonIndex) -> Option<Confidence> {
        self.faces
            .iter()
            .find(|face| face.person == person)
            .map(|face| face.confidence)
    }

    /// Returns the people who are paired with each other, at most [`PAIRED_PEOPLE_MAX`]: of those
    /// at the threshold first the ones in `first`, then the most confident.
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
