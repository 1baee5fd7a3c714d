//! The stored forms of what image searches, the memory and the recogniser have found, in JSON and back
//! without loss.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use domain::{
    CollageCheck, Confidence, Credit, Face, FaceBox, FoundHits, HITS_MAX, Hints, Hit, ListPage,
    PAGES_MAX, RECALL_PHOTOS_MAX, RecalledPerson, RecalledPhoto, SearchSource, Sha256Digest, Veto,
};
use engine::{OrderError, whole_number};

use super::outcome::{
    FACES_MAX, HINTS_MAX, HITS_KEPT_MAX, URLS_MAX, UnreadableForm, all_short, at_most,
};

/// The longest id or name, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The hits, with the image search that gave them, the page of its list, and whether that goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundForm {
    hits: Vec<HitForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(default, skip_serializing_if = "is_first")]
    page: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_more: bool,
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(super) fn is_first(page: &u32) -> bool {
    *page == 0
}

/// Reads hits back, of which there are no more than a page may have.
pub(super) fn read_hits(hits: Vec<HitForm>) -> Result<Vec<Hit>, UnreadableForm> {
    let hits = at_most(hits, HITS_KEPT_MAX, "its hits")?;
    hits.into_iter().map(HitForm::read).collect()
}

impl FoundForm {
    pub(super) fn of(found: &FoundHits) -> Self {
        Self {
            hits: found.hits.iter().map(HitForm::of).collect(),
            source: found.part.source.clone(),
            page: found.part.page,
            has_more: found.has_more,
        }
    }

