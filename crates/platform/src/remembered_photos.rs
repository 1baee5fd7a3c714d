//! The memory of what earlier runs have paid for.

use domain::{
    MemoryNews, PeopleToRecall, RecalledPhoto, RememberedAnswer, RememberedSearch, Sha256Digest,
};

/// Gives back what earlier runs have paid for, and keeps what this one does. What it fails in costs nothing but what
/// it would have saved.
pub trait RememberedPhotos {
    /// Returns the answer of a recogniser to the bytes of this digest, where one is remembered that the operator
    /// believes.
    fn remembered_answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Option<RememberedAnswer>, MemoryDown>>;

    /// Returns remembered photos of these people, the best first: at most [`domain::RECALL_PHOTOS_MAX`], of
    /// which each person has an equal part: one photo of each person with each other.
    fn recall(
        &self,
        people: &PeopleToRecall,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Vec<RecalledPhoto>, MemoryDown>>;

    /// Returns the answer of an image search to the request of this digest, where one is remembered that is young
    /// enough.
    fn remembered_search(
        &self,
        question: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Option<RememberedSearch>, MemoryDown>>;

    /// Begins to keep what a run tells, and returns at once. A photo that is kept already takes the newer answer.
    fn remember(&self, news: MemoryNews);
}

/// The answers that a run may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedAnswers {
    /// The id of the recogniser that the run asks.
    pub recogniser: String,
    /// The earliest time of an answer, in milliseconds since 1970.
    pub since_ms: u64,
    /// The earliest time of an image search's answer, in milliseconds since 1970.
    pub searches_since_ms: u64,
    /// The time before which an answer was given, in milliseconds since 1970: that at which the run began, so that
    /// a run that is taken up again finds what it would have found.
    pub before_ms: u64,
}

/// The error that the memory does not answer, in words for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryDown(pub String);
