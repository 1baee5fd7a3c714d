//! What the machine tells. Owned values: a notice stays true whatever happens next.

use crate::domain::{EvidenceRef, FaceBox, Limits, PhotoDigest, Provider, Side};
use crate::kernel::Millis;

use super::certificate::{CertificateReport, OtherPathReport};

/// Something to tell, at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// When.
    pub at: Millis,
    /// What.
    pub told: Told,
}

/// What is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// What is being tried.
    Status(Status),
    /// A verified edge.
    Evidence(EdgeReport),
    /// The chain as it stands.
    PathUpdate(Vec<PersonRef>),
    /// A chain from A to B. Last.
    Final(Box<FinalReport>),
    /// An honest no. Last.
    NoPath(Box<NoPathReport>),
    /// The run could not go on. Last.
    Error(ErrorReport),
}

impl Told {
    /// Whether nothing comes after it.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Final(_) | Self::NoPath(_) | Self::Error(_))
    }
}

/// The names of the states.
//= spec Worker State Machine
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateName {
    /// Initialize session.
    S0,
    /// Direct edge attempt.
    S1,
    /// Candidate discovery.
    S2,
    /// Select next expansion.
    S3,
    /// Verify next edge.
    S4,
    /// Bridge toward target.
    S5,
    /// Finalize success.
    S6,
    /// Finalize failure.
    S7,
}

impl StateName {
    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S0 => "S0",
            Self::S1 => "S1",
            Self::S2 => "S2",
            Self::S3 => "S3",
            Self::S4 => "S4",
            Self::S5 => "S5",
            Self::S6 => "S6",
            Self::S7 => "S7",
        }
    }
}

/// A person's id and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRef {
    /// The recogniser's id, or `name:` and the folded name.
    pub id: String,
    /// For people.
    pub name: String,
}

/// Photos by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PhotoCounts {
    /// Recognised.
    pub looked: u32,
    /// Their bytes did not come.
    pub unfetchable: u32,
    /// Their bytes are no photo that the recogniser takes.
    pub unreadable: u32,
    /// Seen before; what they showed was used again.
    pub repeated: u32,
    /// Of those recognised: put together from several, so that they prove nothing.
    pub vetoed: u32,
}

/// What a run has spent so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Attempts of searches.
    pub search_calls: u32,
    /// Attempts of recognitions.
    pub recognition_calls: u32,
    /// Attempts of planner calls.
    pub planner_calls: u32,
    /// Since S0, in milliseconds.
    pub runtime_ms: u64,
    /// In billionths of a dollar, by the operator's prices.
    pub nano_usd: u64,
    /// Photos.
    pub photos: PhotoCounts,
}

/// What is being tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// In which state.
    pub state: StateName,
    /// One line for people.
    pub message: String,
    /// Edges between the start of the side and the frontier.
    pub hop: u32,
    /// Whose surroundings are looked at.
    pub frontier: Option<PersonRef>,
    /// From which side.
    pub side: Option<Side>,
    /// Spent so far.
    pub spent: Spent,
    /// The bounds.
    pub limits: Limits,
    /// Somebody who is looked for only because the planner guessed so.
    pub guess: Option<String>,
}

/// A face in a photo of the evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceReport {
    /// Who.
    pub person: PersonRef,
    /// The match confidence, in percent.
    pub confidence: f64,
    /// Where.
    pub face_box: FaceBox,
    /// Pages about the person.
    pub urls: Vec<String>,
}

/// A photo that proves an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceReport {
    /// Its number.
    pub reference: EvidenceRef,
    /// The photo.
    pub image_url: String,
    /// The smaller copy.
    pub thumbnail_url: Option<String>,
    /// The page that shows it.
    pub context_url: Option<String>,
    /// Its title.
    pub title: String,
    /// The query that found it.
    pub query: String,
    /// The digest of the recognised bytes.
    pub digest: PhotoDigest,
    /// The lower of the two people's confidences in this photo, in percent.
    pub image_score: f64,
    /// Everybody recognised in it.
    pub faces: Vec<FaceReport>,
}

/// A verified edge with its photos.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeReport {
    /// One end.
    pub from: PersonRef,
    /// The other.
    pub to: PersonRef,
    /// In percent.
    pub confidence: f64,
    /// At least one photo, the best first.
    pub evidence: Vec<EvidenceReport>,
}

