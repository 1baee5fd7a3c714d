//! The stored forms of a command's outcome, in JSON and back without loss, and the limits of how much
//! one may hold: what the providers' readers let through, with room to spare. A stored answer may come
//! out of anybody's file.

use serde::{Deserialize, Serialize};

use domain::{
    Failure, Fingerprint, PhotoCopy, PhotoFailure, PlanAnswer, RECALLED_FETCHES_MAX,
    RememberedAnswer, Sha256Digest,
};
use engine::{FailureForm, ResultForm, whole_number};
use kernel::Millis;

use crate::machine::{Captured, Fetched, Outcome, Recognised, Remembered};

use super::hits::{FoundForm, HitForm, RecalledForm, RecognisedForm, read_hits, read_recalled};

// What the providers' readers let through, with room to spare.
pub(super) const HITS_KEPT_MAX: usize = 256;
pub(super) const HINTS_MAX: usize = 32;
pub(super) const FACES_MAX: usize = 100;
pub(super) const URLS_MAX: usize = 16;
pub(super) const PLANNED_MAX: usize = 1_000;
pub(super) const TEXT_BYTES_MAX: usize = 8_192;

/// Returns whether the provider gave what it was asked for.
#[must_use]
pub fn is_success(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Searched(Ok(_))
            | Outcome::Fetched(Ok(_))
            | Outcome::Recognised(Ok(_))
            | Outcome::Planned(Ok(_))
            | Outcome::Captured(Ok(_))
    ) || matches!(outcome, Outcome::Recalled(photos) if !photos.is_empty())
        || matches!(outcome, Outcome::Connected(1..))
}

/// The stored form of an [`Outcome`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OutcomeForm {
    /// The whole list of an image search that is not named.
    Searched(ResultForm<Vec<HitForm>, FailureForm>),
    /// A page of the list of an image search.
    Found(FoundForm),
    Fetched(ResultForm<FetchedForm, PhotoFailureForm>),
    Recognised(ResultForm<RecognisedForm, FailureForm>),
    Planned(ResultForm<PlanForm, FailureForm>),
    Captured(ResultForm<CapturedForm, String>),
    Recalled(Vec<RecalledForm>),
    /// How many remembered photos make a chain.
    Connected(u32),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FetchedForm {
    sha256: String,
    is_thumbnail: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_original: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sent_sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remembered: Option<Box<RememberedForm>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanForm {
    next_candidates: Vec<String>,
    search_queries: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hypotheses: Vec<String>,
    narration: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PhotoFailureForm {
    Unfetchable(String),
    Unreadable(String),
}

impl OutcomeForm {
    pub fn is_success(&self) -> bool {
        matches!(
            self,
            Self::Found(_)
                | Self::Searched(ResultForm::Ok(_))
                | Self::Fetched(ResultForm::Ok(_))
                | Self::Recognised(ResultForm::Ok(_))
                | Self::Planned(ResultForm::Ok(_))
                | Self::Captured(ResultForm::Ok(_))
        ) || matches!(self, Self::Recalled(photos) if !photos.is_empty())
            || matches!(self, Self::Connected(1..))
    }

    pub fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Searched(Ok(found)) if found.is_page() => Self::Found(FoundForm::of(found)),
            Outcome::Searched(result) => Self::Searched(ResultForm::of(
                result,
                |found| found.hits.iter().map(HitForm::of).collect(),
                FailureForm::of,
            )),
            Outcome::Fetched(result) => Self::Fetched(ResultForm::of(
                result,
                FetchedForm::of,
                PhotoFailureForm::of,
            )),
            Outcome::Recognised(result) => Self::Recognised(ResultForm::of(
                result,
                |seen| RecognisedForm::of(&seen.faces, seen.collage_check),
                FailureForm::of,
            )),
            Outcome::Planned(result) => {
                Self::Planned(ResultForm::of(result, PlanForm::of, FailureForm::of))
            }
            Outcome::Captured(result) => {
                Self::Captured(ResultForm::of(result, CapturedForm::of, String::clone))
            }
            Outcome::Recalled(photos) => {
                Self::Recalled(photos.iter().map(RecalledForm::of).collect())
            }
            Outcome::Connected(photos) => {
                Self::Connected(u32::try_from(*photos).unwrap_or(u32::MAX))
            }
        }
    }

    pub fn read(self) -> Result<Outcome, UnreadableForm> {
        Ok(match self {
            Self::Found(found) => Outcome::Searched(Ok(found.read()?)),
            Self::Searched(result) => {
                Outcome::Searched(result.read(|hits| Ok(read_hits(hits)?.into()), read_failure)?)
            }
            Self::Fetched(result) => {
                Outcome::Fetched(result.read(FetchedForm::read, PhotoFailureForm::read)?)
            }
            Self::Recognised(result) => Outcome::Recognised(result.read(
                |seen| {
                    let (faces, collage_check) = seen.read()?;
                    Ok(Recognised {
                        faces,
                        collage_check,
                    })
                },
                read_failure,
            )?),
            Self::Planned(result) => Outcome::Planned(result.read(PlanForm::read, read_failure)?),
            Self::Captured(result) => {
                Outcome::Captured(result.read(CapturedForm::read, |why| {
                    all_short([&why], "why there is no picture")?;
                    Ok(why)
                })?)
            }
            Self::Recalled(photos) => Outcome::Recalled(read_recalled(photos)?),
            Self::Connected(photos) => {
                let photos = usize::try_from(photos).unwrap_or(usize::MAX);
                let is_bounded = photos <= RECALLED_FETCHES_MAX;
                let unreadable = UnreadableForm("the photos of a remembered chain");
                Outcome::Connected(is_bounded.then_some(photos).ok_or(unreadable)?)
            }
        })
    }
}

