//! The JSON of pictures of the pages that show a chain's photos.

use serde::Serialize;

use domain::EvidenceRef;
use platform::events::timestamp;

use crate::machine::{CaptureReport, Captured, EvidenceReport};

/// What came of opening a page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageCaptureJson<'a> {
    evidence_refs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(flatten)]
    capture: Option<PictureJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct PictureJson<'a> {
    #[serde(flatten)]
    capture: CaptureJson<'a>,
    #[serde(rename = "mediaType")]
    media_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
}

/// The picture of a page, by its digest and its time, and the photo whose page it is where only one is meant.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CaptureJson<'a> {
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    sha256: &'a str,
    at: String,
}

impl<'a> CaptureJson<'a> {
    /// Makes the JSON of the picture of the page that shows this photo.
    pub(super) fn of_photo(captured: &'a Captured, photo: &EvidenceReport) -> Self {
        Self {
            reference: Some(photo.reference.to_string()),
            ..Self::new(captured)
        }
    }

    fn new(captured: &'a Captured) -> Self {
        Self {
            reference: None,
            sha256: captured.digest.as_str(),
            at: timestamp(captured.at),
        }
    }
}

impl<'a> PageCaptureJson<'a> {
    pub(super) fn new(report: &'a CaptureReport) -> Self {
        let picture = |captured: &'a Captured| PictureJson {
            capture: CaptureJson::new(captured),
            media_type: &captured.media_type,
            width: captured.size.map(|size| size.0),
            height: captured.size.map(|size| size.1),
        };
        let photos = report.page.photos.iter();
        Self {
            evidence_refs: photos.map(EvidenceRef::to_string).collect(),
            url: report.page.url.as_deref(),
            capture: report.result.as_ref().ok().map(picture),
            message: report.result.as_ref().err().map(String::as_str),
        }
    }
}
