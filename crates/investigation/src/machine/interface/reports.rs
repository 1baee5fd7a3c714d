//! The reports that notices carry: people, photos, edges and graphs, a chain's certificate, what was spent, and the
//! three ways in which a run ends: a chain, no chain, or an error. Confidences are percentages, as the recogniser gave
//! them.

use serde::Serialize;

use domain::{
    Credit, EvidenceRef, FaceBox, Portrait, Provider, RecognisedBy, RememberedFrom, Sha256Digest,
    Side, Taken,
};

use crate::events;
use crate::wire::is_zero;

use super::Captured;

/// A person, as identified outside the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PersonRef {
    /// The recogniser's id, or `name:` and the folded name.
    pub id: String,
    /// The name: for the two people of the request as typed, for anybody else as recognised.
    pub name: String,
}

/// A recognised face in a photo of the evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FaceReport {
    /// The person recognised in the face.
    #[serde(flatten)]
    pub person: PersonRef,
    /// The confidence of the match with the person, not that of the face's detection.
    pub confidence: f64,
    /// The box of the face in the photo, as fractions of width and height.
    #[serde(rename = "box")]
    pub face_box: FaceBox,
    /// Web pages about the person, from the recogniser.
    pub urls: Vec<String>,
    /// The portrait that the face was compared with, if the recogniser tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub portrait: Option<Box<Portrait>>,
}

/// A photo that proves an edge.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceReport {
    /// The photo's number in this run: `ev1` is the first photo that was recognised.
    #[serde(rename = "ref")]
    pub reference: EvidenceRef,
    /// The address of the recognised bytes.
    pub image_url: String,
    /// Whether the recognised bytes are those of the small copy, because the photo itself could not be fetched.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_thumbnail: bool,
    /// The address of the smaller copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_url: Option<String>,
    /// The search engine's title. It proves nothing.
    pub title: String,
    /// The author of the photo, and its licence.
    #[serde(flatten)]
    pub credit: Credit,
    /// The query that found the photo first.
    pub query: String,
    /// The digest of the recognised bytes.
    #[serde(rename = "sha256")]
    pub digest: Sha256Digest,
    /// If an earlier run paid for the recognition, the recogniser and the time of its answer; `None` if this run paid
    /// for it.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "events::remembered_from"
    )]
    pub remembered: Option<RememberedFrom>,
    /// The recogniser that named the faces; `None` if an older version asked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recognised_by: Option<RecognisedBy>,
    /// Why the photo is doubtful, as the end of a sentence; `None` if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// When the photo was taken, and where that is from; `None` if nothing says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<Taken>,
    /// How the photo was made according to its file, as a clause; `None` if the file does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub making: Option<String>,
    /// The lower of the two people's confidences in this photo.
    pub image_score: f64,
    /// The faces of all people recognised in the photo, including those below the threshold.
    pub faces: Vec<FaceReport>,
}

/// A verified edge with its photos.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeReport {
    /// The end nearer to the start of the path or graph.
    pub from: PersonRef,
    /// The end farther from the start of the path or graph.
    pub to: PersonRef,
    /// The best photo's `image_score`.
    pub confidence: f64,
    /// One to ten photos, the best first; small copies come last.
    pub evidence: Vec<EvidenceReport>,
    /// The capture of the page that shows the best photo, if there is one.
    pub capture: Option<Captured>,
}

/// A person of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NodeReport {
    /// The person's id and name.
    #[serde(flatten)]
    pub person: PersonRef,
    /// Web pages about the person, from the recogniser.
    pub urls: Vec<String>,
    /// The side from which the person was first reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
}

/// An edge of a graph. Its people are given by id and its photos by number.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphEdgeReport {
    /// The id of the person who was seen first.
    pub from: String,
    /// The id of the person who was seen later.
    pub to: String,
    /// The best photo's `image_score`.
    #[serde(rename = "edgeConfidence")]
    pub confidence: f64,
    /// References to all photos that prove the edge, the oldest first.
    #[serde(rename = "evidenceRefs")]
    pub evidence: Vec<EvidenceRef>,
}

/// The addresses of a numbered photo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhotoReport {
    /// The photo's number in this run.
    #[serde(skip)]
    pub reference: EvidenceRef,
    /// The address of the recognised bytes.
    pub image_url: String,
    /// The address of the smaller copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_url: Option<String>,
    /// The author of the photo, and its licence.
    #[serde(flatten)]
    pub credit: Credit,
}

/// The verified people and edges: at most 200 people and 2,000 edges.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct GraphReport {
    /// The people: the centre first, then the others by distance.
    pub nodes: Vec<NodeReport>,
    /// The edges among these people.
    pub edges: Vec<GraphEdgeReport>,
    /// The photos of these edges, sorted by number.
    #[serde(serialize_with = "events::photos_by_reference")]
    pub evidence: Vec<PhotoReport>,
}

