//! What the two Wikimedia services, Commons and Wikidata, share: the API's address, the client's name, and errors.
//!
//! Sources: mediawiki.org `API:Action_API`, `API:Errors_and_warnings`,
//! `Wikimedia_APIs/Access_policy`, `Wikimedia_APIs/Rate_limits`.

use serde_json::Value;
use url::Url;

use domain::{Failure, FailureKind};
use platform::{WireRequest, WireResponse};

use crate::response::{
    detail, endpoint, error_body, get_json, kind_of_status, list_object, retry_after_ms, text_at,
    told_as_success, unbuildable,
};

/// The shortest pause after a throttled request, in milliseconds. A shorter one suggested by Wikimedia is lengthened.
const PAUSE_MS: u64 = 5_000;
/// The most bytes that are read of a refusal that is not JSON. The beginning of a refusal already states the reason.
const SENTENCE_BYTES_MAX: usize = 4_096;

/// Returns this client's user agent for Wikimedia: its name and version, and the operator's contact. Without the
/// contact, the API and the photos' host answer 403.
#[must_use]
pub fn agent(contact: &str) -> String {
    format!("VisualDegrees/{} ({contact})", env!("CARGO_PKG_VERSION"))
}

/// Returns the API's address below a base, with the parameters that every request has.
pub(crate) fn api(base: &str, setting: &str) -> Result<Url, Failure> {
    let mut url = endpoint(base, "/w/api.php", setting)?;
    url.query_pairs_mut()
        .append_pair("format", "json")
        .append_pair("formatversion", "2");
    Ok(url)
}

/// Makes a request with the operator's contact in its `User-Agent`.
pub(crate) fn get(url: &Url, contact: &str) -> Result<WireRequest, Failure> {
    if contact.trim().is_empty() {
        return Err(Failure::new(
            FailureKind::Misconfigured,
            "CONTACT is empty; Wikimedia wants to know how to reach the operator",
        ));
    }
    let agent = http::HeaderValue::try_from(agent(contact.trim()))
        .map_err(|error| unbuildable(error.into()))?;
    get_json(url, &[("user-agent", agent)])
}

/// Reads an answer as one JSON object. Fails for an error, which the API reports with a success status.
pub(crate) fn answer(response: &WireResponse) -> Result<Value, Failure> {
    if response.status() != 200 {
        return Err(failure_of(response, &error_body(response)));
    }
    let body = list_object(response)?;
    match body.get("error").or_else(|| body.pointer("/errors/0")) {
        None | Some(Value::Null) => Ok(body),
        Some(_) => Err(failure_of(response, &body)),
    }
}

fn failure_of(response: &WireResponse, body: &Value) -> Failure {
    let status = response.status().as_u16();
    let code = match text_at(body, "/error/code") {
        "" => text_at(body, "/errors/0/code"),
        code => code,
    };
    let kind = match code {
        "maxlag" | "ratelimited" | "cirrussearch-too-busy-error" => FailureKind::Throttled,
        "readonly" | "cirrussearch-backend-error" | "search-error" => FailureKind::Down,
        _ if code.starts_with("internal_api_error") => FailureKind::Down,
        "" if status == 200 => return told_as_success(),
        _ if status == 200 => FailureKind::Refused,
        _ if status == 403 && is_about_the_agent(response.body()) => FailureKind::Misconfigured,
        _ => kind_of_status(status),
    };
    let pause = (kind == FailureKind::Throttled).then_some(PAUSE_MS);
    Failure::new(kind, detail(status, code)).after(retry_after_ms(response).max(pause))
}

/// Returns whether a plain-text refusal objects to the user agent, like `Please set a user-agent and respect our robot
/// policy`.
fn is_about_the_agent(body: &[u8]) -> bool {
    let beginning = body.get(..SENTENCE_BYTES_MAX).unwrap_or(body);
    let text = String::from_utf8_lossy(beginning).to_ascii_lowercase();
    ["user-agent", "user agent", "robot policy"]
        .iter()
        .any(|words| text.contains(words))
}
