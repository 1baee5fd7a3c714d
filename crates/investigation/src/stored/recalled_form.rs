//! The stored form of photos that were recalled.

use serde::{Deserialize, Serialize};

use domain::{Confidence, RECALL_PHOTOS_MAX, RecalledPerson, RecalledPhoto, Sha256Digest};

use super::answer_limits::{FACES_MAX, UnreadableForm, all_short, at_most};
use super::hit_form::HitForm;

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
        let people = at_most(self.people, FACES_MAX, "the people of a recalled photo")?;
        let people = people.into_iter().map(|PersonForm(id, name, confidence)| {
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