/// An edge of a chain, and the number of its photos.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProvenReport {
    /// The id of the person nearer to A.
    pub from: String,
    /// The id of the person nearer to B.
    pub to: String,
    /// The number of photos that show both people at the threshold.
    pub photos: usize,
    /// Whether a second photo was found; `None` if none was searched for after the chain was found.
    #[serde(rename = "confirmed", skip_serializing_if = "Option::is_none")]
    pub is_confirmed: Option<bool>,
    /// What is known of the best photo; `None` in runs by orders that older versions stored.
    #[serde(flatten)]
    pub best: Option<ProvenPhotoReport>,
    /// The proof as a sentence.
    pub message: String,
}

/// What is known of the best photo of an edge, besides who is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvenPhotoReport {
    /// The recogniser of the two people in it; `None` if an older version asked the recogniser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recognised_by: Option<RecognisedBy>,
    /// Whether the pixels show signs of a collage: `passed`, `doubtful` or `not judged`.
    pub pixels: &'static str,
    /// When the photo was taken, and where that is from; `None` if nothing says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<Taken>,
    /// How the photo was made according to its file, as a clause; `None` if the file does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub making: Option<String>,
}

/// The years in which the best photos of a chain's edges were taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct YearsReport {
    /// The first year.
    pub since: u16,
    /// The last year.
    pub until: u16,
    /// The years as a sentence.
    pub message: String,
}

/// Two people of a chain whose photo would make it shorter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PairReport {
    /// The ids of the two people, the one nearer to A first.
    pub between: [String; 2],
    /// The number of photos looked at that show at least one of the two people at the threshold.
    pub photos: usize,
    /// The finding as a sentence.
    pub message: String,
}

/// The certificate of a chain: what was proven and excluded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CertificateReport {
    /// The chain's edges, in path order.
    pub proven: Vec<ProvenReport>,
    /// The pairs that were searched for together and not found together. This does not prove that no photo shows both.
    pub excluded: Vec<PairReport>,
    /// The pairs for which no search that names both people was answered.
    pub open: Vec<PairReport>,
    /// When the chain's photos were taken; `None` if nothing says so of any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub years: Option<YearsReport>,
}

/// Another chain between A and B.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherPathReport {
    /// The people from A to B.
    pub path: Vec<PersonRef>,
    /// The confidence of the weakest edge, in percent.
    pub bottleneck: f64,
    /// The product of the edges' confidences, 0 to 1.
    pub cumulative: f64,
}

/// A chain from A to B.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalReport {
    /// The people from A to B.
    pub path: Vec<PersonRef>,
    /// The edges between each two neighbours, in path order.
    pub edges: Vec<EdgeReport>,
    /// The confidence of the weakest edge, in percent.
    pub bottleneck: f64,
    /// The product of the edges' confidences, 0 to 1.
    pub cumulative: f64,
    /// The certificate: what is proven, what was searched for in vain, and what was not asked.
    pub certificate: CertificateReport,
    /// Up to three chains that avoid one of this chain's edges, the best first.
    pub other_paths: Vec<OtherPathReport>,
    /// The path and its surroundings.
    pub graph: GraphReport,
    /// What the run has spent.
    pub spent: Spent,
}

/// The reason why there is no chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The two people are connected only by a chain that is too long, or every further step would make the chain too
    /// long.
    HopLimit,
    /// The searches are used up.
    SearchBudget,
    /// The recognitions are used up.
    RecognitionBudget,
    /// The time is used up.
    RuntimeBudget,
    /// The money is used up.
    UsdBudget,
    /// Nobody and nothing is left to try.
    NoCandidates,
    /// A typed name was recognised in no photo of three searches for it.
    UnknownPerson,
    /// No photo could have shown a person of the request: none was found, or none of those found could be fetched and
    /// read.
    NoReadablePhotos,
    /// The user ended the run.
    Stopped,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 9] = [
        Self::HopLimit,
        Self::SearchBudget,
        Self::RecognitionBudget,
        Self::RuntimeBudget,
        Self::UsdBudget,
        Self::NoCandidates,
        Self::UnknownPerson,
        Self::NoReadablePhotos,
        Self::Stopped,
    ];

    /// Returns the name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HopLimit => "hop_limit",
            Self::SearchBudget => "search_budget",
            Self::RecognitionBudget => "recognition_budget",
            Self::RuntimeBudget => "runtime_budget",
            Self::UsdBudget => "usd_budget",
            Self::NoCandidates => "no_candidates",
            Self::UnknownPerson => "unknown_person",
            Self::NoReadablePhotos => "no_readable_photos",
            Self::Stopped => "stopped",
        }
    }
}

