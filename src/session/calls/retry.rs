//! Sends a provider's call: retries with pauses, each attempt within its time.

use std::cell::Cell;

use crate::domain::{Failure, FailureKind, Sha256Digest};
use crate::providers::{WireRequest, WireResponse};
use crate::session::ask_once::send_once;
use crate::session::effects::{Network, WriteError};

use super::gate::Gate;

/// The first pause before a call is sent again, in milliseconds; it doubles.
const PAUSE_MS: u64 = 500;

/// How long and how often a call may be tried.
#[derive(Clone, Copy)]
pub(super) struct CallLimits {
    /// Of the answer's body, in bytes.
    pub(super) bytes_max: usize,
    /// Of one attempt, in milliseconds, from when the request really starts.
    pub(super) attempt_ms_max: u64,
    /// Attempts of the command, those that were made before this call among them.
    pub(super) attempts_max: u32,
    /// Of the run's time, in milliseconds.
    pub(super) time_left_ms: u64,
    /// Of a pause between two attempts, in milliseconds; a longer hint ends the call.
    pub(super) pause_ms_max: u64,
    /// What an attempt costs whose answer never comes, in billionths of a dollar.
    pub(super) price_nano_usd: u64,
    /// Attempts a second that all runs of the process share; none where nothing limits them.
    pub(super) per_second_max: Option<u32>,
}

/// What every attempt of a call passes through before it is sent.
#[derive(Clone, Copy)]
pub struct Attempts<'call> {
    cost: &'call CallCost,
    gate: &'call Gate,
    intend: &'call dyn Fn(u32, u64) -> Result<(), WriteError>,
}

impl<'call> Attempts<'call> {
    /// Each attempt waits for `gate`, is written into the journal by `intend`, which is given its
    /// number and what it may cost, and is then counted in `cost`.
    pub fn new(
        cost: &'call CallCost,
        gate: &'call Gate,
        intend: &'call dyn Fn(u32, u64) -> Result<(), WriteError>,
    ) -> Self {
        Self { cost, gate, intend }
    }

    /// How many attempts were sent.
    pub(super) fn made(&self) -> u32 {
        self.cost.attempts()
    }

    /// The next attempt may be sent: it is in the journal, and it counts as charged until it is
    /// answered. Gives its number, from 1.
    pub(super) async fn begin(&self, price_nano_usd: u64) -> Result<u32, WriteError> {
        self.gate.pass().await;
        let attempt = self.cost.attempts() + 1;
        (self.intend)(attempt, price_nano_usd)?;
        self.cost.attempts.set(attempt);
        self.cost.add(price_nano_usd);
        Ok(attempt)
    }

    /// A photo may be fetched again before it is sent: that is in the journal, and costs nothing.
    pub(super) fn begin_fetching_again(&self) -> Result<(), WriteError> {
        (self.intend)(0, 0)
    }
}

/// What a call has cost so far, also while it is in flight.
#[derive(Debug, Default)]
pub struct CallCost {
    attempts: Cell<u32>,
    nano_usd: Cell<u64>,
}

