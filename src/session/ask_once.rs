//! One question outside of any run, asked once.

use crate::domain::{Failure, FailureKind};
use crate::providers::{JSON_BYTES_MAX, WireRequest, WireResponse};

use super::effects::{Network, TransportError, timeout};

/// Sends a request and gives its answer, which may take so many milliseconds.
pub(super) async fn ask_once<N: Network>(
    network: &N,
    answer_ms_max: u64,
    request: Result<WireRequest, Failure>,
) -> Result<WireResponse, Failure> {
    let sent = network.send(request?, JSON_BYTES_MAX);
    match timeout(network, answer_ms_max, sent).await {
        Some(Ok(response)) => Ok(response),
        Some(Err(TransportError::TooLarge)) => Err(Failure::new(
            FailureKind::Malformed,
            "an answer that is far too long",
        )),
        Some(Err(TransportError::Broken)) => Err(Failure::new(FailureKind::Down, "no connection")),
        None => Err(Failure::new(FailureKind::Down, "no answer in time")),
    }
}
