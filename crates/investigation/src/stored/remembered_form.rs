//! The stored form of an answer that an earlier run had paid for.

use serde::{Deserialize, Serialize};

use domain::{RememberedAnswer, Sha256Digest};
use engine::whole_number;

use crate::machine::Remembered;

use super::answer_limits::{UnreadableForm, all_short};
use super::hit_form::HitForm;
use super::recognised_form::RecognisedForm;

/// The stored form of a [`Remembered`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RememberedForm {
    recogniser: String,
    #[serde(deserialize_with = "whole_number")]
    at: u64,
    /// SHA-256 of the raw body of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    recognised: RecognisedForm,
    /// Where the photo is from, of a photo that the run fetched without knowing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hit: Option<HitForm>,
}

impl RememberedForm {
    pub(super) fn of(remembered: &Remembered) -> Self {
        let answer = &remembered.answer;
        Self {
            recogniser: answer.recogniser.clone(),
            at: answer.at_ms,
            sha256: answer.body.as_ref().map(ToString::to_string),
            recognised: RecognisedForm::of(&answer.faces, remembered.collage_check),
            hit: remembered.hit.as_ref().map(HitForm::of),
        }
    }

    pub(super) fn read(self) -> Result<Remembered, UnreadableForm> {
        all_short([&self.recogniser], "the recogniser of a remembered photo")?;
        let unreadable = UnreadableForm("the digest of a remembered answer");
        let body = self.sha256;
        let body = body.map(|text| Sha256Digest::parse(&text).ok_or(unreadable));
        let (faces, collage_check) = self.recognised.read()?;
        Ok(Remembered {
            answer: RememberedAnswer {
                faces,
                recogniser: self.recogniser,
                at_ms: self.at,
                body: body.transpose()?,
            },
            collage_check,
            hit: self.hit.map(HitForm::read).transpose()?,
        })
    }
}