/// A person of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeReport {
    /// Who.
    pub person: PersonRef,
    /// Pages about the person.
    pub urls: Vec<String>,
    /// From whose side the person was first reached.
    pub side: Option<Side>,
}

/// An edge of the graph, its photos by number.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdgeReport {
    /// One end's id.
    pub from: String,
    /// The other's.
    pub to: String,
    /// In percent.
    pub confidence: f64,
    /// The photos.
    pub evidence: Vec<EvidenceRef>,
}

/// Where a numbered photo is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoReport {
    /// Its number.
    pub reference: EvidenceRef,
    /// The photo.
    pub image_url: String,
    /// The smaller copy.
    pub thumbnail_url: Option<String>,
    /// The page that shows it.
    pub context_url: Option<String>,
}

/// Verified people and edges around the path.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphReport {
    /// People.
    pub nodes: Vec<NodeReport>,
    /// Edges among them.
    pub edges: Vec<GraphEdgeReport>,
    /// The photos of those edges.
    pub evidence: Vec<PhotoReport>,
}

/// A chain from A to B.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalReport {
    /// From A to B.
    pub path: Vec<PersonRef>,
    /// Between each two neighbours, in path order.
    pub edges: Vec<EdgeReport>,
    /// The weakest edge, in percent.
    pub bottleneck: f64,
    /// The product of the edges' confidences, 0 to 1.
    pub cumulative: f64,
    /// What is proven, what was looked for in vain, what nobody asked.
    pub certificate: CertificateReport,
    /// Up to three chains that do without one of its edges, the best first.
    pub other_paths: Vec<OtherPathReport>,
    /// The path and what is around it.
    pub graph: GraphReport,
    /// Spent in all.
    pub spent: Spent,
}

/// Why there is no chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Connected, but only by a longer chain; or every way on would be too long.
    HopLimit,
    /// The searches are used up.
    SearchBudget,
    /// The recognitions are used up.
    RecognitionBudget,
    /// The time is used up.
    RuntimeBudget,
    /// Nobody and nothing is left to try.
    NoCandidates,
    /// A typed name was not recognised in three searches for it.
    UnknownPerson,
    /// The user ended the run.
    Stopped,
}

impl Reason {
    /// As it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HopLimit => "hop_limit",
            Self::SearchBudget => "search_budget",
            Self::RecognitionBudget => "recognition_budget",
            Self::RuntimeBudget => "runtime_budget",
            Self::NoCandidates => "no_candidates",
            Self::UnknownPerson => "unknown_person",
            Self::Stopped => "stopped",
        }
    }
}

/// An honest no.
#[derive(Debug, Clone, PartialEq)]
pub struct NoPathReport {
    /// The specification's sentence, with this run's hops and threshold.
    pub message: String,
    /// Why.
    pub reason: Reason,
    /// Why, in words, and what would help.
    pub explanation: String,
    /// The most edges from a side's start to a verified person.
    pub hops_reached: u32,
    /// For an unknown person: which.
    pub unknown: Vec<Side>,
    /// For an unknown person: the recognised names nearest to it.
    pub suggestions: Vec<String>,
    /// What was verified all the same.
    pub graph: GraphReport,
    /// Spent in all.
    pub spent: Spent,
}

/// What kind of error ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorCode {
    /// Asked too fast, also after pauses.
    ProviderThrottled,
    /// A quota or credit is used up.
    ProviderQuota,
    /// The product is closed to this operator.
    ProviderClosed,
    /// A request was refused as wrong.
    ProviderRefused,
    /// Not there, broken, or answering nonsense.
    ProviderDown,
    /// A key or setting of the operator's is wrong.
    Misconfigured,
    /// Ours.
    Internal,
}

impl ErrorCode {
    /// As it is sent.
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

    /// Whether the same question may succeed later with nothing changed.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::ProviderThrottled | Self::ProviderQuota | Self::ProviderDown | Self::Internal
        )
    }
}

/// The run could not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorReport {
    /// What kind.
    pub code: ErrorCode,
    /// Whose failure, if a provider's.
    pub provider: Option<Provider>,
    /// For people: no key, no address with a key, no header.
    pub message: String,
    /// Spent in all.
    pub spent: Spent,
}
