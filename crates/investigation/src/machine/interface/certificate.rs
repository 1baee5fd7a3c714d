//! The worth of a final chain: what is proven, what was looked for in vain, and what nobody asked.

use super::reports::PersonRef;

/// An edge of a chain, and the number of photos in which it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenReport {
    /// The id of the person nearer to A.
    pub from: String,
    /// The id of the person nearer to B.
    pub to: String,
    /// The number of photos that show both at the threshold.
    pub photos: usize,
    /// Whether a second photo was found, where one was looked for after the chain was.
    pub is_confirmed: Option<bool>,
    /// The proof as a sentence.
    pub message: String,
}

/// Two people of a chain whose photo would make it shorter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairReport {
    /// The id of the person nearer to A.
    pub one: String,
    /// The id of the person nearer to B.
    pub other: String,
    /// The number of photos looked at that show one of them at the threshold.
    pub photos: usize,
    /// The finding as a sentence.
    pub message: String,
}

/// The worth of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CertificateReport {
    /// The chain's edges, in path order.
    pub proven: Vec<ProvenReport>,
    /// The pairs that were searched for together and not found. This does not prove that there is
    /// no such photo.
    pub excluded: Vec<PairReport>,
    /// The pairs for which no search for both was answered.
    pub open: Vec<PairReport>,
}

/// Another chain between the same two people.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherPathReport {
    /// The people from A to B.
    pub path: Vec<PersonRef>,
    /// The confidence of the weakest edge, in percent.
    pub bottleneck: f64,
    /// The product of the edges' confidences, 0 to 1.
    pub cumulative: f64,
}
