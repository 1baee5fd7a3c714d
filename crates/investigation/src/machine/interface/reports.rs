//! People, photos, edges and graphs as notices carry them. Confidences are percentages as the
//! recogniser gave them.

use domain::{Credit, EvidenceRef, FaceBox, RememberedFrom, Sha256Digest, Side};

use super::capture::Captured;

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
    /// The person whom the recogniser takes the face for.
    pub person: PersonRef,
    /// The match confidence, not the face box's own.
    pub confidence: f64,
    /// The place of the face in the photo, in shares of width and height.
    pub face_box: FaceBox,
    /// Web pages about the person, as the recogniser names them.
    pub urls: Vec<String>,
}

/// A photo that proves an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceReport {
    /// The photo's number in this run: `ev1` is the first photo that was recognised.
    pub reference: EvidenceRef,
    /// The address of the recognised bytes.
    pub image_url: String,
    /// Whether those bytes are a small copy's, since the photo itself could not be had.
    pub is_thumbnail: bool,
    /// The address of the smaller copy.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// The search engine's title. It proves nothing.
    pub title: String,
    /// The author of the photo, and the terms under which it may be used.
    pub credit: Credit,
    /// The query that found the photo first.
    pub query: String,
    /// The digest of the recognised bytes.
    pub digest: Sha256Digest,
    /// The recogniser and the time of an answer that an earlier run had paid for; `None` for this run's own.
    pub remembered: Option<RememberedFrom>,
    /// Why the photo is doubtful, as the end of a sentence; `None` where it is not.
    pub doubt: Option<String>,
    /// The lower of the two people's confidences in this photo.
    pub image_score: f64,
    /// The faces of everybody recognised in it, including those below the threshold.
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
    /// The picture of the page that shows the first of these photos, where one was taken.
    pub capture: Option<Captured>,
}

/// A person of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeReport {
    /// The person's id and name.
    pub person: PersonRef,
    /// Web pages about the person, as the recogniser names them.
    pub urls: Vec<String>,
    /// The side from which the person was first reached.
    pub side: Option<Side>,
}

/// An edge of a graph, its people by id and its photos by number.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdgeReport {
    /// The id of the person who was seen first.
    pub from: String,
    /// The id of the person who was seen later.
    pub to: String,
    /// The best photo's lower confidence of the two people's.
    pub confidence: f64,
    /// The numbers of all photos of the edge, the oldest first.
    pub evidence: Vec<EvidenceRef>,
}

/// The addresses of a numbered photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoReport {
    /// The photo's number in this run.
    pub reference: EvidenceRef,
    /// The address of the recognised bytes.
    pub image_url: String,
    /// The address of the smaller copy.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// The author of the photo, and the terms under which it may be used.
    pub credit: Credit,
}

/// The verified people and edges: at most 200 people and 2,000 edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphReport {
    /// The people: the centre first, then everybody else by distance.
    pub nodes: Vec<NodeReport>,
    /// The edges among these people.
    pub edges: Vec<GraphEdgeReport>,
    /// The photos of those edges, by number.
    pub evidence: Vec<PhotoReport>,
}
