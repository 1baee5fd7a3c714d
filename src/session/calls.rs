//! Carries out a provider's call: retries with pauses, each attempt within its time.

use std::cell::Cell;

use futures::future::{Either, select};

use crate::domain::{Failure, FailureKind};
use crate::providers::{WireRequest, WireResponse};

use super::effects::{Effects, TransportError};

/// The first pause before a call is sent again, in milliseconds; it doubles.
const PAUSE_MS: u64 = 500;

/// One attempt's limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds<'call> {
    /// Of the body, in bytes.
    pub(super) bytes_max: usize,
    /// Of one attempt, in milliseconds, from when the request really starts.
    pub(super) attempt_ms_max: u64,
    /// Attempts.
    pub(super) attempts_max: u32,
    /// Of the run's time, in milliseconds.
    pub(super) time_left_ms: u64,
    /// Of a pause between two attempts, in milliseconds; a longer hint ends the call.
    pub(super) pause_ms_max: u64,
    /// Tells the attempts made while the call is under way.
    pub(super) attempts_made: &'call Cell<u32>,
}

/// What came of a call.
#[derive(Debug)]
pub(super) struct Called<T> {
    /// The last attempt's outcome.
    pub(super) result: Result<T, Failure>,
    /// Attempts made.
    pub(super) attempts: u32,
    /// Of all attempts, in billionths of a dollar.
    pub(super) nano_usd: u64,
}

/// Waits for a future, or gives none when its time is over.
pub(super) async fn within<E: Effects, T>(
    effects: &E,
    ms: u64,
    future: impl Future<Output = T>,
) -> Option<T> {
    let sleep = std::pin::pin!(effects.sleep(ms));
    let future = std::pin::pin!(future);
    match select(future, sleep).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(_) => None,
    }
}

/// Sends a request until it is answered, refused for good, or its attempts or time are over.
///
/// The request is built anew for each attempt, since a signature holds for minutes only. `read`
/// also gives what a successful attempt cost.
pub(super) async fn call<E: Effects, T>(
    effects: &E,
    bounds: Bounds<'_>,
    mut build: impl FnMut(u64) -> Result<WireRequest, Failure>,
    mut read: impl FnMut(&WireResponse) -> (Result<T, Failure>, u64),
) -> Called<T> {
    let deadline_ms = effects.now_ms().saturating_add(bounds.time_left_ms);
    let mut attempts = 0;
    let mut nano_usd: u64 = 0;
    loop {
        attempts += 1;
        bounds.attempts_made.set(attempts);
        let left_ms = deadline_ms.saturating_sub(effects.now_ms());
        let attempt_ms = bounds.attempt_ms_max.min(left_ms);
        let result = match build(effects.now_ms()) {
            Ok(request) => {
                let sent = effects.send(request, bounds.bytes_max);
                match within(effects, attempt_ms, sent).await {
                    Some(Ok(response)) => {
                        let (result, cost) = read(&response);
                        nano_usd = nano_usd.saturating_add(cost);
                        result
                    }
                    Some(Err(error)) => Err(transport_failure(error)),
                    None => Err(Failure::new(FailureKind::Down, "no answer in time")),
                }
            }
            Err(failure) => Err(failure),
        };
        let Err(failure) = &result else {
            return Called {
                result,
                attempts,
                nano_usd,
            };
        };
        let left_ms = deadline_ms.saturating_sub(effects.now_ms());
        let pause_ms = pause_ms(failure, attempts, effects.jitter());
        let may_retry = failure.kind.is_transient() && attempts < bounds.attempts_max;
        if !may_retry || pause_ms >= left_ms || pause_ms > bounds.pause_ms_max {
            return Called {
                result,
                attempts,
                nano_usd,
            };
        }
        effects.sleep(pause_ms).await;
        // A timer may come late; past the run's time no call begins.
        if effects.now_ms() >= deadline_ms {
            return Called {
                result,
                attempts,
                nano_usd,
            };
        }
    }
}

fn transport_failure(error: TransportError) -> Failure {
    match error {
        TransportError::TooLarge => {
            Failure::new(FailureKind::Malformed, "an answer that is far too long")
        }
        TransportError::Broken => Failure::new(FailureKind::Down, "no connection"),
    }
}

/// The provider's hint, or 0.5, 1, 2 seconds, spread over half to all of it.
fn pause_ms(failure: &Failure, attempts: u32, jitter: f64) -> u64 {
    if let Some(hint_ms) = failure.retry_after_ms {
        return hint_ms;
    }
    let full_ms = PAUSE_MS.saturating_mul(1 << attempts.saturating_sub(1).min(6));
    // Between half and all of at most 32 seconds.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let spread_ms = (full_ms as f64 * (0.5 + jitter.clamp(0.0, 1.0) / 2.0)) as u64;
    spread_ms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_spread_and_honour_hints() {
        let failure = Failure::new(FailureKind::Throttled, "");
        assert_eq!(pause_ms(&failure, 1, 0.0), 250);
        assert_eq!(pause_ms(&failure, 1, 1.0), 500);
        assert_eq!(pause_ms(&failure, 3, 1.0), 2_000);
        assert_eq!(pause_ms(&failure, 99, 7.0), 32_000);
        assert_eq!(pause_ms(&failure.after(Some(37_000)), 1, 0.5), 37_000);
    }
}
