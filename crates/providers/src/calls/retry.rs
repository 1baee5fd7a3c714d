//! Sends a call to a provider, with retries, pauses, timeouts and costs. Some providers repeat the key that they were
//! sent, so it is removed from answers before anything reads them.
//!
//! A throttle is temporary. The attempt is not charged and does not count, and all runs of the isolate leave the
//! provider alone for a while, then ask it again.

use std::rc::Rc;

use http::{HeaderName, HeaderValue};
use url::form_urlencoded;

use domain::{Failure, FailureKind, Sha256Digest};
use kernel::Command;
use platform::isolate::{NoTurn, Pace};
use platform::{Effects, Network, TransportError, WireRequest, WireResponse, WriteError, timeout};

use crate::JSON_BYTES_MAX;

use super::in_flight::Attempts;

/// The least remaining time of the run, in milliseconds, with which an attempt is sent. With less, its answer would
/// come too late.
pub const SEND_MS_MIN: u64 = 300;

/// The pause before the first retry, in milliseconds. It doubles with each retry.
const PAUSE_MS: u64 = 500;

/// The text before the key in an address. It is needed for `SerpApi`, which accepts the key only there.
const KEY_IN_ADDRESS: &str = "api_key=";
/// The shortest key that is removed from answers, in bytes. Shorter keys belong to local servers and may be ordinary
/// words.
const KEY_BYTES_MIN: usize = 8;

/// The limits of a call's attempts.
#[derive(Clone, Copy)]
pub struct CallLimits {
    /// The longest body of an answer, in bytes.
    pub bytes_max: usize,
    /// The timeout of one attempt, in milliseconds, from when the request is really sent.
    pub attempt_ms_max: u64,
    /// The most attempts of the command. Those made before this call count towards it.
    pub attempts_max: u32,
    /// The most throttled attempts of the command. Those made before this call count towards it.
    pub throttled_max: u32,
    /// The time that the run has left, in milliseconds.
    pub time_left_ms: u64,
    /// The longest pause before an attempt, in milliseconds. If a longer one were needed, the call ends.
    pub pause_ms_max: u64,
    /// The cost of an attempt whose answer never arrives, in billionths of a dollar.
    pub price_nano_usd: u64,
    /// The provider's id, which identifies its pace shared by all runs, and its name for viewers.
    pub provider: (&'static str, &'static str),
    /// The pace shared by all runs, in attempts per second; `None` if unlimited.
    pub per_second_max: Option<u32>,
    /// Whether no other provider can be asked. The run then waits for this one, and viewers are told why.
    pub is_waited_for: bool,
}

/// The result of all attempts of a call.
#[derive(Debug)]
pub struct RetryOutcome<T> {
    /// The result of the last attempt.
    pub result: Result<T, Failure>,
    /// The number of attempts that were sent and may have been charged.
    pub attempts: u32,
    /// The number of attempts that were throttled, which `attempts` does not include.
    pub throttled: u32,
    /// The cost of all attempts, in billionths of a dollar.
    pub nano_usd: u64,
    /// SHA-256 of the last attempt's raw body; `None` if there was none.
    pub body_digest: Option<Sha256Digest>,
}

impl<T> RetryOutcome<T> {
    /// Makes the outcome of a call that failed before anything was sent.
    #[must_use]
    pub fn not_sent(failure: Failure) -> Self {
        Self {
            result: Err(failure),
            attempts: 0,
            throttled: 0,
            nano_usd: 0,
            body_digest: None,
        }
    }
}

