//! The JSON of edges, their photos and the graph.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use domain::{Credit, EvidenceRef, FaceBox, RememberedFrom, Side};
use kernel::Millis;
use platform::events::timestamp;

use crate::machine::{EdgeReport, EvidenceReport, FaceReport, GraphReport, PhotoReport};

use super::capture::CaptureJson;

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
