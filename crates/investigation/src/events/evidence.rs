//! The JSON of edges, their photos, page captures and budgets, where it differs from the machine's reports.

use serde::{Serialize, Serializer};

use domain::{EvidenceRef, Limits, RememberedFrom, Sha256Digest};
use kernel::Millis;
use platform::events::timestamp;

use crate::machine::{CaptureReport, Captured, EdgeReport, EvidenceReport, PhotoReport};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeJson<'a> {
    from: &'a str,
    to: &'a str,
    from_name: &'a str,
    to_name: &'a str,
    edge_confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<CaptureJson<'a>>,
    evidence: &'a [EvidenceReport],
}

impl Serialize for EdgeReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let capture = self.capture.as_ref().zip(self.evidence.first());
        let json = EdgeJson {
            from: &self.from.id,
            to: &self.to.id,
            from_name: &self.from.name,
            to_name: &self.to.name,
            edge_confidence: self.confidence,
            capture: capture.map(|(captured, photo)| CaptureJson {
                reference: Some(photo.reference),
                ..CaptureJson::new(captured)
            }),
            evidence: &self.evidence,
        };
        json.serialize(serializer)
    }
}

/// The capture of a page: its digest and time, and, if it belongs to a single photo, that photo.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CaptureJson<'a> {
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    reference: Option<EvidenceRef>,
    sha256: &'a Sha256Digest,
    at: String,
}

impl<'a> CaptureJson<'a> {
    fn new(captured: &'a Captured) -> Self {
        Self {
            reference: None,
            sha256: &captured.digest,
            at: timestamp(captured.at),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageCaptureJson<'a> {
    evidence_refs: &'a [EvidenceRef],
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(flatten)]
    capture: Option<CaptureJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl Serialize for CaptureReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let picture = self.result.as_ref().ok();
        let size = picture.and_then(|picture| picture.size);
        let json = PageCaptureJson {
            evidence_refs: &self.page.photos,
            url: self.page.url.as_deref(),
            capture: picture.map(CaptureJson::new),
            media_type: picture.map(|picture| picture.media_type.as_str()),
            width: size.map(|size| size.0),
            height: size.map(|size| size.1),
            message: self.result.as_ref().err().map(String::as_str),
        };
        json.serialize(serializer)
    }
}

/// Writes which recogniser gave an answer that an earlier run paid for, and when.
// The parameter is a reference because `serialize_with` passes one.
#[allow(clippy::ref_option)]
pub(crate) fn remembered_from<S: Serializer>(
    from: &Option<RememberedFrom>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(from.iter().flat_map(|from| {
        let at = timestamp(Millis(from.at_ms));
        [("recogniser", from.recogniser.clone()), ("at", at)]
    }))
}

/// Writes the photos by number, like `{"ev3": {"imageUrl": "..."}}`, in ascending order.
pub(crate) fn photos_by_reference<S: Serializer>(
    photos: &[PhotoReport],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(photos.iter().map(|photo| (photo.reference, photo)))
}

/// Writes billionths of a dollar as dollars.
// The parameter is a reference because `serialize_with` passes one.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(crate) fn dollars<S: Serializer>(nano_usd: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(*nano_usd as f64 / 1e9)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BudgetJson {
    search_calls: u32,
    rekognition_calls: u32,
    llm_calls: u32,
    runtime_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<f64>,
}

/// Writes the limits on spending as the `budget` of an event.
pub(crate) fn budget<S: Serializer>(limits: &Limits, serializer: S) -> Result<S::Ok, S::Error> {
    let json = BudgetJson {
        search_calls: limits.searches_max,
        rekognition_calls: limits.recognitions_max,
        llm_calls: limits.planner_calls_max,
        runtime_ms: limits.runtime_ms_max,
        usd: limits.nano_usd_max.map(|nano_usd| nano_usd as f64 / 1e9),
    };
    json.serialize(serializer)
}