impl FetchedForm {
    fn of(fetched: &Fetched) -> Self {
        Self {
            sha256: fetched.digest.to_string(),
            is_thumbnail: fetched.copy == PhotoCopy::Thumbnail,
            is_original: fetched.copy == PhotoCopy::Original,
            sent_sha256: fetched.sent.as_ref().map(ToString::to_string),
            fingerprint: fetched.fingerprint.as_ref().map(ToString::to_string),
            remembered: (fetched.remembered.as_deref())
                .map(|one| Box::new(RememberedForm::of(one))),
        }
    }

    fn read(self) -> Result<Fetched, UnreadableForm> {
        let digest = Sha256Digest::parse(&self.sha256).ok_or(UnreadableForm("a photo's digest"))?;
        let unreadable = UnreadableForm("the digest of a photo that was sent");
        let sent = self
            .sent_sha256
            .map(|text| Sha256Digest::parse(&text).ok_or(unreadable));
        let unreadable = UnreadableForm("a photo's fingerprint");
        let fingerprint = self
            .fingerprint
            .map(|text| Fingerprint::parse(&text).ok_or(unreadable));
        Ok(Fetched {
            digest,
            sent: sent.transpose()?,
            fingerprint: fingerprint.transpose()?,
            remembered: match self.remembered {
                Some(form) => Some(Box::new(form.read()?)),
                None => None,
            },
            copy: match (self.is_original, self.is_thumbnail) {
                (true, _) => PhotoCopy::Original,
                (false, true) => PhotoCopy::Thumbnail,
                (false, false) => PhotoCopy::Image,
            },
        })
    }
}

impl PlanForm {
    fn of(plan: &PlanAnswer) -> Self {
        Self {
            next_candidates: plan.next_candidates.clone(),
            search_queries: plan.search_queries.clone(),
            hypotheses: plan.hypotheses.clone(),
            narration: plan.narration.clone(),
        }
    }

    fn read(self) -> Result<PlanAnswer, UnreadableForm> {
        let next_candidates = at_most(self.next_candidates, PLANNED_MAX, "its candidates")?;
        let search_queries = at_most(self.search_queries, PLANNED_MAX, "its queries")?;
        let hypotheses = at_most(self.hypotheses, PLANNED_MAX, "its guesses")?;
        let texts = next_candidates
            .iter()
            .chain(&search_queries)
            .chain(&hypotheses);
        all_short(texts.chain([&self.narration]), "a plan")?;
        Ok(PlanAnswer {
            next_candidates,
            search_queries,
            hypotheses,
            narration: self.narration,
        })
    }
}

/// Reads a failure back, whose texts are no longer than the providers' readers let through.
fn read_failure(form: FailureForm) -> Result<Failure, UnreadableForm> {
    let failure = form.read().ok_or(UnreadableForm("a failure's kind"))?;
    let texts = [failure.detail()].into_iter().chain(failure.provider());
    all_short(texts, "a failure")?;
    Ok(failure)
}

impl PhotoFailureForm {
    fn of(failure: &PhotoFailure) -> Self {
        match failure {
            PhotoFailure::Unfetchable(why) => Self::Unfetchable(why.clone()),
            PhotoFailure::Unreadable(why) => Self::Unreadable(why.clone()),
        }
    }

    fn read(self) -> Result<PhotoFailure, UnreadableForm> {
        let (Self::Unfetchable(why) | Self::Unreadable(why)) = &self;
        all_short([why], "a photo's failure")?;
        Ok(match self {
            Self::Unfetchable(why) => PhotoFailure::Unfetchable(why),
            Self::Unreadable(why) => PhotoFailure::Unreadable(why),
        })
    }
}

/// The stored form of a [`Captured`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedForm {
    sha256: String,
    media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<(u32, u32)>,
    #[serde(deserialize_with = "whole_number")]
    at: u64,
}

impl CapturedForm {
    pub(super) fn of(captured: &Captured) -> Self {
        Self {
            sha256: captured.digest.to_string(),
            media_type: captured.media_type.clone(),
            size: captured.size,
            at: captured.at.0,
        }
    }

    pub(super) fn read(self) -> Result<Captured, UnreadableForm> {
        all_short([&self.media_type], "a picture's type")?;
        let digest = Sha256Digest::parse(&self.sha256);
        Ok(Captured {
            digest: digest.ok_or(UnreadableForm("a picture's digest"))?,
            media_type: self.media_type,
            size: self.size,
            at: Millis(self.at),
        })
    }
}

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
        let body = self
            .sha256
            .map(|text| Sha256Digest::parse(&text).ok_or(unreadable));
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

