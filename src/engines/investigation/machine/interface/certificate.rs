//! What a final chain is worth: what is proven, what was looked for in vain, what nobody asked.

use super::reports::PersonRef;

/// An edge of a chain, and in how many photos it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenReport {
    /// The id of the person nearer to A.
    pub from: String,
    /// The id of the person nearer to B.
    pub to: String,
    /// Photos that show both at the threshold.
    pub photos: usize,
    /// The same as a sentence.
    pub message: String,
}

/// Two people of a chain whose photo would make it shorter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairReport {
    /// The id of the person nearer to A.
    pub one: String,
    /// The id of the person nearer to B.
    pub other: String,
    /// Photos looked at that show one of them at the threshold.
    pub photos: usize,
    /// The same as a sentence.
    pub message: String,
}

/// What a chain is worth.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CertificateReport {
    /// Its edges, in path order.
    pub proven: Vec<ProvenReport>,
    /// Searched for together, and not found: no proof that there is no such photo.
    pub excluded: Vec<PairReport>,
    /// No search for both was answered.
    pub open: Vec<PairReport>,
}

/// Another chain between the same two people.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherPathReport {
    /// From A to B.
    pub path: Vec<PersonRef>,
    /// The weakest edge, in percent.
    pub bottleneck: f64,
    /// The product of the edges' confidences, 0 to 1.
    pub cumulative: f64,
}
