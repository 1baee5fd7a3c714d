//! The requests over the network.

use std::pin::pin;

use futures::future::{Either, select};

use crate::{WireRequest, WireResponse};

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
