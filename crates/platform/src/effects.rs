//! The effects of a run of any engine: natively an in-memory world, in production the run's object.
//! [`Effects`] is what runs need; [`RememberedPhotos`] is for one engine alone.

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

/// The most bytes that are kept beside one run. All of them fit into the isolate's memory, once as an
/// archive.
pub const ARTIFACTS_BYTES_MAX: usize = 24 * 1_048_576;

/// The error that a write did not succeed, or may not have succeeded.
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

/// The outside of a run. Every wait made here is given a limit by the conductor.
pub trait Effects: Network {
    /// Returns how fast each provider and photo host is asked by all runs of this process together.
    fn paces(&self) -> &Paces;

    /// Returns the memory for the photos of all runs of this process.
    fn photo_pool(&self) -> &PhotoPool;

    /// Writes a document to KV, where it stays for the run's time to live.
    fn put(&self, key: &str, document: &str) -> impl Future<Output = Result<(), WriteError>>;

    /// Writes an entry of the run's journal, before anything that comes of it. Entries are numbered
    /// from 1 without gaps; one written again under its number takes the place of the first.
    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError>;

    /// Stores an event, then shows it to every viewer. One that is stored again is shown once.
    fn publish(&self, event: WireEvent) -> Result<(), WriteError>;

    /// Returns what [`PhotoPixels::read`] finds. An implementation that sees the same photos again and
    /// again may remember the fingerprint, and give no picture.
    fn photo_pixels(&self, photo: &[u8]) -> PhotoPixels {
        PhotoPixels::read(photo)
    }

    /// Returns what [`collage_check`] finds. An implementation that sees the same photos again and again
    /// may remember it.
    fn collage_check(
        &self,
        photo: &[u8],
        picture: Option<&SmallPicture>,
        faces: &[Face],
    ) -> CollageCheck {
        collage_check(photo, picture, faces)
    }

    /// Returns the digest of some megabytes, where the platform has a faster way than this program.
    fn digest(&self, bytes: &[u8]) -> impl Future<Output = Sha256Digest> {
        std::future::ready(Sha256Digest::of(bytes))
    }

    /// Makes a JPEG of a photo that is too large for the recogniser, or in a format that it does not take. Fails in
    /// words, also where the platform has nothing that could. What comes back may be anything.
    fn jpeg_of(&self, photo: &[u8]) -> impl Future<Output = Result<Vec<u8>, String>> {
        let bytes = photo.len();
        std::future::ready(Err(format!("nothing here converts its {bytes} bytes")))
    }

    /// Resolves once the user has asked to end the run.
    fn stop_requested(&self) -> impl Future<Output = ()>;

    /// Returns the secret of this name that came with the request for the run. It is in memory alone: `None` where
    /// none was sent, or where this process is not the one that it was sent to.
    fn sent_secret(&self, name: &str) -> Option<Secret>;

    /// Keeps bytes beside the run. Returns false where the run has no room for them: [`ARTIFACTS_BYTES_MAX`].
    fn keep_artifact(
        &self,
        digest: &Sha256Digest,
        mime_type: &str,
        bytes: &[u8],
    ) -> Result<bool, WriteError>;

    /// Returns the bytes of this digest; `None` where the run keeps none.
    fn artifact(&self, digest: &Sha256Digest) -> Result<Option<Vec<u8>>, WriteError>;

    /// Returns a token for a run that this run begins; `None` where there is no randomness.
    fn child_token(&self) -> Option<RunToken>;

    /// Returns the operator's stored document of this key, as JSON; `None` where there is none.
    fn stored_document(
        &self,
        key: &str,
    ) -> impl Future<Output = Result<Option<String>, TransportError>>;

    /// Begins the run of an order's JSON under this token, or finds it begun. Fails with what the
    /// operator's limits say against it.
    fn begin_child(
        &self,
        run: &RunToken,
        order: &str,
    ) -> impl Future<Output = Result<(), ChildRefusal>>;

    /// Returns the last event of a run, as JSON, once the run has ended.
    fn child_end(&self, run: &RunToken) -> impl Future<Output = Result<String, TransportError>>;

    /// Asks a run to end.
    fn stop_child(&self, run: &RunToken) -> impl Future<Output = ()>;
}

/// The reason why no whole answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportError {
    /// The body is longer than its bound; reading stopped there.
    TooLarge,
    /// There was no connection, the connection broke, or the body ended early.
    Broken,
}

/// The body of an answer, on its way.
pub trait IncomingBody {
    /// Returns the length that the body must have, in bytes. Returns `None` where nobody knows it before.
    fn promised_bytes(&self) -> Option<usize>;

    /// Reads the whole body, of at most `bytes_max` bytes. Dropping the future aborts the transfer.
    fn read(self, bytes_max: usize) -> impl Future<Output = Result<Vec<u8>, TransportError>>;

    /// Returns the next piece, as soon as it comes. Returns `None` at the end of a body that came whole.
    /// Dropping the body aborts the transfer.
    fn next(&mut self) -> impl Future<Output = Option<Result<Vec<u8>, TransportError>>>;
}

/// A body that is here as a whole.
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

/// The network and the clock that are needed to ask a provider.
pub trait Network {
    /// The body of an answer.
    type Body: IncomingBody;

    /// Returns the time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Returns a number from 0 to 1, to spread retries.
    fn jitter(&self) -> f64;

    /// Waits for so many milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Sends a request and waits for its answer's head. Follows no redirect, sends no cookie and no
    /// referrer. Dropping the future, or the body, aborts the request.
    ///
    /// A request to [`providers::workers_ai::AI_BINDING`] goes to the platform's own model instead.
    fn open(
        &self,
        request: WireRequest,
    ) -> impl Future<Output = Result<http::Response<Self::Body>, TransportError>>;

    /// Sends a request and reads its answer, of at most `bytes_max` bytes of body.
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

/// Waits for a future as long as `left_ms` says, in milliseconds, which may give more time meanwhile.
/// Returns `None` where no time is left first.
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

/// Waits for a future. Returns `None` where its time is over first.
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

/// A request as it is handed to a transport.
pub type WireRequest = http::Request<Vec<u8>>;

/// An answer as a transport read it, whole and within its bound.
pub type WireResponse = http::Response<Vec<u8>>;

/// The reason why a run was not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildRefusal {
    /// The run may not be begun, for this reason.
    Refused(String),
    /// Nobody knows whether the run was begun: its object did not answer.
    Unreachable,
}

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
