//! Carries out a provider's call: retries with pauses, each attempt within its time.

use std::cell::Cell;

use sha2::{Digest as _, Sha256};

use crate::domain::{Failure, FailureKind, PhotoDigest};
use crate::providers::{WireRequest, WireResponse};
use crate::session::effects::{Effects, TransportError, WriteError, within};

use super::gate::Gate;

/// The first pause before a call is sent again, in milliseconds; it doubles.
const PAUSE_MS: u64 = 500;

/// One attempt's limits.
#[derive(Clone, Copy)]
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
    /// What an attempt costs whose answer never comes, in billionths of a dollar.
    pub(super) price_nano_usd: u64,
    /// Around each attempt.
    pub(super) sending: Sending<'call>,
}

/// What goes with each attempt.
#[derive(Clone, Copy)]
pub struct Sending<'call> {
    outlay: &'call Outlay,
    gate: &'call Gate,
    intend: &'call dyn Fn(u32) -> Result<(), WriteError>,
}

impl<'call> Sending<'call> {
    /// Each attempt waits for `gate`, is written into the journal by `intend`, which is given its
    /// number, and is then counted in `outlay`.
    pub fn new(
        outlay: &'call Outlay,
        gate: &'call Gate,
        intend: &'call dyn Fn(u32) -> Result<(), WriteError>,
    ) -> Self {
        Self {
            outlay,
            gate,
            intend,
        }
    }

    /// Waits while nothing may be sent.
    pub(super) async fn pass(&self) {
        self.gate.pass().await;
    }

    /// Keeps that the photo is about to be fetched again. Its host is asked, and nothing is spent.
    pub(super) fn begin_fetching_again(&self) -> Result<(), WriteError> {
        (self.intend)(0)
    }

    /// An attempt is about to be sent: kept, counted, and taken for charged until it is answered.
    pub(super) fn begin(&self, attempt: u32, price_nano_usd: u64) -> Result<(), WriteError> {
        (self.intend)(attempt)?;
        self.outlay.attempts.set(attempt);
        self.outlay.add(price_nano_usd);
        Ok(())
    }
}

/// What a call has cost so far, also while it is under way.
#[derive(Debug, Default)]
pub struct Outlay {
    attempts: Cell<u32>,
    nano_usd: Cell<u64>,
}

impl Outlay {
    /// Attempts sent.
    pub fn attempts(&self) -> u32 {
        self.attempts.get()
    }

    /// What they cost, or may have cost, in billionths of a dollar.
    pub fn nano_usd(&self) -> u64 {
        self.nano_usd.get()
    }

    fn add(&self, nano_usd: u64) {
        self.nano_usd
            .set(self.nano_usd.get().saturating_add(nano_usd));
    }

    /// An attempt that was taken for charged has cost this much instead.
    fn settle(&self, taken_for: u64, cost: u64) {
        self.nano_usd
            .set(self.nano_usd.get().saturating_sub(taken_for));
        self.add(cost);
    }
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
    /// SHA-256 of the last attempt's raw body, if one came.
    pub(super) body: Option<PhotoDigest>,
}

impl<T> Called<T> {
    /// Nothing was sent.
    pub(super) fn not_sent(failure: Failure) -> Self {
        Self {
            result: Err(failure),
            attempts: 0,
            nano_usd: 0,
            body: None,
        }
    }
}

/// Sends a request until it is answered, refused for good, or its attempts or time are over.
///
/// The request is built anew for each attempt, since a signature holds for minutes only. `read`
/// also gives what a successful attempt cost. Fails where the journal cannot be kept: then nothing
/// more is sent.
pub(super) async fn call<E: Effects, T>(
    effects: &E,
    bounds: Bounds<'_>,
    mut build: impl FnMut(u64) -> Result<WireRequest, Failure>,
    mut read: impl FnMut(&WireResponse) -> (Result<T, Failure>, u64),
) -> Result<Called<T>, WriteError> {
    let deadline_ms = effects.now_ms().saturating_add(bounds.time_left_ms);
    let outlay = bounds.sending.outlay;
    loop {
        bounds.sending.pass().await;
        let attempts = outlay.attempts() + 1;
        bounds.sending.begin(attempts, bounds.price_nano_usd)?;
        let mut body = None;
        let left_ms = deadline_ms.saturating_sub(effects.now_ms());
        let attempt_ms = bounds.attempt_ms_max.min(left_ms);
        let result = match build(effects.now_ms()) {
            Ok(request) => {
                let sent = effects.send(request, bounds.bytes_max);
                match within(effects, attempt_ms, sent).await {
                    Some(Ok(response)) => {
                        body = Some(PhotoDigest::new(Sha256::digest(response.body()).into()));
                        let (result, cost) = read(&response);
                        outlay.settle(bounds.price_nano_usd, cost);
                        result
                    }
                    Some(Err(error)) => Err(transport_failure(error)),
                    None => Err(Failure::new(FailureKind::Down, "no answer in time")),
                }
            }
            Err(failure) => {
                outlay.settle(bounds.price_nano_usd, 0);
                Err(failure)
            }
        };
        let pause_ms = match &result {
            Ok(_) => None,
            Err(failure) => {
                let left_ms = deadline_ms.saturating_sub(effects.now_ms());
                pause_before_next(effects, &bounds, failure, attempts, left_ms)
            }
        };
        if let Some(pause_ms) = pause_ms {
            effects.sleep(pause_ms).await;
        }
        // A timer may come late; past the run's time no call begins.
        if pause_ms.is_none() || effects.now_ms() >= deadline_ms {
            return Ok(Called {
                result,
                attempts,
                nano_usd: outlay.nano_usd(),
                body,
            });
        }
    }
}

/// How long to wait before the next attempt; none where there is none.
fn pause_before_next<E: Effects>(
    effects: &E,
    bounds: &Bounds<'_>,
    failure: &Failure,
    attempts: u32,
    left_ms: u64,
) -> Option<u64> {
    let pause_ms = pause_ms(failure, attempts, effects.jitter());
    let may_retry = failure.kind.is_transient() && attempts < bounds.attempts_max;
    (may_retry && pause_ms < left_ms && pause_ms <= bounds.pause_ms_max).then_some(pause_ms)
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
