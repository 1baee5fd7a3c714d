//! The effects of a run of any engine: natively an in-memory world, in production the run's object. [`Effects`] is for
//! all engines, [`RememberedPhotos`] for one.

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

/// The most bytes stored beside one run. Together they fit into the isolate's memory, once as an archive.
pub const ARTIFACTS_BYTES_MAX: usize = 24 * 1_048_576;

/// A write failed, or may have failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteError;

/// The reason why a step of a call gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop<F> {
    /// The journal cannot be written: this process ends its part of the run.
    Write(WriteError),
    /// The step failed, which the machine learns.
    Failed(F),
}

impl<F> Stop<F> {
    /// Returns the failure that the machine learns.
    pub fn failure(self) -> Result<F, WriteError> {
        match self {
            Self::Write(error) => Err(error),
            Self::Failed(failure) => Ok(failure),
        }
    }

    /// Changes the failure.
    pub fn map<G>(self, change: impl FnOnce(F) -> G) -> Stop<G> {
        match self {
            Self::Write(error) => Stop::Write(error),
            Self::Failed(failure) => Stop::Failed(change(failure)),
        }
    }

    /// Returns what the machine learns of a step: its value, or its failure.
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

/// The outside world of a run. The conductor sets a timeout for every wait.
pub trait Effects: Network {
    /// Returns the shared paces of requests to each provider and photo host.
    fn paces(&self) -> &Paces;

    /// Returns the shared memory for photos.
    fn photo_pool(&self) -> &PhotoPool;

    /// Writes a document to KV, where it stays for the run's time to live.
    fn put(&self, key: &str, document: &str) -> impl Future<Output = Result<(), WriteError>>;

    /// Writes an entry of the run's journal, before it has any effect. Entries are numbered from 1 without gaps;
    /// rewriting a number replaces its entry.
    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError>;

    /// Stores an event, then shows it to every viewer. Repeating it shows it only once.
    fn publish(&self, event: WireEvent) -> Result<(), WriteError>;

    /// Returns the result of [`PhotoPixels::read`]. Implementations that see the same photos repeatedly may cache the
    /// fingerprint and return no picture.
    fn photo_pixels(&self, photo: &[u8]) -> PhotoPixels {
        PhotoPixels::read(photo)
    }

    /// Returns the result of [`collage_check`]. Implementations that see the same photos repeatedly may cache it.
    fn collage_check(
        &self,
        photo: &[u8],
        picture: Option<&SmallPicture>,
        faces: &[Face],
    ) -> CollageCheck {
        collage_check(photo, picture, faces)
    }

    /// Returns the digest of some megabytes, computed by the platform if that is faster.
    fn digest(&self, bytes: &[u8]) -> impl Future<Output = Sha256Digest> {
        std::future::ready(Sha256Digest::of(bytes))
    }

    /// Converts a photo to JPEG that is too large for the recogniser or in a format that it rejects. Fails with a
    /// sentence, also if the platform has no converter. The result is unchecked.
    fn jpeg_of(&self, photo: &[u8]) -> impl Future<Output = Result<Vec<u8>, String>> {
        let bytes = photo.len();
        std::future::ready(Err(format!("nothing here converts its {bytes} bytes")))
    }

    /// Resolves once the user has stopped the run.
    fn stop_requested(&self) -> impl Future<Output = ()>;

    /// Returns the secret of this name from the run's request. It exists only in memory: `None` if none was sent, or if
    /// another process received it.
    fn sent_secret(&self, name: &str) -> Option<Secret>;

    /// Stores bytes beside the run. Returns false if [`ARTIFACTS_BYTES_MAX`] would be exceeded.
    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError>;

    /// Returns the stored bytes of this digest, if any.
    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError>;

    /// Returns a token for a child run; `None` if there is no randomness.
    fn child_token(&self) -> Option<RunToken>;

    /// Returns the operator's stored document of this key as JSON, if it exists.
    fn stored_document(
        &self,
        key: &str,
    ) -> impl Future<Output = Result<Option<String>, TransportError>>;

    /// Begins the child run of this order (JSON) under this token, or finds it begun. Fails if the operator's limits
    /// forbid it.
    fn begin_child(
        &self,
        run: &RunToken,
        order: &str,
    ) -> impl Future<Output = Result<(), ChildRefusal>>;