/// Sends a request until it is answered, is refused permanently, or has no attempts or time left.
///
/// The request is rebuilt for each attempt, since a signature is valid for minutes only. `read` also returns the cost
/// of a successful attempt. `may_ask` is checked before each attempt, since another call may have set the provider
/// aside. Fails if the journal cannot be written, and then sends nothing more.
pub async fn call<E: Effects, T>(
    effects: &E,
    limits: CallLimits,
    attempts: Attempts<'_>,
    may_ask: impl Fn() -> bool,
    build: impl AsyncFn(u64) -> Result<WireRequest, Failure>,
    mut read: impl FnMut(&WireResponse) -> (Result<T, Failure>, u64),
) -> Result<RetryOutcome<T>, WriteError> {
    let deadline_ms = effects.now_ms().saturating_add(limits.time_left_ms);
    let pace = effects.paces().of(limits.provider.0, effects.now_ms());
    let mut last = None;
    let (result, body_digest) = loop {
        let turn = wait_for_turn(effects, &limits, &pace, deadline_ms).await;
        if let Err(failure) = turn.and_then(|()| may_ask().then_some(()).ok_or_else(too_often)) {
            break last.unwrap_or((Err(failure), None));
        }
        let attempt = attempts.begin(limits.price_nano_usd).await?;
        let sent_ms = effects.now_ms();
        let left_ms = deadline_ms.saturating_sub(sent_ms);
        let answered = send(effects, &limits, attempts, left_ms, &build, &mut read).await?;
        let goes_on = match &answered.0 {
            Ok(_) => {
                pace.speed_up(sent_ms);
                false
            }
            Err(failure) if failure.kind == FailureKind::Throttled => {
                attempts.take_back_throttled();
                let (now_ms, jitter) = (effects.now_ms(), effects.jitter());
                pace.slow_down(sent_ms, now_ms, failure.retry_after_ms(), jitter);
                let goes_on = attempts.throttled() < limits.throttled_max;
                if goes_on && limits.is_waited_for {
                    attempts.tell_slowed(limits.provider.1);
                }
                goes_on
            }
            Err(failure) => {
                pause_before_next(effects, &limits, failure, attempt, deadline_ms).await
            }
        };
        if !goes_on {
            break answered;
        }
        last = Some(answered);
    };
    Ok(RetryOutcome {
        result,
        attempts: attempts.made(),
        throttled: attempts.throttled(),
        nano_usd: attempts.nano_usd(),
        body_digest,
    })
}

/// Sends one attempt. Returns its result, and the digest of the answer's raw body if there was one.
async fn send<E: Effects, T>(
    effects: &E,
    limits: &CallLimits,
    attempts: Attempts<'_>,
    left_ms: u64,
    build: &impl AsyncFn(u64) -> Result<WireRequest, Failure>,
    read: &mut impl FnMut(&WireResponse) -> (Result<T, Failure>, u64),
) -> Result<(Result<T, Failure>, Option<Sha256Digest>), WriteError> {
    let request = match build(effects.now_ms()).await {
        Ok(request) => request,
        Err(failure) => {
            attempts.settle(limits.price_nano_usd, 0);
            return Ok((Err(failure), None));
        }
    };
    let attempt_ms = limits.attempt_ms_max.min(left_ms);
    Ok(
        match send_once(effects, request, limits.bytes_max, attempt_ms).await {
            Ok(response) => {
                let (result, nano_usd) = attempts.read(|| read(&response))?;
                attempts.settle(limits.price_nano_usd, nano_usd);
                (result, Some(Sha256Digest::of(response.body())))
            }
            Err(failure) => (Err(failure), None),
        },
    )
}