/// The report of a run without a chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoPathReport {
    /// The specification's sentence, with this run's hops and threshold.
    pub message: String,
    /// The reason, for programs.
    pub reason: Reason,
    /// The reason, in words, and what would help.
    pub explanation: String,
    /// The most edges from a side's start to a verified person.
    pub hops_reached: u32,
    /// The sides whose names were not recognised: photos should have shown them, or no search for them found any photo.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Side>,
    /// Up to three recognised names for an unknown person, the most similar first.
    pub suggestions: Vec<String>,
    /// The graph of what was verified.
    pub graph: GraphReport,
    /// What the run has spent.
    pub spent: Spent,
}

/// The kind of error that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A provider refused requests as too many, even after pauses.
    ProviderThrottled,
    /// A quota or credit with a provider is used up.
    ProviderQuota,
    /// A provider's product is closed to this operator.
    ProviderClosed,
    /// A provider refused a request as wrong.
    ProviderRefused,
    /// A provider is unreachable, broken, or returns unusable answers.
    ProviderDown,
    /// A key or setting of the operator is wrong.
    Misconfigured,
    /// An error of this program.
    Internal,
}

impl ErrorCode {
    /// All codes.
    pub const ALL: [Self; 7] = [
        Self::ProviderThrottled,
        Self::ProviderQuota,
        Self::ProviderClosed,
        Self::ProviderRefused,
        Self::ProviderDown,
        Self::Misconfigured,
        Self::Internal,
    ];

    /// Returns the name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ProviderThrottled => "provider_throttled",
            Self::ProviderQuota => "provider_quota",
            Self::ProviderClosed => "provider_closed",
            Self::ProviderRefused => "provider_refused",
            Self::ProviderDown => "provider_down",
            Self::Misconfigured => "misconfigured",
            Self::Internal => "internal",
        }
    }

    /// Returns whether the same question may succeed later, unchanged.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::ProviderThrottled | Self::ProviderQuota | Self::ProviderDown | Self::Internal
        )
    }
}

/// A provider that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedProvider {
    /// The role that the provider played.
    pub role: Provider,
    /// The provider's id, if known.
    pub id: Option<String>,
}

/// An error that ended the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorReport {
    /// The kind of error, for programs.
    pub code: ErrorCode,
    /// The provider that failed, if one did.
    pub provider: Option<FailedProvider>,
    /// The error in words; it contains no key, no address with a key, and no header.
    pub message: String,
    /// What the run has spent.
    pub spent: Spent,
}

/// Counts of photos by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PhotoCounts {
    /// The photos that were recognised.
    pub looked: u32,
    /// The photos that could not be fetched.
    pub unfetchable: u32,
    /// The photos whose bytes the recogniser does not accept.
    pub unreadable: u32,
    /// The known photos whose results were reused.
    pub repeated: u32,
    /// The repeated photos that were resized or cropped copies of a recognised one.
    #[serde(skip_serializing_if = "is_zero")]
    pub copies: u32,
    /// The recognised photos whose answers an earlier run paid for.
    #[serde(skip_serializing_if = "is_zero")]
    pub remembered: u32,
    /// The photos that were found and not looked at, because others promise more. They are counted only if the run
    /// reads captions.
    #[serde(skip_serializing_if = "is_zero")]
    pub left: u32,
    /// The recognised photos that were put together from several photos and therefore prove nothing.
    pub vetoed: u32,
    /// The photos that were not recognised, because they prove nothing according to their files, their dates or the
    /// words beside them.
    #[serde(skip_serializing_if = "is_zero")]
    pub rejected: u32,
    /// The different photos that searches found. They are counted only if the run may read words first.
    #[serde(skip_serializing_if = "is_zero")]
    pub found: u32,
}

/// What a run has spent so far. Calls are counted by attempts, each call in flight as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Spent {
    /// The number of search attempts.
    pub search_calls: u32,
    /// The number of recognition attempts.
    #[serde(rename = "rekognitionCalls")]
    pub recognition_calls: u32,
    /// The number of attempts of planner calls.
    #[serde(rename = "llmCalls")]
    pub planner_calls: u32,
    /// The number of attempts of any kind that were throttled and not charged. No other count includes them.
    #[serde(skip_serializing_if = "is_zero")]
    pub throttled_calls: u32,
    /// The time since S0, in milliseconds, without pauses in which the run was not conducted.
    pub runtime_ms: u64,
    /// The cost in billionths of a dollar, by the operator's prices.
    #[serde(rename = "usd", serialize_with = "events::dollars")]
    pub nano_usd: u64,
    /// The counts of photos. Fetching a photo costs nothing.
    pub photos: PhotoCounts,
}