    pub(super) fn read(self) -> Result<FoundHits, UnreadableForm> {
        all_short(&self.source, "an image search")?;
        if self.page >= PAGES_MAX {
            return Err(UnreadableForm("a page of a list"));
        }
        Ok(FoundHits {
            hits: read_hits(self.hits)?,
            part: ListPage {
                source: self.source,
                page: self.page,
            },
            has_more: self.has_more,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HitForm {
    image_url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    original_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thumbnail_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context_url: Option<String>,
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    categories: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    depicts: Vec<String>,
}

impl HitForm {
    pub(super) fn of(hit: &Hit) -> Self {
        let (credit, hints) = (hit.credit.clone(), hit.hints.clone());
        Self {
            image_url: hit.image_url.clone(),
            original_url: hit.original_url.clone(),
            thumbnail_url: hit.thumbnail_url.clone(),
            context_url: hit.context_url.clone(),
            title: hit.title.clone(),
            author: credit.author,
            license: credit.license,
            license_url: credit.license_url,
            description: hints.description,
            categories: hints.categories,
            depicts: hints.depicts,
        }
    }

    pub(super) fn read(self) -> Result<Hit, UnreadableForm> {
        let texts = [&self.image_url, &self.title]
            .into_iter()
            .chain(&self.original_url)
            .chain(&self.thumbnail_url)
            .chain(&self.context_url)
            .chain(&self.author)
            .chain(&self.license)
            .chain(&self.license_url)
            .chain(&self.description);
        all_short(texts, "a hit")?;
        let hints = |list: Vec<String>| {
            all_short(&list, "a hit")?;
            at_most(list, HINTS_MAX, "a hit")
        };
        Ok(Hit {
            image_url: self.image_url,
            original_url: self.original_url,
            thumbnail_url: self.thumbnail_url,
            context_url: self.context_url,
            title: self.title,
            credit: Credit {
                author: self.author,
                license: self.license,
                license_url: self.license_url,
            },
            hints: Hints {
                description: self.description,
                categories: hints(self.categories)?,
                depicts: hints(self.depicts)?,
            },
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceForm {
    id: String,
    name: String,
    #[serde(deserialize_with = "whole_number")]
    hits: u32,
    #[serde(deserialize_with = "whole_number")]
    pages: u32,
    #[serde(
        default,
        skip_serializing_if = "is_free",
        deserialize_with = "whole_number"
    )]
    price: u64,
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(super) fn is_free(price: &u64) -> bool {
    *price == 0
}

impl SourceForm {
    pub(super) fn of(source: &SearchSource) -> Self {
        Self {
            id: source.id.clone(),
            name: source.name.clone(),
            hits: source.hits_max,
            pages: source.pages_max,
            price: source.nano_usd,
        }
    }

    pub(super) fn read(&self) -> Result<SearchSource, OrderError> {
        let is_short = |text: &String| (1..=NAME_BYTES_MAX).contains(&text.len());
        let is_sound = is_short(&self.id)
            && is_short(&self.name)
            && (1..=HITS_MAX).contains(&self.hits)
            && (1..=PAGES_MAX).contains(&self.pages);
        if !is_sound {
            return Err(OrderError::Part("an image search"));
        }
        Ok(SearchSource {
            id: self.id.clone(),
            name: self.name.clone(),
            hits_max: self.hits,
            pages_max: self.pages,
            nano_usd: self.price,
        })
    }
}

/// The stored form of a [`RecalledPhoto`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecalledForm {
    sha256: String,
    #[serde(flatten)]
    hit: HitForm,
    people: Vec<PersonForm>,
}

/// Somebody in the photo: the recogniser's id, the name and the confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PersonForm(String, String, f64);

impl RecalledForm {
    pub(super) fn of(photo: &RecalledPhoto) -> Self {
        let people = photo.people.iter().map(|person| {
            let confidence = person.confidence.percent();
            PersonForm(person.id.clone(), person.name.clone(), confidence)
        });
        Self {
            sha256: photo.digest.to_string(),
            hit: HitForm::of(&photo.hit),
            people: people.collect(),
        }
    }

    fn read(self) -> Result<RecalledPhoto, UnreadableForm> {
        let people = at_most(self.people, FACES_MAX, "the people of a recalled photo")?
            .into_iter()
            .map(|PersonForm(id, name, confidence)| {
                all_short([&id, &name], "somebody in a recalled photo")?;
                Ok(RecalledPerson {
                    id,
                    name,
                    number: None,
                    confidence: Confidence::clamped(confidence),
                })
            });
        let digest = Sha256Digest::parse(&self.sha256);
        Ok(RecalledPhoto {
            digest: digest.ok_or(UnreadableForm("the digest of a recalled photo"))?,
            hit: self.hit.read()?,
            people: people.collect::<Result<_, _>>()?,
        })
    }
}

/// Reads recalled photos back, of which there are no more than may be recalled at once.
pub(super) fn read_recalled(
    photos: Vec<RecalledForm>,
) -> Result<Vec<RecalledPhoto>, UnreadableForm> {
    let photos = at_most(photos, RECALL_PHOTOS_MAX, "the recalled photos")?;
    photos.into_iter().map(RecalledForm::read).collect()
}

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
        let faces = at_most(faces, FACES_MAX, "its faces")?
            .into_iter()
            .map(FaceForm::read)
            .collect::<Result<_, _>>()?;
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

    #[test]
    fn what_a_provider_says_of_a_photo_is_kept() {
        let hit = Hit {
            image_url: "https://a.example/1.jpg".into(),
            title: "Both".into(),
            credit: Credit {
                author: Some("Ann".into()),
                license: Some("CC0".into()),
                license_url: Some("https://a.example/cc0".into()),
            },
            hints: Hints {
                description: Some("At a gala".into()),
                categories: vec!["Galas".into()],
                depicts: vec!["Q1".into()],
            },
            ..Hit::default()
        };
        let json = r#"{"imageUrl":"https://a.example/1.jpg","title":"Both","author":"Ann","license":"CC0","licenseUrl":"https://a.example/cc0","description":"At a gala","categories":["Galas"],"depicts":["Q1"]}"#;
        assert_eq!(serde_json::to_string(&HitForm::of(&hit)).unwrap(), json);
        let form: HitForm = serde_json::from_str(json).unwrap();
        assert_eq!(form.read(), Ok(hit));
        let many = HitForm {
            categories: vec![String::new(); HINTS_MAX + 1],
            ..serde_json::from_str(json).unwrap()
        };
        assert_eq!(many.read(), Err(UnreadableForm("a hit")));
    }

    #[test]
    fn an_image_search_is_read_back_as_it_was_kept_and_within_bounds() {
        let source = SearchSource {
            id: "commons".into(),
            name: "Wikimedia Commons".into(),
            hits_max: 50,
            pages_max: 20,
            nano_usd: 0,
        };
        let json = r#"{"id":"commons","name":"Wikimedia Commons","hits":50,"pages":20}"#;
        assert_eq!(
            serde_json::to_string(&SourceForm::of(&source)).unwrap(),
            json
        );
        let form: SourceForm = serde_json::from_str(json).unwrap();
        assert_eq!(form.read(), Ok(source));
        for wrong in [
            r#"{"id":"","name":"n","hits":50,"pages":20}"#,
            r#"{"id":"c","name":"n","hits":0,"pages":20}"#,
            r#"{"id":"c","name":"n","hits":201,"pages":20}"#,
            r#"{"id":"c","name":"n","hits":50,"pages":0}"#,
        ] {
            let form: SourceForm = serde_json::from_str(wrong).unwrap();
            assert!(form.read().is_err(), "{wrong}");
        }
    }

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
        for &veto in Veto::ALL {
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