impl CallCost {
    /// How many attempts were sent.
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

/// What all attempts of a call came to.
#[derive(Debug)]
pub(super) struct RetryOutcome<T> {
    /// Of the last attempt.
    pub(super) result: Result<T, Failure>,
    /// How many were sent.
    pub(super) attempts: u32,
    /// Of all attempts, in billionths of a dollar.
    pub(super) nano_usd: u64,
    /// SHA-256 of the last attempt's raw body, if one came.
    pub(super) body_digest: Option<Sha256Digest>,
}

impl<T> RetryOutcome<T> {
    /// Nothing was sent.
    pub(super) fn not_sent(failure: Failure) -> Self {
        Self {
            result: Err(failure),
            attempts: 0,
            nano_usd: 0,
            body_digest: None,
        }
    }
}

/// Sends a request until it is answered, refused for good, or its attempts or time are over.
///
/// The request is built anew for each attempt, since a signature holds for minutes only. `read`
/// also gives what a successful attempt cost. Fails where the journal cannot be written: then
/// nothing more is sent.
pub(super) async fn call<E: Network, T>(
    effects: &E,
    limits: CallLimits,
    attempts: Attempts<'_>,
    mut build: impl FnMut(u64) -> Result<WireRequest, Failure>,
    mut read: impl FnMut(&WireResponse) -> (Result<T, Failure>, u64),
) -> Result<RetryOutcome<T>, WriteError> {
    let deadline_ms = effects.now_ms().saturating_add(limits.time_left_ms);
    let left_ms = || deadline_ms.saturating_sub(effects.now_ms());
    let cost = attempts.cost;
    wait_for_turn(effects, &limits, left_ms()).await;
    if left_ms() == 0 {
        let failure = Failure::new(FailureKind::Down, "the run's time is over");
        return Ok(RetryOutcome {
            attempts: cost.attempts(),
            nano_usd: cost.nano_usd(),
            ..RetryOutcome::not_sent(failure)
        });
    }
    loop {
        let attempt = attempts.begin(limits.price_nano_usd).await?;
        let mut body_digest = None;
        let attempt_ms = limits.attempt_ms_max.min(left_ms());
        let result = match build(effects.now_ms()) {
            Ok(request) => match send_once(effects, request, limits.bytes_max, attempt_ms).await {
                Ok(response) => {
                    body_digest = Some(Sha256Digest::of(response.body()));
                    let (result, nano_usd) = read(&response);
                    cost.settle(limits.price_nano_usd, nano_usd);
                    result
                }
                Err(failure) => Err(failure),
            },
            Err(failure) => {
                cost.settle(limits.price_nano_usd, 0);
                Err(failure)
            }
        };
        let pause_ms = result
            .as_ref()
            .err()
            .and_then(|failure| pause_before_next(effects, &limits, failure, attempt, left_ms()));
        if let Some(pause_ms) = pause_ms {
            effects.sleep(pause_ms).await;
            wait_for_turn(effects, &limits, left_ms()).await;
        }
        // A timer may come late; past the run's time no call begins.
        if pause_ms.is_none() || effects.now_ms() >= deadline_ms {
            return Ok(RetryOutcome {
                result,
                attempts: attempt,
                nano_usd: cost.nano_usd(),
                body_digest,
            });
        }
    }
}

/// All runs of a process share a provider's pace.
async fn wait_for_turn<E: Network>(effects: &E, limits: &CallLimits, left_ms: u64) {
    let (Some(pace), Some(per_second_max)) = (effects.recogniser_pace(), limits.per_second_max)
    else {
        return;
    };
    // A turn that comes after the run's time is left to others.
    let turn = pace.take_turn_within(effects.now_ms(), per_second_max, left_ms);
    let wait_ms = turn.unwrap_or(left_ms);
    if wait_ms > 0 {
        effects.sleep(wait_ms).await;
    }
}

/// How long to wait before the next attempt; none where there is none.
fn pause_before_next<E: Network>(
    effects: &E,
    limits: &CallLimits,
    failure: &Failure,
    attempt: u32,
    left_ms: u64,
) -> Option<u64> {
    let pause_ms = pause_ms(failure, attempt, effects.jitter());
    let may_retry = failure.kind.is_transient() && attempt < limits.attempts_max;
    (may_retry && pause_ms < left_ms && pause_ms <= limits.pause_ms_max).then_some(pause_ms)
}

/// The provider's hint, or 0.5, 1, 2 seconds, spread over half to all of it.
fn pause_ms(failure: &Failure, attempt: u32, jitter: f64) -> u64 {
    if let Some(hint_ms) = failure.retry_after_ms {
        return hint_ms;
    }
    let full_ms = PAUSE_MS.saturating_mul(1 << attempt.saturating_sub(1).min(6));
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