/// The error of a stored form that this program did not write. It names the part that cannot be
/// read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableForm(pub(super) &'static str);

pub(super) fn at_most<T>(
    list: Vec<T>,
    count_max: usize,
    what: &'static str,
) -> Result<Vec<T>, UnreadableForm> {
    if list.len() > count_max {
        return Err(UnreadableForm(what));
    }
    Ok(list)
}

pub(super) fn all_short(
    texts: impl IntoIterator<Item = impl AsRef<str>>,
    what: &'static str,
) -> Result<(), UnreadableForm> {
    let mut texts = texts.into_iter();
    if texts.any(|text| text.as_ref().len() > TEXT_BYTES_MAX) {
        return Err(UnreadableForm(what));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Captured;
    use domain::{FailureKind, FoundHits, Hit, ListPage};
    use kernel::Millis;

    #[track_caller]
    fn check(outcome: &Outcome, json: &str) {
        let form = OutcomeForm::of(outcome);
        assert_eq!(serde_json::to_string(&form).unwrap(), json);
        let read: OutcomeForm = serde_json::from_str(json).unwrap();
        assert_eq!(read.read().as_ref(), Ok(outcome));
    }

    #[test]
    fn answers_are_read_back_as_they_were_kept() {
        check(
            &Outcome::Searched(Ok(FoundHits {
                hits: vec![Hit {
                    image_url: "https://a.example/1.jpg".into(),
                    thumbnail_url: None,
                    context_url: Some("https://a.example/".into()),
                    title: "Both".into(),
                    ..Hit::default()
                }],
                part: ListPage {
                    source: Some("commons".into()),
                    page: 2,
                },
                has_more: true,
            })),
            r#"{"found":{"hits":[{"imageUrl":"https://a.example/1.jpg","contextUrl":"https://a.example/","title":"Both"}],"source":"commons","page":2,"hasMore":true}}"#,
        );
        check(
            &Outcome::Searched(Ok(FoundHits::default())),
            r#"{"searched":{"ok":[]}}"#,
        );
        let failure = Failure::new(FailureKind::Throttled, "slow down").after(Some(1_500));
        check(
            &Outcome::Searched(Err(failure)),
            r#"{"searched":{"failed":{"kind":"throttled","detail":"slow down","retryAfterMs":1500}}}"#,
        );
        check(
            &Outcome::Planned(Ok(PlanAnswer {
                next_candidates: vec!["X".into()],
                ..PlanAnswer::default()
            })),
            r#"{"planned":{"ok":{"nextCandidates":["X"],"searchQueries":[],"narration":""}}}"#,
        );
    }

    #[test]
    fn a_picture_of_a_page_is_named_by_its_digest() {
        let sha = "ab".repeat(32);
        let captured = |size| {
            Outcome::Captured(Ok(Captured {
                digest: Sha256Digest::new([0xAB; 32]),
                media_type: "image/jpeg".into(),
                size,
                at: Millis(5),
            }))
        };
        let begins = format!(r#"{{"captured":{{"ok":{{"sha256":"{sha}","mediaType":"image/jpeg""#);
        check(
            &captured(Some((1_280, 800))),
            &format!(r#"{begins},"size":[1280,800],"at":5}}}}}}"#),
        );
        check(&captured(None), &format!(r#"{begins},"at":5}}}}}}"#));
        check(
            &Outcome::Captured(Err("Why.".into())),
            r#"{"captured":{"failed":"Why."}}"#,
        );
    }

    #[test]
    fn photos_are_named_by_their_digest() {
        let sha = "ab".repeat(32);
        check(
            &Outcome::Fetched(Ok(Fetched {
                sent: None,
                fingerprint: None,
                remembered: None,
                digest: Sha256Digest::new([0xAB; 32]),
                copy: PhotoCopy::Thumbnail,
            })),
            &format!(r#"{{"fetched":{{"ok":{{"sha256":"{sha}","isThumbnail":true}}}}}}"#),
        );
        check(
            &Outcome::Fetched(Err(PhotoFailure::Unreadable("it is empty".into()))),
            r#"{"fetched":{"failed":{"unreadable":"it is empty"}}}"#,
        );
    }

    #[test]
    fn every_kind_of_failure_has_a_name_of_its_own() {
        for &kind in FailureKind::ALL {
            check(
                &Outcome::Recognised(Err(Failure::new(kind, ""))),
                &format!(
                    r#"{{"recognised":{{"failed":{{"kind":"{}","detail":""}}}}}}"#,
                    kind.as_str()
                ),
            );
        }
        let unknown = r#"{"planned":{"failed":{"kind":"bored","detail":""}}}"#;
        let form: OutcomeForm = serde_json::from_str(unknown).unwrap();
        assert_eq!(form.read(), Err(UnreadableForm("a failure's kind")));
    }
}
