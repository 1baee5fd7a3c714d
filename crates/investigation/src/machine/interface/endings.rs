//! The three ways in which a run ends: a chain, an honest no, an error.

use domain::{Provider, Side};

use super::certificate::{CertificateReport, OtherPathReport};
use super::reports::{EdgeReport, GraphReport, PersonRef};
use super::spent::Spent;

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
    /// The certificate: what is proven, what was looked for in vain, and what nobody asked.
    pub certificate: CertificateReport,
    /// Up to three chains that do without one of this chain's edges, the best first.
    pub other_paths: Vec<OtherPathReport>,
    /// The path and what is around it.
    pub graph: GraphReport,
    /// All that the run has spent.
    pub spent: Spent,
}

/// The reason why there is no chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The two people are connected by a longer chain only, or every way on would be too long.
    HopLimit,
    /// No search is left.
    SearchBudget,
    /// No recognition is left.
    RecognitionBudget,
    /// No time is left.
    RuntimeBudget,
    /// No money is left.
    UsdBudget,
    /// Nobody and nothing is left to try.
    NoCandidates,
    /// A typed name was recognised in no photo of three searches for it.
    UnknownPerson,
    /// There was no photo in which a typed person could have been recognised: none was found, or
    /// none of those found could be had and read.
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

    /// Returns the name under which it is sent.
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

/// An honest no.
#[derive(Debug, Clone, PartialEq)]
pub struct NoPathReport {
    /// The specification's sentence, with this run's hops and threshold.
    pub message: String,
    /// The reason, for programs.
    pub reason: Reason,
    /// The reason, for people, and what would help.
    pub explanation: String,
    /// The most edges from a side's start to a verified person.
    pub hops_reached: u32,
    /// The sides whose names were not recognised: in photos that could have shown them, or because
    /// no search for them has found any photo.
    pub unknown: Vec<Side>,
    /// Up to three recognised names for an unknown person, the nearest to the typed one first.
    pub suggestions: Vec<String>,
    /// The graph of what was verified all the same.
    pub graph: GraphReport,
    /// All that the run has spent.
    pub spent: Spent,
}

/// The kind of error that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorCode {
    /// A provider was asked too fast, also after pauses.
    ProviderThrottled,
    /// A quota or credit is used up.
    ProviderQuota,
    /// The product is closed to this operator.
    ProviderClosed,
    /// A request was refused as wrong.
    ProviderRefused,
    /// A provider is not there, broken, or answers nonsense.
    ProviderDown,
    /// A key or setting of the operator's is wrong.
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

    /// Returns the name under which it is sent.
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

    /// Returns whether the same question may succeed later with nothing changed.
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
    /// The part that it plays.
    pub role: Provider,
    /// Its id, where it is known.
    pub id: Option<String>,
}

/// An error with which the run could not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorReport {
    /// The kind of error, for programs.
    pub code: ErrorCode,
    /// The provider that failed, if one did.
    pub provider: Option<FailedProvider>,
    /// The error in words, for people: no key, no address with a key, no header.
    pub message: String,
    /// All that the run has spent.
    pub spent: Spent,
}
