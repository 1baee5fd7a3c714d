//! Checks that a visitor who starts a run passed Cloudflare's Turnstile, if the operator has set it up.
//!
//! Source: developers.cloudflare.com/turnstile/get-started/server-side-validation.

use domain::{Failure, FailureKind, Sha256Digest};
use engine::Problem;
use http::header::CONTENT_TYPE;
use platform::{Network, WireRequest, WireResponse};
use providers::calls::ask_once;
use serde::Deserialize;
use serde_json::json;
use settings::TurnstileSettings;

/// The longest token, in characters.
const TOKEN_CHARS_MAX: usize = 2_048;
/// The timeout of the whole check, including a second attempt, in milliseconds.
const CHECK_MS_MAX: u64 = 5_000;
/// The action that the page's widget sets. A token for a different action is refused.
const ACTION: &str = "start-run";
/// The test secrets that Cloudflare documents. For these, Siteverify's answers do not name the real host and action, so
/// neither is compared.
const TEST_SECRETS: [&str; 3] = [
    "1x0000000000000000000000000000000AA",
    "2x0000000000000000000000000000000AA",
    "3x0000000000000000000000000000000AA",
];
/// The `Retry-After` for a visitor if Siteverify does not answer, in seconds.
const UNANSWERED_S: u64 = 5;

/// A visitor who wants to start a run.
#[derive(Debug, Clone, Copy)]
pub struct Visitor<'request> {
    /// The token that the widget on the page produced, if sent.
    pub token: Option<&'request str>,
    /// The visitor's IP address, if known.
    pub address: Option<&'request str>,
    /// The host of this server at which the visitor starts the run.
    pub host: &'request str,
    /// A text that identifies the request. It is the same when the request is repeated, and different for any other
    /// request.
    pub attempt: &'request str,
}

/// The answer of Siteverify, Cloudflare's service for checking tokens.
#[derive(Deserialize)]
struct Verdict {
    success: bool,
    #[serde(default)]
    hostname: String,
    #[serde(default)]
    action: String,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

/// Admits a visitor who has passed the check. Each token admits only once.
pub async fn check_visitor<N: Network>(
    network: &N,
    settings: &TurnstileSettings,
    visitor: &Visitor<'_>,
) -> Result<(), Problem> {
    let token = match visitor.token.map(str::trim) {
        None | Some("") => {
            return Err(Problem::new(
                403,
                "Starting a run here needs the check that you are human: open this server's page \
                 and start the run there.",
            ));
        }
        Some(token) if token.chars().count() > TOKEN_CHARS_MAX => return Err(not_human()),
        Some(token) => token,
    };
    let answer = ask_twice(network, settings, visitor, token).await;
    match answer.ok().and_then(|answer| read(&answer)) {
        None => Err(unanswered()),
        Some(verdict) => judge(settings, visitor, &verdict),
    }
}

/// Calls Siteverify. Calls it once more if the connection broke before an answer arrived.
async fn ask_twice<N: Network>(
    network: &N,
    settings: &TurnstileSettings,
    visitor: &Visitor<'_>,
    token: &str,
) -> Result<WireResponse, Failure> {
    let begun_ms = network.now_ms();
    let request = || request(settings, visitor, token);
    let first = ask_once(network, CHECK_MS_MAX, request()).await;
    let left_ms = CHECK_MS_MAX.saturating_sub(network.now_ms().saturating_sub(begun_ms));
    match first {
        Err(failure) if failure.kind == FailureKind::Down && left_ms > 0 => {
            ask_once(network, left_ms, request()).await
        }
        first => first,
    }
}

fn request(
    settings: &TurnstileSettings,
    visitor: &Visitor<'_>,
    token: &str,
) -> Result<WireRequest, Failure> {
    let mut body = json!({
        "secret": settings.secret_key.reveal(),
        "response": token,
        "idempotency_key": uuid(visitor.attempt, token),
    });
    if let (Some(address), Some(members)) = (visitor.address, body.as_object_mut()) {
        members.insert("remoteip".into(), address.into());
    }
    http::Request::post(format!("{}/turnstile/v0/siteverify", settings.base))
        .header(CONTENT_TYPE, "application/json")
        .body(body.to_string().into_bytes())
        .map_err(|_| Failure::new(FailureKind::Refused, "TURNSTILE_BASE is no address"))
}

/// Returns a UUID that is the same when a request is repeated. With it, Siteverify does not count the repetition as a
/// second use of the token.
fn uuid(attempt: &str, token: &str) -> String {
    let digest = Sha256Digest::of(format!("{attempt} {token}").as_bytes());
    let hex: String = digest.as_str().chars().take(32).collect();
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-4{}-8{}-{}",
        part(0, 8),
        part(8, 12),
        part(13, 16),
        part(17, 20),
        part(20, 32)
    )
}

/// Parses Siteverify's answer. Returns `None` if it is not a verdict, or if it reports a fault in the check itself
/// rather than in the visitor's token.
fn read(answer: &WireResponse) -> Option<Verdict> {
    let verdict: Verdict = serde_json::from_slice(answer.body()).ok()?;
    let is_fault = verdict
        .error_codes
        .iter()
        .any(|code| code == "internal-error");
    (!is_fault).then_some(verdict)
}

fn judge(
    settings: &TurnstileSettings,
    visitor: &Visitor<'_>,
    verdict: &Verdict,
) -> Result<(), Problem> {
    let has = |code: &str| verdict.error_codes.iter().any(|one| one == code);
    if has("invalid-input-secret") || has("missing-input-secret") {
        let detail = "This server's check for humans is not set up right: its operator has to \
                      mend TURNSTILE_SECRET_KEY.";
        return Err(Problem::new(503, detail));
    }
    if !verdict.success && has("timeout-or-duplicate") {
        let detail = "The check that you are human has expired or was used before; do it again.";
        return Err(Problem::new(403, detail));
    }
    let is_test = TEST_SECRETS.contains(&settings.secret_key.reveal());
    let is_of_here =
        verdict.hostname.eq_ignore_ascii_case(visitor.host) && verdict.action == ACTION;
    if verdict.success && (is_of_here || is_test) {
        Ok(())
    } else {
        Err(not_human())
    }
}

fn not_human() -> Problem {
    Problem::new(
        403,
        "The check that you are human was not passed; do it again on this server's page.",
    )
}

fn unanswered() -> Problem {
    let detail = "The check that you are human can't be made at the moment; try again.";
    Problem::new(503, detail).after(UNANSWERED_S)
}