    /// Waits for a run's end, and returns its last event as JSON.
    fn child_end(&self, run: &RunToken) -> impl Future<Output = Result<String, TransportError>>;

    /// Requests that a run stops.
    fn stop_child(&self, run: &RunToken) -> impl Future<Output = ()>;
}

/// The reason why no complete answer arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportError {
    /// The body exceeds its bound, where reading stopped.
    TooLarge,
    /// The connection failed or broke, or the body ended early.
    Broken,
}

/// The body of an answer in transit.
pub trait IncomingBody {
    /// Returns the announced length of the body in bytes, if known.
    fn promised_bytes(&self) -> Option<usize>;

    /// Reads the whole body, at most `bytes_max` bytes. Dropping the future aborts the transfer.
    fn read(self, bytes_max: usize) -> impl Future<Output = Result<Vec<u8>, TransportError>>;

    /// Returns the next chunk as soon as it arrives, or `None` after the last one. Dropping the body aborts the
    /// transfer.
    fn next(&mut self) -> impl Future<Output = Option<Result<Vec<u8>, TransportError>>>;
}

/// A body that is already complete.
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

/// The network and the clock, for requests to providers.
pub trait Network {
    /// The body of an answer.
    type Body: IncomingBody;

    /// Returns the time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Returns a random number from 0 to 1, to spread retries.
    fn jitter(&self) -> f64;

    /// Waits for `ms` milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Sends a request and waits for the head of its answer. Follows no redirects, sends no cookies and no referrer.
    /// Dropping the future or the body aborts the request.
    ///
    /// A request to [`providers::workers_ai::AI_BINDING`] goes to the platform's own model.
    fn open(
        &self,
        request: WireRequest,
    ) -> impl Future<Output = Result<http::Response<Self::Body>, TransportError>>;

    /// Sends a request and reads its answer, with at most `bytes_max` bytes of body.
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

/// Waits for a future while `left_ms` returns a remaining time in milliseconds, which may grow meanwhile. `None` on
/// timeout.
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

/// Waits for a future; `None` on timeout.
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

/// A request for a transport.
pub type WireRequest = http::Request<Vec<u8>>;

/// An answer as read by a transport, complete and within its bound.
pub type WireResponse = http::Response<Vec<u8>>;

/// The reason why a child run was not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildRefusal {
    /// The run may not begin, for this reason.
    Refused(String),
    /// The child's object did not answer, so that it is unknown whether the run was begun.
    Unreachable,
}

/// The memory: returns answers that earlier runs have paid for, and stores those of this run. A failure costs only what
/// the memory would have saved.
pub trait RememberedPhotos {
    /// Returns a recogniser's remembered answer for the bytes of this digest, from a recogniser that the operator
    /// trusts.
    fn remembered_answer(
        &self,
        digest: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Option<RememberedAnswer>, MemoryDown>>;

    /// Returns remembered photos of these people, best first: at most [`domain::RECALL_PHOTOS_MAX`], equally shared
    /// among the people, and one per pair of people.
    fn recall(
        &self,
        people: &PeopleToRecall,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Vec<RecalledPhoto>, MemoryDown>>;

    /// Returns an image search's remembered answer to the request of this digest, if recent enough.
    fn remembered_search(
        &self,
        question: &Sha256Digest,
        wanted: &WantedAnswers,
    ) -> impl Future<Output = Result<Option<RememberedSearch>, MemoryDown>>;

    /// Starts to store what a run reports, and returns at once. The newer answer replaces a stored one.
    fn remember(&self, news: MemoryNews);
}

/// Restrictions on remembered answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedAnswers {
    /// The id of the run's recogniser.
    pub recogniser: String,
    /// The earliest time of an answer, in milliseconds since 1970.
    pub since_ms: u64,
    /// The earliest time of an image search's answer, in milliseconds since 1970.
    pub searches_since_ms: u64,
    /// The latest time of an answer, exclusive, in milliseconds since 1970: the beginning of the run, so that a resumed
    /// run finds the same answers.
    pub before_ms: u64,
}

/// The memory does not respond; the text is for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryDown(pub String);
