//! The JSON of people, edges, their photos and the graph, of a chain's certificate, of pictures of
//! pages, and of what a run has spent.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use domain::{Credit, EvidenceRef, FaceBox, Limits, RememberedFrom, Side};
use kernel::Millis;
use platform::events::timestamp;

use crate::machine::{
    CaptureReport, Captured, CertificateReport, EdgeReport, EvidenceReport, FaceReport,
    GraphReport, OtherPathReport, PairReport, PersonRef, PhotoReport, ProvenReport, Spent,
};

/// A verified edge with its photos.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EdgeJson<'a> {
    from: &'a str,
    to: &'a str,
    from_name: &'a str,
    to_name: &'a str,
    edge_confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<CaptureJson<'a>>,
    evidence: Vec<EvidenceJson<'a>>,
}

impl<'a> EdgeJson<'a> {
    /// Makes the JSON of a report.
    #[must_use]
    pub fn new(edge: &'a EdgeReport) -> Self {
        let capture = edge.capture.as_ref().zip(edge.evidence.first());
        Self {
            from: &edge.from.id,
            to: &edge.to.id,
            from_name: &edge.from.name,
            to_name: &edge.to.name,
            edge_confidence: edge.confidence,
            capture: capture.map(|(captured, photo)| CaptureJson::of_photo(captured, photo)),
            evidence: edge.evidence.iter().map(EvidenceJson::new).collect(),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct EvidenceJson<'a> {
    #[serde(rename = "ref")]
    reference: String,
    image_url: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_thumbnail: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_url: Option<&'a str>,
    title: &'a str,
    #[serde(flatten)]
    credit: CreditJson<'a>,
    query: &'a str,
    sha256: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    remembered: Option<RememberedJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<&'a str>,
    image_score: f64,
    faces: Vec<FaceJson<'a>>,
}

impl<'a> EvidenceJson<'a> {
    fn new(evidence: &'a EvidenceReport) -> Self {
        Self {
            reference: evidence.reference.to_string(),
            image_url: &evidence.image_url,
            is_thumbnail: evidence.is_thumbnail,
            thumbnail_url: evidence.thumbnail_url.as_deref(),
            context_url: evidence.context_url.as_deref(),
            title: &evidence.title,
            credit: CreditJson::new(&evidence.credit),
            query: &evidence.query,
            sha256: evidence.digest.as_str(),
            remembered: evidence.remembered.as_ref().map(RememberedJson::new),
            doubt: evidence.doubt.as_deref(),
            image_score: evidence.image_score,
            faces: evidence.faces.iter().map(FaceJson::new).collect(),
        }
    }
}

/// The recogniser and the time of an answer that an earlier run had paid for.
#[derive(Debug, Clone, Serialize)]
struct RememberedJson<'a> {
    recogniser: &'a str,
    at: String,
}

impl<'a> RememberedJson<'a> {
    fn new(from: &'a RememberedFrom) -> Self {
        Self {
            recogniser: &from.recogniser,
            at: timestamp(Millis(from.at_ms)),
        }
    }
}

/// The author of a photo, and the terms under which it may be used. What is not known is left out.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct CreditJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license_url: Option<&'a str>,
}

impl<'a> CreditJson<'a> {
    fn new(credit: &'a Credit) -> Self {
        Self {
            author: credit.author.as_deref(),
            license: credit.license.as_deref(),
            license_url: credit.license_url.as_deref(),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
struct FaceJson<'a> {
    id: &'a str,
    name: &'a str,
    confidence: f64,
    #[serde(rename = "box")]
    face_box: BoxJson,
    urls: &'a [String],
}

#[derive(Debug, Clone, Serialize)]
struct BoxJson {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl<'a> FaceJson<'a> {
    fn new(face: &'a FaceReport) -> Self {
        let FaceBox {
            left,
            top,
            width,
            height,
        } = face.face_box;
        Self {
            id: &face.person.id,
            name: &face.person.name,
            confidence: face.confidence,
            face_box: BoxJson {
                left,
                top,
                width,
                height,
            },
            urls: &face.urls,
        }
    }
}

/// The verified people and edges around the path.
#[derive(Debug, Clone, Serialize)]
pub struct GraphJson<'a> {
    nodes: Vec<NodeJson<'a>>,
    edges: Vec<GraphEdgeJson<'a>>,
    #[serde(serialize_with = "photos_by_reference")]
    evidence: &'a [PhotoReport],
}

#[derive(Debug, Clone, Serialize)]
struct NodeJson<'a> {
    id: &'a str,
    name: &'a str,
    urls: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct GraphEdgeJson<'a> {
    from: &'a str,
    to: &'a str,
    edge_confidence: f64,
    evidence_refs: Vec<String>,
}

#[derive(Serialize)]
struct PhotoJson<'a> {
    #[serde(rename = "imageUrl")]
    image: &'a str,
    #[serde(rename = "thumbnailUrl", skip_serializing_if = "Option::is_none")]
    thumbnail: Option<&'a str>,
    #[serde(rename = "contextUrl", skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    #[serde(flatten)]
    credit: CreditJson<'a>,
}

/// Writes the photos by their numbers, like `{"ev3": {"imageUrl": "..."}}`, in the order of the
/// numbers.
fn photos_by_reference<S: Serializer>(
    photos: &&[PhotoReport],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(photos.len()))?;
    for photo in *photos {
        let body = PhotoJson {
            image: &photo.image_url,
            thumbnail: photo.thumbnail_url.as_deref(),
            context: photo.context_url.as_deref(),
            credit: CreditJson::new(&photo.credit),
        };
        map.serialize_entry(&photo.reference.to_string(), &body)?;
    }
    map.end()
}

