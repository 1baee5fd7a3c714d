//! The effects of a run, whatever its engine. In production the run's object provides them, in native builds a world in
//! memory. All engines use [`Effects`], only investigations use [`RememberedPhotos`].

use std::pin::pin;

use futures::future::{Either, select};

use domain::{
    CollageCheck, Face, Failure, MemoryNews, PeopleToRecall, PhotoFailure, RecalledPhoto,
    RememberedAnswer, RememberedSearch, RunToken, Secret, Sha256Digest,
};
use pixels::SmallPicture;

use crate::events::WireEvent;
use crate::isolate::{Paces, PhotoPool};
use crate::photo_pixels::{PhotoPixels, collage_check};

/// The most bytes stored for one run, in total. To make the run's archive, all of them must fit into the isolate's
/// memory at once.
pub const ARTIFACTS_BYTES_MAX: usize = 24 * 1_048_576;

/// The error that a write failed, or may have failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteError;

/// The reason why a step of a call returned no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop<F> {
    /// The journal cannot be written, so this process ends its part of the run.
    Write(WriteError),
    /// The step failed. The machine learns of the failure.
    Failed(F),
}

impl<F> Stop<F> {
    /// Returns the failure that the machine learns of, or the write error.
    pub fn failure(self) -> Result<F, WriteError> {
        match self {
            Self::Write(error) => Err(error),
            Self::Failed(failure) => Ok(failure),
        }
    }

    /// Changes the failure with `change`.
    pub fn map<G>(self, change: impl FnOnce(F) -> G) -> Stop<G> {
        match self {
            Self::Write(error) => Stop::Write(error),
            Self::Failed(failure) => Stop::Failed(change(failure)),
        }
    }

    /// Splits the result of a step. The inner result is what the machine learns of the step: its value or its
    /// failure.
    pub fn settle<T>(result: Result<T, Self>) -> Result<Result<T, F>, WriteError> {
        result.map(Ok).or_else(|stop| stop.failure().map(Err))
    }
}

