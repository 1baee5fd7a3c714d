//! What the machine is told.

use crate::domain::{
    Face, Failure, Hit, Limits, Name, PhotoCopy, PhotoFailure, PlanAnswer, Sha256Digest,
    TypedPerson, Veto,
};

use crate::kernel;

/// The question of one run, already accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Where the chain starts.
    pub person_a: TypedPerson,
    /// Where it ends.
    pub person_b: TypedPerson,
    /// People that may not be on the path.
    pub avoid: Vec<Name>,
    /// What the run may do and spend.
    pub limits: Limits,
}

impl Request {
    /// Whether a recognised name is one that may not be on the path.
    #[must_use]
    pub fn avoids(&self, folded: &str) -> bool {
        self.avoid.iter().any(|name| name.folded() == folded)
    }
}

/// One input of the machine, with the time in [`crate::engines::investigation::machine::Investigation::handle`].
pub type Input = kernel::Input<Outcome>;

/// What came of a command.
pub type Answer = kernel::Answer<Outcome>;

/// A photo whose bytes came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The digest of the bytes that came.
    pub digest: Sha256Digest,
    /// Which of the photo's addresses gave them.
    pub copy: PhotoCopy,
}

/// What a photo shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recognised {
    /// Who is in it, in the recogniser's order.
    pub faces: Vec<Face>,
    /// Why it proves nothing about those who are in it, as its pixels show.
    pub veto: Option<Veto>,
}

impl From<Vec<Face>> for Recognised {
    /// Nothing speaks against the photo.
    fn from(faces: Vec<Face>) -> Self {
        Self { faces, veto: None }
    }
}

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Of a search.
    Searched(Result<Vec<Hit>, Failure>),
    /// Of fetching a photo.
    Fetched(Result<Fetched, PhotoFailure>),
    /// Of recognising a fetched photo.
    Recognised(Result<Recognised, Failure>),
    /// Of asking the planner.
    Planned(Result<PlanAnswer, Failure>),
}
