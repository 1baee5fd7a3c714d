//! One request, sent once: no retry and no pause.

use crate::domain::{Failure, FailureKind};
use crate::providers::{JSON_BYTES_MAX, WireRequest, WireResponse};

use super::effects::{Network, TransportError, timeout};

/// Sends a request whose answer may have so many bytes and take so many milliseconds.
pub(super) async fn send_once<N: Network>(
    network: &N,
    request: WireRequest,
    bytes_max: usize,
    answer_ms_max: u64,
) -> Result<WireResponse, Failure> {
    let sent = network.send(request, bytes_max);
    match timeout(network, answer_ms_max, sent).await {
        Some(sent) => sent.map_err(transport_failure),
        None => Err(Failure::new(FailureKind::Down, "no answer in time")),
    }
}

/// Asks one question outside of any run, for an answer in JSON.
pub(super) async fn ask_once<N: Network>(
    network: &N,
    answer_ms_max: u64,
    request: Result<WireRequest, Failure>,
) -> Result<WireResponse, Failure> {
    send_once(network, request?, JSON_BYTES_MAX, answer_ms_max).await
}

fn transport_failure(error: TransportError) -> Failure {
    match error {
        TransportError::TooLarge => {
            Failure::new(FailureKind::Malformed, "an answer that is far too long")
        }
        TransportError::Broken => Failure::new(FailureKind::Down, "no connection"),
    }
}
