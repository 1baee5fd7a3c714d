//! The stored form of what a photo shows, in JSON and back without loss.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use domain::{CollageCheck, Confidence, Face, FaceBox, Veto};

use super::answer_limits::{FACES_MAX, URLS_MAX, UnreadableForm, all_short, at_most};

/// The stored form of what a photo shows: a list of faces, and for the few photos that have a veto or are doubtful,
/// that beside it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RecognisedForm {
    /// Nothing speaks against the photo.
    Faces(Vec<FaceForm>),
    /// The photo's pixels speak against it, or nearly.
    Checked(CheckedForm),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedForm {
    faces: Vec<FaceForm>,
    /// The veto's word, or `doubtful`.
    veto: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FaceForm {
    id: String,
    name: String,
    confidence: f64,
    /// The box as left, top, width and height, in shares of the photo's sides.
    #[serde(rename = "box")]
    face_box: [f64; 4],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    urls: Vec<String>,
}

/// A list is read as it comes: serde's own reading of an untagged form would keep a copy of it first.
impl<'de> Deserialize<'de> for RecognisedForm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListOrObject)
    }
}

struct ListOrObject;

impl<'de> Visitor<'de> for ListOrObject {
    type Value = RecognisedForm;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of faces, or an object with a veto")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<RecognisedForm, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(RecognisedForm::Faces)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<RecognisedForm, A::Error> {
        CheckedForm::deserialize(MapAccessDeserializer::new(object)).map(RecognisedForm::Checked)
    }
}

impl RecognisedForm {
    pub(super) fn of(faces: &[Face], check: CollageCheck) -> Self {
        let faces = faces.iter().map(FaceForm::of).collect();
        let word = match check {
            CollageCheck::Passed => return Self::Faces(faces),
            CollageCheck::Doubtful => CollageCheck::DOUBTFUL,
            CollageCheck::Vetoed(veto) => veto.as_str(),
        };
        Self::Checked(CheckedForm {
            faces,
            veto: word.to_owned(),
        })
    }

    pub(super) fn read(self) -> Result<(Vec<Face>, CollageCheck), UnreadableForm> {
        let (faces, check) = match self {
            Self::Faces(faces) => (faces, CollageCheck::Passed),
            Self::Checked(form) if form.veto == CollageCheck::DOUBTFUL => {
                (form.faces, CollageCheck::Doubtful)
            }
            Self::Checked(form) => {
                let veto = Veto::named(&form.veto).ok_or(UnreadableForm("a photo's veto"))?;
                (form.faces, CollageCheck::Vetoed(veto))
            }
        };
        let faces = at_most(faces, FACES_MAX, "its faces")?.into_iter();
        let faces = faces.map(FaceForm::read).collect::<Result<_, _>>()?;
        Ok((faces, check))
    }
}

impl FaceForm {
    fn of(face: &Face) -> Self {
        Self {
            id: face.id.clone(),
            name: face.name.clone(),
            confidence: face.confidence.percent(),
            face_box: face.face_box.sides(),
            urls: face.urls.clone(),
        }
    }

    fn read(self) -> Result<Face, UnreadableForm> {
        let urls = at_most(self.urls, URLS_MAX, "a face's addresses")?;
        all_short([&self.id, &self.name].into_iter().chain(&urls), "a face")?;
        Ok(Face {
            id: self.id,
            name: self.name,
            confidence: Confidence::clamped(self.confidence),
            face_box: FaceBox::of_sides(self.face_box),
            urls,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: &str = r#"{"id":"c1","name":"A","confidence":99.99800109863281,"box":[-0.1,0.2,1.0,0.12345678901234568],"urls":["www.wikidata.org/wiki/Q1"]}"#;

    fn face() -> Face {
        let face_box = FaceBox {
            left: -0.1,
            top: 0.2,
            width: 1.0,
            height: 0.123_456_789_012_345_68,
        };
        Face {
            id: "c1".into(),
            name: "A".into(),
            confidence: Confidence::clamped(99.998_001_098_632_81),
            face_box,
            urls: vec!["www.wikidata.org/wiki/Q1".into()],
        }
    }

    fn read(json: &str) -> Result<(Vec<Face>, CollageCheck), UnreadableForm> {
        let form: RecognisedForm = serde_json::from_str(json).unwrap();
        form.read()
    }

    #[track_caller]
    fn check(faces: &[Face], check: CollageCheck, json: &str) {
        let form = RecognisedForm::of(faces, check);
        assert_eq!(serde_json::to_string(&form).unwrap(), json);
        assert_eq!(read(json), Ok((faces.to_vec(), check)));
    }

    #[test]
    fn faces_are_a_plain_list_and_a_veto_stands_beside_them() {
        check(&[face()], CollageCheck::Passed, &format!("[{FACE}]"));
        let doubtful = format!(r#"{{"faces":[{FACE}],"veto":"doubtful"}}"#);
        check(&[face()], CollageCheck::Doubtful, &doubtful);
        for veto in Veto::ALL {
            let word = veto.as_str();
            let json = format!(r#"{{"faces":[{FACE}],"veto":"{word}"}}"#);
            check(&[face()], CollageCheck::Vetoed(veto), &json);
        }
        check(&[], CollageCheck::Passed, "[]");
    }

    #[test]
    fn a_veto_that_nobody_knows_and_too_many_faces_are_refused() {
        let mood = format!(r#"{{"faces":[{FACE}],"veto":"mood"}}"#);
        assert_eq!(read(&mood), Err(UnreadableForm("a photo's veto")));
        let many = vec![FACE; FACES_MAX + 1].join(",");
        for json in [
            format!("[{many}]"),
            format!(r#"{{"faces":[{many}],"veto":"seam"}}"#),
        ] {
            assert_eq!(read(&json), Err(UnreadableForm("its faces")));
        }
    }
}