impl<F> From<WriteError> for Stop<F> {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl From<PhotoFailure> for Stop<PhotoFailure> {
    fn from(failure: PhotoFailure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Failure> for Stop<Failure> {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<String> for Stop<String> {
    fn from(words: String) -> Self {
        Self::Failed(words)
    }
}

/// The outside world of a run. Implementations need no timeouts, because the conductor sets one for every wait.
pub trait Effects: Network {
    /// Returns the paces of requests to each provider and photo host. All runs of the isolate share them.
    fn paces(&self) -> &Paces;

    /// Returns the pool from which memory for photos is reserved. All runs of the isolate share it.
    fn photo_pool(&self) -> &PhotoPool;

    /// Writes a document to KV, where it is stored for the run's time to live.
    fn put(&self, key: &str, document: &str) -> impl Future<Output = Result<(), WriteError>>;

    /// Writes an entry of the run's journal. This must happen before the entry has any effect. Entries are numbered
    /// from 1 without gaps; writing a number again replaces its entry.
    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError>;

    /// Stores an event, then sends it to every viewer. Publishing an event again does not send it twice.
    fn publish(&self, event: WireEvent) -> Result<(), WriteError>;

    /// Returns the result of [`PhotoPixels::read`]. Implementations that read the same photos repeatedly may cache
    /// the fingerprint and return no picture.
    fn photo_pixels(&self, photo: &[u8]) -> PhotoPixels {
        PhotoPixels::read(photo)
    }

    /// Returns the result of [`collage_check`]. Implementations that check the same photos repeatedly may cache it.
    fn collage_check(
        &self,
        photo: &[u8],
        picture: Option<&SmallPicture>,
        faces: &[Face],
    ) -> CollageCheck {
        collage_check(photo, picture, faces)
    }

    /// Returns the digest of large data. Implementations may let the platform compute it if that is faster.
    fn digest(&self, bytes: &[u8]) -> impl Future<Output = Sha256Digest> {
        std::future::ready(Sha256Digest::of(bytes))
    }

    /// Converts to JPEG a photo that is too large for the recogniser or in a format that the recogniser rejects.
    /// Fails with a sentence, also if the platform has no converter. The converted photo is not checked.
    fn jpeg_of(&self, photo: &[u8]) -> impl Future<Output = Result<Vec<u8>, String>> {
        let bytes = photo.len();
        std::future::ready(Err(format!("nothing here converts its {bytes} bytes")))
    }

    /// Waits until the user has stopped the run.
    fn stop_requested(&self) -> impl Future<Output = ()>;

    /// Returns the secret with this name that was sent with the run's request. Such a secret exists only in memory, so
    /// the result is `None` if none was sent or if another process received the request.
    fn sent_secret(&self, name: &str) -> Option<Secret>;

    /// Stores bytes separately from the run's documents. Returns false if that would exceed [`ARTIFACTS_BYTES_MAX`].
    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError>;

    /// Returns the stored bytes with this digest, if any.
    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError>;

    /// Returns a token for a child run; `None` if the platform has no randomness.
    fn child_token(&self) -> Option<RunToken>;

    /// Returns the operator's stored document with this key, as JSON, if it exists.
    fn stored_document(
        &self,
        key: &str,
    ) -> impl Future<Output = Result<Option<String>, TransportError>>;

    /// Begins the child run of this order (JSON) under this token, unless it was begun before. Fails if the
    /// operator's limits forbid it.
    fn begin_child(
        &self,
        run: &RunToken,
        order: &str,
    ) -> impl Future<Output = Result<(), ChildRefusal>>;

    /// Waits for the end of a child run, and returns its last event as JSON.
    fn child_end(&self, run: &RunToken) -> impl Future<Output = Result<String, TransportError>>;

    /// Requests that a child run stops.
    fn stop_child(&self, run: &RunToken) -> impl Future<Output = ()>;
}

/// The reason why no complete answer arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportError {
    /// The body exceeds its limit, so reading stopped.
    TooLarge,
    /// The connection failed or broke, or the body ended early.
    Broken,
}

/// The body of an answer that is still arriving.
pub trait IncomingBody {
    /// Returns the length of the body, in bytes, if the answer announced it.
    fn promised_bytes(&self) -> Option<usize>;

    /// Reads the whole body. Fails if it has more than `bytes_max` bytes. Dropping the future aborts the transfer.
    fn read(self, bytes_max: usize) -> impl Future<Output = Result<Vec<u8>, TransportError>>;

    /// Returns the next chunk as soon as it arrives, or `None` after the last one. Dropping the body aborts the
    /// transfer.
    fn next(&mut self) -> impl Future<Output = Option<Result<Vec<u8>, TransportError>>>;
}

/// A body that has arrived completely.
impl IncomingBody for Vec<u8> {
    fn promised_bytes(&self) -> Option<usize> {
        Some(self.len())
    }

    async fn read(self, bytes_max: usize) -> Result<Vec<u8>, TransportError> {
        if self.len() > bytes_max {
            return Err(TransportError::TooLarge);
        }
        Ok(self)
    }

    async fn next(&mut self) -> Option<Result<Vec<u8>, TransportError>> {
        let bytes = std::mem::take(self);
        (!bytes.is_empty()).then_some(Ok(bytes))
    }
}

/// The network and the clock, as used for requests to providers.
pub trait Network {
    /// The body of an answer, which is read separately from its head.
    type Body: IncomingBody;

    /// Returns the current time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Returns a random number from 0 to 1. It spreads retries over time.
    fn jitter(&self) -> f64;

    /// Waits for `ms` milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Sends a request and waits for the head of its answer. Follows no redirects, sends no cookies and no referrer.
    /// Dropping the future or the body aborts the request.
    ///
    /// A request to `providers::workers_ai::AI_BINDING` goes to the platform's own model.
    fn open(
        &self,
        request: WireRequest,
    ) -> impl Future<Output = Result<http::Response<Self::Body>, TransportError>>;

    /// Sends a request and reads its whole answer. Fails if the body has more than `bytes_max` bytes.
    fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> impl Future<Output = Result<WireResponse, TransportError>> {
        async move {
            let (head, body) = self.open(request).await?.into_parts();
            let body = body.read(bytes_max).await?;
            Ok(http::Response::from_parts(head, body))
        }
    }
}

/// Waits for a future until `left_ms`, the remaining time in milliseconds, returns 0. The remaining time may grow while
/// waiting. Returns `None` on timeout.
pub async fn timeout_of<N: Network, T>(
    network: &N,
    left_ms: impl Fn() -> u64,
    future: impl Future<Output = T>,
) -> Option<T> {
    let waiting = pin!(async {
        loop {
            match left_ms() {
                0 => return,
                left_ms => network.sleep(left_ms).await,
            }
        }
    });
    match select(pin!(future), waiting).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(_) => None,
    }
}

/// Waits for a future; returns `None` on timeout.
pub async fn timeout<N: Network, T>(
    network: &N,
    ms: u64,
    future: impl Future<Output = T>,
) -> Option<T> {
    let sleep = pin!(network.sleep(ms));
    let future = pin!(future);
    match select(future, sleep).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(_) => None,
    }
}

/// A request in the form in which a transport sends it.
pub type WireRequest = http::Request<Vec<u8>>;

/// An answer as a transport returns it, complete and within its size limit.
pub type WireResponse = http::Response<Vec<u8>>;

/// The reason why a child run was not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildRefusal {
    /// The child run is forbidden. The text is the reason.
    Refused(String),
    /// The child's object did not answer, so it is unknown whether the run was begun.
    Unreachable,
}

/// The memory, which returns answers that earlier runs have paid for and stores those of this run. If it fails, the
/// run continues and only pays for what the memory would have saved.
pub trait RememberedPhotos {
    /// Returns the remembered answer for the bytes with this digest, if a recogniser that the operator trusts made
    /// it.
    fn remembered_answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Option<RememberedAnswer>, MemoryDown>>;

    /// Returns remembered photos of these people, best first. Returns at most [`domain::RECALL_PHOTOS_MAX`] photos,
    /// shared equally among the people, and at most one per pair of people.
    fn recall(
        &self,
        people: &PeopleToRecall,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Vec<RecalledPhoto>, MemoryDown>>;

    /// Returns an image search's remembered answer to the request with this digest, if it is recent enough.
    fn remembered_search(
        &self,
        question: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Option<RememberedSearch>, MemoryDown>>;

    /// Starts to store what a run reports, and returns at once. A newer answer replaces a stored one.
    fn remember(&self, news: MemoryNews);
}

/// The restrictions on which remembered answers a run accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedAnswers {
    /// The ids of the run's recognisers.
    pub recognisers: Vec<String>,
    /// Older answers of the recogniser are not accepted. In milliseconds since 1970.
    pub since_ms: u64,
    /// Older answers of an image search are not accepted. In milliseconds since 1970.
    pub searches_since_ms: u64,
    /// The latest time of an answer, exclusive, in milliseconds since 1970. It is the beginning of the run, so that a
    /// resumed run finds the same answers.
    pub before_ms: u64,
}

/// The error that the memory does not respond. The text is for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryDown(pub String);