impl<'a> GraphJson<'a> {
    /// Makes the JSON of a report.
    #[must_use]
    pub fn new(graph: &'a GraphReport) -> Self {
        let nodes = graph.nodes.iter().map(|node| NodeJson {
            id: &node.person.id,
            name: &node.person.name,
            urls: &node.urls,
            side: node.side.map(Side::as_str),
        });
        let edges = graph.edges.iter().map(|edge| GraphEdgeJson {
            from: &edge.from,
            to: &edge.to,
            edge_confidence: edge.confidence,
            evidence_refs: edge.evidence.iter().map(EvidenceRef::to_string).collect(),
        });
        Self {
            nodes: nodes.collect(),
            edges: edges.collect(),
            evidence: &graph.evidence,
        }
    }
}

/// The JSON of a person: `{"id","name"}`.
#[derive(Debug, Clone, Serialize)]
pub struct PersonJson<'a> {
    id: &'a str,
    name: &'a str,
}

impl<'a> PersonJson<'a> {
    /// Makes the JSON of a reference.
    #[must_use]
    pub fn new(person: &'a PersonRef) -> Self {
        Self {
            id: &person.id,
            name: &person.name,
        }
    }
}

/// Makes the JSON of the people of a path, in its order.
pub(super) fn people(path: &[PersonRef]) -> Vec<PersonJson<'_>> {
    path.iter().map(PersonJson::new).collect()
}

#[derive(Serialize)]
pub(super) struct CertificateJson<'a> {
    proven: Vec<ProvenJson<'a>>,
    excluded: Vec<PairJson<'a>>,
    open: Vec<PairJson<'a>>,
}

#[derive(Serialize)]
struct ProvenJson<'a> {
    from: &'a str,
    to: &'a str,
    photos: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
    message: &'a str,
}

#[derive(Serialize)]
struct PairJson<'a> {
    between: [&'a str; 2],
    photos: usize,
    message: &'a str,
}

#[derive(Serialize)]
pub(super) struct OtherPathJson<'a> {
    path: Vec<PersonJson<'a>>,
    bottleneck: f64,
    cumulative: f64,
}

impl<'a> CertificateJson<'a> {
    pub(super) fn new(report: &'a CertificateReport) -> Self {
        let pairs = |pairs: &'a [PairReport]| pairs.iter().map(PairJson::new).collect();
        Self {
            proven: report.proven.iter().map(ProvenJson::new).collect(),
            excluded: pairs(&report.excluded),
            open: pairs(&report.open),
        }
    }
}

impl<'a> ProvenJson<'a> {
    fn new(report: &'a ProvenReport) -> Self {
        Self {
            from: &report.from,
            to: &report.to,
            photos: report.photos,
            confirmed: report.is_confirmed,
            message: &report.message,
        }
    }
}

impl<'a> PairJson<'a> {
    fn new(report: &'a PairReport) -> Self {
        Self {
            between: [&report.one, &report.other],
            photos: report.photos,
            message: &report.message,
        }
    }
}

impl<'a> OtherPathJson<'a> {
    pub(super) fn new(report: &'a OtherPathReport) -> Self {
        Self {
            path: people(&report.path),
            bottleneck: report.bottleneck,
            cumulative: report.cumulative,
        }
    }
}

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

/// The spending of a run: calls, time, dollars, and the outcomes of its photos.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpentJson {
    search_calls: u32,
    rekognition_calls: u32,
    llm_calls: u32,
    #[serde(skip_serializing_if = "is_zero")]
    throttled_calls: u32,
    runtime_ms: u64,
    usd: f64,
    photos: PhotosJson,
}

#[derive(Debug, Clone, Serialize)]
struct PhotosJson {
    looked: u32,
    unfetchable: u32,
    unreadable: u32,
    repeated: u32,
    #[serde(skip_serializing_if = "is_zero")]
    copies: u32,
    #[serde(skip_serializing_if = "is_zero")]
    remembered: u32,
    #[serde(skip_serializing_if = "is_zero")]
    left: u32,
    vetoed: u32,
}

impl SpentJson {
    /// Makes the JSON of a run's spending.
    #[must_use]
    pub fn new(spent: &Spent) -> Self {
        Self {
            search_calls: spent.search_calls,
            rekognition_calls: spent.recognition_calls,
            llm_calls: spent.planner_calls,
            throttled_calls: spent.throttled_calls,
            runtime_ms: spent.runtime_ms,
            usd: spent.nano_usd as f64 / 1e9,
            photos: PhotosJson {
                looked: spent.photos.looked,
                unfetchable: spent.photos.unfetchable,
                unreadable: spent.photos.unreadable,
                repeated: spent.photos.repeated,
                copies: spent.photos.copies,
                remembered: spent.photos.remembered,
                left: spent.photos.left,
                vetoed: spent.photos.vetoed,
            },
        }
    }
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The limits against which the spending is checked.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BudgetJson {
    search_calls: u32,
    rekognition_calls: u32,
    llm_calls: u32,
    runtime_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<f64>,
}

impl BudgetJson {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            search_calls: limits.searches_max,
            rekognition_calls: limits.recognitions_max,
            llm_calls: limits.planner_calls_max,
            runtime_ms: limits.runtime_ms_max,
            usd: limits.nano_usd_max.map(|nano_usd| nano_usd as f64 / 1e9),
        }
    }
}
