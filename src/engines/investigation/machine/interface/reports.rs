//! People, photos, edges and graphs as notices carry them. Confidences are percentages as the
//! recogniser gave them.

use crate::domain::{Credit, EvidenceRef, FaceBox, Sha256Digest, Side};

/// A person as they are named outside the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRef {
    /// The recogniser's id, or `name:` and the folded name.
    pub id: String,
    /// The typed name for the two typed people, else the recogniser's.
    pub name: String,
}

/// A recognised face in a photo of the evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceReport {
    /// Whose face the recogniser takes it for.
    pub person: PersonRef,
    /// The match confidence, not the face box's own.
    pub confidence: f64,
    /// Its place in the photo, in shares of width and height.
    pub face_box: FaceBox,
    /// Web pages about the person, as the recogniser names them.
    pub urls: Vec<String>,
}

/// A photo that proves an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceReport {
    /// Its number in this run: `ev1` is the first photo that was recognised.
    pub reference: EvidenceRef,
    /// The address of the recognised bytes.
    pub image_url: String,
    /// Whether they are those of a small copy, since the photo itself could not be had.
    pub is_thumbnail: bool,
    /// The address of the smaller copy.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// The search engine's title. It proves nothing.
    pub title: String,
    /// Who made the photo, and under which terms it may be used.
    pub credit: Credit,
    /// The query that found the photo first.
    pub query: String,
    /// The digest of the recognised bytes.
    pub digest: Sha256Digest,
    /// The lower of the two people's confidences in this photo.
    pub image_score: f64,
    /// Everybody recognised in it, below the threshold too.
    pub faces: Vec<FaceReport>,
}

/// A verified edge with its photos.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeReport {
    /// The end that is nearer to the start of what is told.
    pub from: PersonRef,
    /// The end that is farther from it.
    pub to: PersonRef,
    /// The best photo's `image_score`.
    pub confidence: f64,
    /// At least one photo and at most ten, the best first; small copies come last.
    pub evidence: Vec<EvidenceReport>,
}

/// A person of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeReport {
    /// How they are named.
    pub person: PersonRef,
    /// Web pages about the person, as the recogniser names them.
    pub urls: Vec<String>,
    /// From whose side the person was first reached.
    pub side: Option<Side>,
}

/// An edge of a graph, its people by id and its photos by number.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdgeReport {
    /// The id of the person who was seen first.
    pub from: String,
    /// The id of the person who was seen later.
    pub to: String,
    /// The best photo's lower confidence of the two.
    pub confidence: f64,
    /// All its photos, the oldest first.
    pub evidence: Vec<EvidenceRef>,
}

/// Where a numbered photo is to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoReport {
    /// Its number in this run.
    pub reference: EvidenceRef,
    /// The address of the recognised bytes.
    pub image_url: String,
    /// The address of the smaller copy.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// Who made the photo, and under which terms it may be used.
    pub credit: Credit,
}

/// Verified people and edges: at most 200 people and 2,000 edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphReport {
    /// The centre first, then everybody else by distance.
    pub nodes: Vec<NodeReport>,
    /// Edges among these people.
    pub edges: Vec<GraphEdgeReport>,
    /// The photos of those edges, by number.
    pub evidence: Vec<PhotoReport>,
}
