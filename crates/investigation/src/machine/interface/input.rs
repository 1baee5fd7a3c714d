//! The inputs of the machine.

use domain::{
    CollageCheck, Face, Failure, Fingerprint, FoundHits, Hit, Limits, Name, PhotoCopy,
    PhotoFailure, PlanAnswer, RecalledPhoto, RememberedAnswer, SearchSource, Sha256Digest,
    TypedPerson, is_one_name,
};

use super::capture::Captured;

/// The question of one run, already accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The person with whom the chain starts.
    pub person_a: TypedPerson,
    /// The person with whom it ends.
    pub person_b: TypedPerson,
    /// The people who may not be on the path.
    pub avoid: Vec<Name>,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
    /// The image searches that may be asked, in the order in which they are. Where there are none, one
    /// is asked of which nothing is known.
    pub sources: Vec<SearchSource>,
}

impl Request {
    /// Returns whether a recognised name is one that may not be on the path.
    #[must_use]
    pub fn avoids(&self, recognised: &str) -> bool {
        let mut avoided = self.avoid.iter();
        avoided.any(|name| is_one_name(name.as_str(), recognised))
    }
}

/// One input of the machine, with the time in [`crate::machine::Investigation::handle`].
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// A photo whose bytes came.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetched {
    /// The digest of the bytes that came.
    pub digest: Sha256Digest,
    /// The address that gave the bytes.
    pub copy: PhotoCopy,
    /// The digest of the bytes that the recogniser gets, where they are in another format.
    pub sent: Option<Sha256Digest>,
    /// What the photo looks like, where its pixels could be read.
    pub fingerprint: Option<Fingerprint>,
    /// The answer of the recogniser to these bytes, where an earlier run had one.
    pub remembered: Option<Box<Remembered>>,
}

/// An earlier answer of the recogniser, with what this run's program finds in the pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// The answer.
    pub answer: RememberedAnswer,
    /// What the photo's pixels say now.
    pub collage_check: CollageCheck,
    /// Where the photo is from, of a photo that the run fetched without knowing.
    pub hit: Option<Hit>,
}

/// The result of recognising a photo.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recognised {
    /// The faces in the photo, in the recogniser's order.
    pub faces: Vec<Face>,
    /// What the photo's pixels say.
    pub collage_check: CollageCheck,
}

impl From<Vec<Face>> for Recognised {
    /// Makes the result of a photo against which nothing speaks.
    fn from(faces: Vec<Face>) -> Self {
        Self {
            faces,
            collage_check: CollageCheck::Passed,
        }
    }
}

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The outcome of a search.
    Searched(Result<FoundHits, Failure>),
    /// The outcome of fetching a photo.
    Fetched(Result<Fetched, PhotoFailure>),
    /// The outcome of recognising a fetched photo.
    Recognised(Result<Recognised, Failure>),
    /// The outcome of asking the planner.
    Planned(Result<PlanAnswer, Failure>),
    /// The outcome of taking a picture of a page, or why there is none as one sentence.
    Captured(Result<Captured, String>),
    /// The remembered photos of some people. There are none where the memory does not answer.
    Recalled(Vec<RecalledPhoto>),
    /// The number of remembered photos that make a chain; 0 where there is none.
    Connected(usize),
}
