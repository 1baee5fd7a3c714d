//! A recognised face and the confidence of its match.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::identifiers::{Sha256Digest, WikidataNumber};
use crate::limits::Limits;
use crate::search::Credit;

/// The least overlap at which two boxes count as the same face, from 0 to 1.
const ONE_FACE_OVERLAP_MIN: f64 = 0.5;

/// The place of a face, in fractions of the photo's width and height.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct FaceBox {
    /// The distance from the photo's left edge.
    pub left: f64,
    /// The distance from the photo's top edge.
    pub top: f64,
    /// The width of the box.
    pub width: f64,
    /// The height of the box.
    pub height: f64,
}

impl FaceBox {
    /// Makes a box from its left, top, width and height.
    #[must_use]
    pub fn of_sides([left, top, width, height]: [f64; 4]) -> Self {
        Self {
            left,
            top,
            width,
            height,
        }
    }

    /// Returns the overlap of two boxes (their intersection divided by their union), from 0 to 1.
    #[must_use]
    pub fn overlap(self, other: Self) -> f64 {
        let shared = |start: f64, length: f64, other_start: f64, other_length: f64| {
            let end = (start + length).min(other_start + other_length);
            (end - start.max(other_start)).max(0.0)
        };
        let shared = shared(self.left, self.width, other.left, other.width)
            * shared(self.top, self.height, other.top, other.height);
        let covered = self.width * self.height + other.width * other.height - shared;
        // Two empty boxes cover nothing: the places of the faces are unknown, so they do not overlap.
        if covered > 0.0 { shared / covered } else { 0.0 }
    }

    /// Returns whether two boxes surround the same face, which they do if they overlap by at least half.
    #[must_use]
    pub fn is_same_face(self, other: Self) -> bool {
        self.overlap(other) >= ONE_FACE_OVERLAP_MIN
    }

    /// Returns whether the recogniser reported the face's place. An empty box means that it did not.
    #[must_use]
    pub fn is_known(self) -> bool {
        self.width > 0.0 && self.height > 0.0
    }

    /// Returns the left, top, width and height of the box.
    #[must_use]
    pub fn sides(self) -> [f64; 4] {
        [self.left, self.top, self.width, self.height]
    }
}

/// A face as the recogniser named it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Face {
    /// The recogniser's stable id for the person; may be empty.
    pub id: String,
    /// The recogniser's name for the person.
    pub name: String,
    /// The recogniser's `MatchConfidence`: how certain it is that the face is this person's, not that it is a face.
    pub confidence: Confidence,
    /// The place of the face in the photo.
    #[serde(rename = "box", with = "sides")]
    pub face_box: FaceBox,
    /// The addresses of pages about the person, without a scheme, as the recogniser sends them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<String>,
    /// The portrait of the person that the face was compared with, if the recogniser tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portrait: Option<Box<Portrait>>,
}

/// A portrait with which a recogniser compared a face, so that readers may judge with their own eyes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Portrait {
    /// The address of the portrait.
    pub image_url: String,
    /// The page about the portrait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_url: Option<String>,
    /// The SHA-256 of the bytes that were compared.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// The place of the face in the portrait, if the recogniser tells it.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub face_box: Option<FaceBox>,
    /// The portrait's author and licence.
    #[serde(flatten)]
    pub credit: Credit,
}

/// The recogniser of the faces in a photo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecognisedBy {
    /// The recogniser's id in the settings.
    pub recogniser: String,
    /// The model and its version, if the recogniser tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl fmt::Display for RecognisedBy {
    /// Writes the recogniser's id, and the model in parentheses.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.recogniser)?;
        self.model
            .iter()
            .try_for_each(|model| write!(out, " ({model})"))
    }
}

/// Somebody whom a photo may show, for a recogniser that must be told whom to look for. It is only a question: whether
/// the photo shows this person, the face decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// The person's name; empty if only the number is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The person's Wikidata number, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<WikidataNumber>,
}

/// The most candidates for one photo. Among more, a stranger is more easily taken for one of them.
pub const CANDIDATES_MAX: usize = 60;

/// Serializes a box as the list of its left, top, width and height.
mod sides {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::FaceBox;

    pub fn serialize<S: Serializer>(face_box: &FaceBox, serializer: S) -> Result<S::Ok, S::Error> {
        face_box.sides().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FaceBox, D::Error> {
        Deserialize::deserialize(deserializer).map(FaceBox::of_sides)
    }
}

/// Returns whether two people were recognised in the same face, each with at least the default threshold's
/// confidence. If so, the photo does not show both of them.
#[must_use]
pub fn two_in_one_face(faces: &[Face]) -> bool {
    let sure = sure(faces);
    sure.iter().enumerate().any(|(place, one)| {
        let mut others = sure.iter().skip(place + 1);
        others.any(|other| !is_one_person(one, other) && one.face_box.is_same_face(other.face_box))
    })
}

/// Returns whether somebody was recognised twice beside at least two others, each with at least the default threshold's
/// confidence. If so, the photo does not show that the others were together.
#[must_use]
pub fn somebody_twice_beside_two(faces: &[Face]) -> bool {
    let sure = sure(faces);
    sure.iter().any(|person| {
        let is_elsewhere = |other: &&&Face| {
            let are_known = person.face_box.is_known() && other.face_box.is_known();
            are_known && !person.face_box.is_same_face(other.face_box)
        };
        let mut again = sure.iter().filter(|other| is_one_person(person, other));
        let mut others = sure.iter().filter(|other| !is_one_person(person, other));
        let first = others.next();
        let is_beside_two =
            first.is_some_and(|first| others.any(|other| !is_one_person(first, other)));
        is_beside_two && again.any(|other| is_elsewhere(&other))
    })
}

/// Returns the faces with at least the default threshold's confidence.
fn sure(faces: &[Face]) -> Vec<&Face> {
    let least = f64::from(Limits::default().threshold_percent);
    let is_sure = |face: &&Face| face.confidence.percent() >= least;
    faces.iter().filter(is_sure).collect()
}

fn is_one_person(one: &Face, other: &Face) -> bool {
    (&other.id, &other.name) == (&one.id, &one.name)
}

/// A match confidence, 0 to 100. It is never NaN, so it is totally ordered.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "f64")]
pub struct Confidence(f64);

impl Confidence {
    /// The lowest confidence, 0 percent.
    pub const ZERO: Self = Self(0.0);