/// Waits until the next attempt may be sent. Fails with the reason if no further attempt may be.
async fn wait_for_turn<E: Effects>(
    effects: &E,
    limits: &CallLimits,
    pace: &Rc<Pace>,
    deadline_ms: u64,
) -> Result<(), Failure> {
    loop {
        let now_ms = effects.now_ms();
        let left_ms = deadline_ms.saturating_sub(now_ms);
        let wait_ms_max = left_ms.saturating_sub(SEND_MS_MIN);
        let turn = if left_ms < SEND_MS_MIN {
            Err(NoTurn::Crowded)
        } else {
            pace.take_turn(
                now_ms,
                limits.per_second_max,
                wait_ms_max.min(limits.pause_ms_max),
            )
        };
        match turn {
            Ok(turn) if turn.wait_ms == 0 => return Ok(()),
            Ok(turn) => {
                effects.sleep(turn.wait_ms).await;
                // Timers may fire late, so the time is checked again: near the end of the run's time no attempt begins.
                if pace.holds(turn) && effects.now_ms() + SEND_MS_MIN <= deadline_ms {
                    return Ok(());
                }
            }
            Err(NoTurn::Crowded) if limits.pause_ms_max >= left_ms => {
                // No turn is free before the end of the run's time. The call waits for that end instead of failing at
                // once, since an answer in flight may still decide the run.
                effects.sleep(left_ms).await;
                return Err(Failure::new(FailureKind::Down, "the run's time is over"));
            }
            Err(_) => return Err(too_often()),
        }
    }
}

fn too_often() -> Failure {
    let what = "it was asked too often a moment ago";
    Failure::new(FailureKind::Throttled, what)
}

/// Waits before the next attempt. Returns false if no further attempt is to be made.
async fn pause_before_next<E: Network>(
    effects: &E,
    limits: &CallLimits,
    failure: &Failure,
    attempt: u32,
    deadline_ms: u64,
) -> bool {
    let pause_ms = pause_ms(failure, attempt, effects.jitter());
    let left_ms = deadline_ms.saturating_sub(effects.now_ms());
    let may_retry = failure.kind.is_transient() && attempt < limits.attempts_max;
    let is_in_time = pause_ms.saturating_add(SEND_MS_MIN) <= left_ms;
    let goes_on = may_retry && is_in_time && pause_ms <= limits.pause_ms_max;
    if goes_on {
        effects.sleep(pause_ms).await;
    }
    goes_on
}

/// Returns the pause before the next attempt, in milliseconds: the provider's hint, or 0.5, 1, 2 seconds and so on,
/// shortened by up to half at random.
fn pause_ms(failure: &Failure, attempt: u32, jitter: f64) -> u64 {
    if let Some(hint_ms) = failure.retry_after_ms() {
        return hint_ms;
    }
    let full_ms = PAUSE_MS.saturating_mul(1 << attempt.saturating_sub(1).min(6));
    // The value is at most 32,000, which fits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let spread_ms = (full_ms as f64 * (0.5 + jitter.clamp(0.0, 1.0) / 2.0)) as u64;
    spread_ms
}

/// Returns the limits of a call that executes a command. `bytes_max` and `attempt_ms_max` apply to each attempt.
pub fn limits<Action>(
    command: &Command<Action>,
    bytes_max: usize,
    attempt_ms_max: u64,
) -> CallLimits {
    CallLimits {
        bytes_max,
        attempt_ms_max,
        attempts_max: command.attempts_max,
        throttled_max: command.throttled_max,
        time_left_ms: command.time_left_ms,
        pause_ms_max: u64::MAX,
        price_nano_usd: 0,
        provider: ("", ""),
        per_second_max: None,
        is_waited_for: true,
    }
}

/// Returns the cost of an answer. Providers charge for answers, readable or not, but not for refusals, not even for
/// those with a success status.
pub fn charged<T>(read: &Result<T, Failure>, response: &WireResponse, price: u64) -> u64 {
    let is_answered = match read {
        Ok(_) => true,
        Err(failure) => failure.kind == FailureKind::Malformed,
    };
    if is_answered && response.status().is_success() {
        price
    } else {
        0
    }
}

/// Sends a request with a limit in bytes for its answer and a timeout in milliseconds.
async fn send_once<N: Network>(
    network: &N,
    request: WireRequest,
    bytes_max: usize,
    answer_ms_max: u64,
) -> Result<WireResponse, Failure> {
    let keys = keys_in(&request);
    let sent = network.send(request, bytes_max);
    match timeout(network, answer_ms_max, sent).await {
        Some(sent) => {
            let mut response = sent.map_err(transport_failure)?;
            for key in &keys {
                blot_out(key, response.body_mut());
            }
            Ok(response)
        }
        None => Err(Failure::new(FailureKind::Down, "no answer in time")),
    }
}

