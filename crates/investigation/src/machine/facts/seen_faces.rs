//! The faces of a photo as they are kept.

use domain::{Confidence, Face, FaceDoubt, PersonIndex, SeenFace, fold};

/// Returns whether a face has neither id nor name, so that it is nobody.
pub(super) fn is_nameless(face: &Face) -> bool {
    face.id.is_empty() && fold(&face.name).is_empty()
}

/// The faces of one photo while they are taken in.
pub(super) struct SeenFaces {
    threshold: Confidence,
    all: Vec<SeenFace>,
}

impl SeenFaces {
    pub fn new(threshold: Confidence) -> Self {
        let all = Vec::new();
        Self { threshold, all }
    }

    pub fn add(&mut self, person: PersonIndex, face: &Face) {
        self.all.push(SeenFace {
            person,
            confidence: face.confidence,
            face_box: face.face_box,
        });
    }

    /// Returns the people, each once with the best confidence, and what speaks against the photo.
    pub fn finish(self) -> (Vec<SeenFace>, Option<FaceDoubt>) {
        let doubt = self.doubt();
        let mut people: Vec<SeenFace> = Vec::new();
        for face in self.all {
            match people.iter_mut().find(|known| known.person == face.person) {
                Some(known) if known.confidence < face.confidence => *known = face,
                Some(_) => {}
                None => people.push(face),
            }
        }
        (people, doubt)
    }

    fn doubt(&self) -> Option<FaceDoubt> {
        let sure = self.all.iter();
        let sure: Vec<&SeenFace> = sure
            .filter(|face| face.confidence >= self.threshold && face.face_box.is_known())
            .collect();
        let pairs = sure.iter().enumerate().flat_map(|(place, one)| {
            let others = sure.iter().skip(place + 1);
            others.map(move |other| (*one, *other))
        });
        let doubts = pairs.filter_map(|(one, other)| {
            let is_one_face = one.face_box.is_same_face(other.face_box);
            match (is_one_face, one.person == other.person) {
                (true, false) => Some(FaceDoubt::OneFace(one.person, other.person)),
                (false, true) => Some(FaceDoubt::Twice(one.person)),
                // One face that was found twice, or two people beside each other.
                (true, true) | (false, false) => None,
            }
        });
        let rank = |doubt: &FaceDoubt| matches!(doubt, FaceDoubt::Twice(_));
        doubts.min_by_key(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::FaceBox;

    #[track_caller]
    fn check(faces: &[(u32, f64, f64)], expect: Option<FaceDoubt>) {
        let mut seen = SeenFaces::new(Confidence::clamped(80.0));
        for (person, percent, left) in faces {
            let face = Face {
                id: format!("{person}"),
                name: "Ann Lee".into(),
                confidence: Confidence::clamped(*percent),
                face_box: FaceBox::of_sides([*left, 0.2, 0.1, 0.2]),
                urls: Vec::new(),
            };
            seen.add(PersonIndex(*person), &face);
        }
        assert_eq!(seen.finish().1, expect, "{faces:?}");
    }

    #[test]
    fn what_faces_say_against_a_photo() {
        let [ann, bob] = [0, 1].map(PersonIndex);
        check(&[(0, 99.0, 0.1), (1, 98.0, 0.5)], None);
        check(
            &[(0, 99.0, 0.1), (0, 90.0, 0.5)],
            Some(FaceDoubt::Twice(ann)),
        );
        check(
            &[(0, 99.0, 0.1), (1, 98.0, 0.11)],
            Some(FaceDoubt::OneFace(ann, bob)),
        );
        // Two people on one face prove less than one who is there twice.
        check(
            &[(0, 99.0, 0.1), (0, 99.0, 0.5), (1, 98.0, 0.51)],
            Some(FaceDoubt::OneFace(ann, bob)),
        );
        // One face that was found twice, and somebody who is not recognised.
        check(&[(0, 99.0, 0.1), (0, 90.0, 0.11)], None);
        check(&[(0, 99.0, 0.1), (0, 70.0, 0.5), (1, 70.0, 0.1)], None);
    }

    #[test]
    fn each_person_is_kept_once_with_the_best_confidence() {
        let mut seen = SeenFaces::new(Confidence::clamped(80.0));
        for percent in [85.0, 99.0, 90.0] {
            let face = Face {
                id: "x".into(),
                name: "Ann Lee".into(),
                confidence: Confidence::clamped(percent),
                face_box: FaceBox::of_sides([percent / 100.0, 0.2, 0.001, 0.2]),
                urls: Vec::new(),
            };
            seen.add(PersonIndex(0), &face);
        }
        let (people, _) = seen.finish();
        let kept: Vec<f64> = people.iter().map(|one| one.confidence.percent()).collect();
        assert_eq!(kept, [99.0]);
    }
}