    /// Clamps a received number to 0..=100; NaN becomes 0.
    #[must_use]
    pub fn clamped(percent: f64) -> Self {
        if percent.is_nan() {
            Self::ZERO
        } else {
            Self(percent.clamp(0.0, 100.0))
        }
    }

    /// Returns the confidence in percent, 0 to 100.
    #[must_use]
    pub fn percent(self) -> f64 {
        self.0
    }

    /// Returns the confidence as a probability, 0 to 1.
    #[must_use]
    pub fn fraction(self) -> f64 {
        self.0 / 100.0
    }
}

impl From<f64> for Confidence {
    fn from(percent: f64) -> Self {
        Self::clamped(percent)
    }
}

impl Eq for Confidence {}

impl PartialOrd for Confidence {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Confidence {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn boxes_overlap_by_the_area_that_they_share() {
        #[track_caller]
        fn check(one: [f64; 4], other: [f64; 4], expect: f64) {
            let [one, other] = [one, other].map(FaceBox::of_sides);
            assert!(
                (one.overlap(other) - expect).abs() < 1e-9,
                "{one:?} {other:?}"
            );
            assert!(
                (other.overlap(one) - expect).abs() < 1e-9,
                "{one:?} {other:?}"
            );
        }
        check([0.1, 0.1, 0.2, 0.2], [0.1, 0.1, 0.2, 0.2], 1.0);
        check([0.0, 0.0, 0.2, 0.2], [0.1, 0.0, 0.2, 0.2], 1.0 / 3.0);
        check([0.0, 0.0, 0.2, 0.2], [0.2, 0.0, 0.2, 0.2], 0.0);
        check([0.0, 0.0, 0.2, 0.2], [0.5, 0.5, 0.2, 0.2], 0.0);
        check([0.0; 4], [0.0; 4], 0.0);
        check([f64::NAN; 4], [0.1, 0.1, 0.2, 0.2], 0.0);
    }

    fn face(id: &str, percent: f64, left: f64) -> Face {
        Face {
            id: id.to_owned(),
            name: format!("Ann {id}"),
            confidence: Confidence::clamped(percent),
            face_box: FaceBox::of_sides([left, 0.2, 0.1, 0.2]),
            urls: Vec::new(),
            portrait: None,
        }
    }

    #[test]
    fn somebody_twice_says_something_of_two_others_only() {
        #[track_caller]
        fn check(faces: &[(&str, f64, f64)], expected: bool) {
            let faces = faces
                .iter()
                .map(|(id, percent, left)| face(id, *percent, *left));
            let faces: Vec<Face> = faces.collect();
            assert_eq!(somebody_twice_beside_two(&faces), expected, "{faces:?}");
        }
        let (b, c) = (("b", 98.0, 0.3), ("c", 98.0, 0.5));
        check(&[("a", 98.0, 0.1), b, c], false);
        check(&[("a", 98.0, 0.1), b, c, ("a", 90.0, 0.8)], true);
        // One face that was found twice, an unsure one, and one beside a single other person.
        check(&[("a", 98.0, 0.1), b, c, ("a", 90.0, 0.11)], false);
        check(&[("a", 98.0, 0.1), b, c, ("a", 62.0, 0.8)], false);
        check(&[("a", 98.0, 0.1), b, ("a", 90.0, 0.8)], false);
    }

    #[test]
    fn two_who_are_sure_in_one_box_are_one_face() {
        assert!(two_in_one_face(&[
            face("a", 98.0, 0.1),
            face("b", 98.0, 0.11)
        ]));
        assert!(!two_in_one_face(&[
            face("a", 98.0, 0.1),
            face("b", 98.0, 0.3)
        ]));
        assert!(!two_in_one_face(&[
            face("a", 98.0, 0.1),
            face("b", 62.0, 0.1)
        ]));
        assert!(!two_in_one_face(&[
            face("a", 98.0, 0.1),
            face("a", 98.0, 0.1)
        ]));
    }

    #[test]
    fn numbers_outside_the_range_are_cut() {
        assert_eq!(Confidence::clamped(-1.0).percent(), 0.0);
        assert_eq!(Confidence::clamped(250.0).percent(), 100.0);
        assert_eq!(Confidence::clamped(f64::NAN), Confidence::ZERO);
        assert!(Confidence::clamped(79.999) < Confidence::clamped(80.0));
    }
}