/// Sends one question that belongs to no run, and reads the answer as JSON.
pub async fn ask_once<N: Network>(
    network: &N,
    answer_ms_max: u64,
    request: Result<WireRequest, Failure>,
) -> Result<WireResponse, Failure> {
    send_once(network, request?, JSON_BYTES_MAX, answer_ms_max).await
}

/// Returns the keys that a request sends, in the form in which an answer may repeat them. Keys shorter than
/// [`KEY_BYTES_MIN`] are omitted, since they may be ordinary words.
fn keys_in(request: &WireRequest) -> Vec<Vec<u8>> {
    let headers = request
        .headers()
        .iter()
        .filter(|(name, value)| is_key(name, value));
    // The header's value may be `Bearer KEY`, of which only `KEY` is secret.
    let sent =
        headers.filter_map(|(_, value)| value.as_bytes().rsplit(|byte| *byte == b' ').next());
    let mut keys: Vec<Vec<u8>> = sent.map(<[u8]>::to_vec).collect();
    for part in request.uri().query().unwrap_or_default().split('&') {
        if let Some(encoded) = part.strip_prefix(KEY_IN_ADDRESS) {
            keys.push(encoded.as_bytes().to_vec());
            let pairs = form_urlencoded::parse(part.as_bytes());
            keys.extend(pairs.map(|(_, key)| key.into_owned().into_bytes()));
        }
    }
    keys.retain(|key| key.len() >= KEY_BYTES_MIN);
    keys
}

fn is_key(name: &HeaderName, value: &HeaderValue) -> bool {
    value.is_sensitive() || matches!(name.as_str(), "authorization" | "x-amz-security-token")
}

/// Replaces each occurrence of a key by as many asterisks, so that JSON stays valid.
fn blot_out(key: &[u8], text: &mut [u8]) {
    let mut from = 0;
    while let Some(rest) = text.get_mut(from..) {
        let Some(at) = rest.windows(key.len()).position(|part| part == key) else {
            return;
        };
        let until = at.saturating_add(key.len());
        if let Some(found) = rest.get_mut(at..until) {
            found.fill(b'*');
        }
        from = from.saturating_add(until);
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

    #[track_caller]
    fn check(request: http::request::Builder, keys: &[&str]) {
        let request = request.body(Vec::new()).unwrap();
        let found_bytes = keys_in(&request);
        let found: Vec<_> = found_bytes
            .iter()
            .map(|key| std::str::from_utf8(key).unwrap())
            .collect();
        assert_eq!(found, keys);
    }

    #[test]
    fn keys_are_known_wherever_they_are_sent() {
        let mut key = HeaderValue::from_static("key-of-the-header");
        key.set_sensitive(true);
        let request = http::Request::get("https://a.example/?q=long-enough&api_key=a%2Fb-and-more")
            .header("x-api-key", key)
            .header("accept", "application/json");
        check(
            request,
            &["key-of-the-header", "a%2Fb-and-more", "a/b-and-more"],
        );
        let request =
            http::Request::get("https://a.example/").header("authorization", "Bearer some-token");
        check(
            request.header("x-amz-security-token", "session-token"),
            &["some-token", "session-token"],
        );
        let request = http::Request::get("https://a.example/");
        check(request.header("authorization", "Bearer ollama"), &[]);
    }

    #[test]
    fn a_key_is_blotted_out_everywhere_in_an_answer() {
        let mut text = br#"{"code":"KEY-12345","message":"KEY-12345KEY-12345 KEY-1234"}"#.to_vec();
        blot_out(b"KEY-12345", &mut text);
        let stars = br#"{"code":"*********","message":"****************** KEY-1234"}"#;
        assert_eq!(text, stars);
    }
}
