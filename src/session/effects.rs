//! What the platform does for a run. Natively an in-memory world, in production the run's object.

use futures::future::{Either, select};

use crate::domain::{Face, Sha256Digest, Veto};
use crate::events::WireEvent;
use crate::providers::{WireRequest, WireResponse};

use super::collage_check::collage_veto;
use super::paces::Paces;

/// Why no whole answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportError {
    /// The body is longer than its bound; reading stopped there.
    TooLarge,
    /// No connection, a broken one, or a body that ended early.
    Broken,
}

/// A write that did not succeed, or may not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteError;

/// What is needed to ask a provider.
pub trait Network {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// A number from 0 to 1, to spread retries.
    fn jitter(&self) -> f64;

    /// Waits for so many milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Sends a request and reads its answer, of at most `bytes_max` bytes of body. Follows no
    /// redirect, sends no cookie and no referrer. Dropping the future aborts the request.
    ///
    /// A request to [`crate::providers::workers_ai::AI_BINDING`] goes to the platform's own model instead.
    fn send(
        &self,
        request: WireRequest,
        bytes_max: usize,
    ) -> impl Future<Output = Result<WireResponse, TransportError>>;
}

/// The outside of a run. Every wait made here is given a limit by the conductor.
pub trait Effects: Network {
    /// How fast everybody outside is asked by all runs of this process together.
    fn paces(&self) -> &Paces;

    /// Writes a document to KV, where it stays for the run's time to live.
    fn put(&self, key: &str, document: &str) -> impl Future<Output = Result<(), WriteError>>;

    /// Writes an entry of the run's journal, before anything that comes of it. Entries are numbered
    /// from 1 without gaps; one written again under its number takes the place of the first.
    fn keep(&self, number: u32, entry: &str) -> Result<(), WriteError>;

    /// Stores an event, then shows it to every viewer. One that is stored again is shown once.
    fn publish(&self, event: WireEvent) -> Result<(), WriteError>;

    /// [`collage_veto`]. Whoever sees the same photos again and again may remember it.
    fn collage_veto(&self, photo: &[u8], faces: &[Face]) -> Option<Veto> {
        collage_veto(photo, faces)
    }

    /// The digest of some megabytes, where the platform has a faster way than this program.
    fn digest(&self, bytes: &[u8]) -> impl Future<Output = Sha256Digest> {
        std::future::ready(Sha256Digest::of(bytes))
    }

    /// Resolves once the user has asked to end the run.
    fn stop_requested(&self) -> impl Future<Output = ()>;
}

/// Waits for a future, or gives none when its time is over.
pub(super) async fn timeout<N: Network, T>(
    network: &N,
    ms: u64,
    future: impl Future<Output = T>,
) -> Option<T> {
    let sleep = std::pin::pin!(network.sleep(ms));
    let future = std::pin::pin!(future);
    match select(future, sleep).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(_) => None,
    }
}
