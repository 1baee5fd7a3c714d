//! Cloudflare's Turnstile: issues tokens like its widget, and accepts each of them once.
//!
//! Sources: developers.cloudflare.com/turnstile/get-started/server-side-validation and
//! .../troubleshooting/testing.

use std::collections::BTreeMap;

use http::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use url::form_urlencoded;

use super::reply::Reply;
use super::request::{ParsedRequest, TURNSTILE_TOKEN};

/// The secret key that verifies the tokens issued here.
const SECRET: &str = "sandbox-turnstile-secret";
const PASSES: &str = "1x0000000000000000000000000000000AA";
const FAILS: &str = "2x0000000000000000000000000000000AA";
const SPENT: &str = "3x0000000000000000000000000000000AA";
const TOKEN_CHARS_MAX: usize = 2_048;
const TOKEN_MS_MAX: u64 = 300_000;
/// The most issued tokens that are remembered; beyond that the oldest is dropped.
const TOKENS_MAX: usize = 1_000;

/// Issues tokens, and verifies them on request.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnstileDesk {
    given: u64,
    tokens: BTreeMap<u64, GivenToken>,
}

#[derive(Clone, Debug)]
struct GivenToken {
    text: String,
    hostname: String,
    action: String,
    given_ms: u64,
    /// The idempotency key of the token's first verification: `None` before it, and empty if it had no key.
    used_by: Option<String>,
}

impl TurnstileDesk {
    /// Responds at [`TURNSTILE_SITEVERIFY`](super::request::TURNSTILE_SITEVERIFY) and [`TURNSTILE_TOKEN`].
    pub(crate) fn answer(&mut self, request: &ParsedRequest, now_ms: u64) -> Reply {
        if request.path == TURNSTILE_TOKEN {
            return self.give(request, now_ms);
        }
        let Some(form) = form(request) else {
            return Reply::json(400, &failure("bad-request"));
        };
        let verdict = self.judge(&form, now_ms);
        Reply::json(200, &verdict.unwrap_or_else(failure))
    }

    fn give(&mut self, request: &ParsedRequest, now_ms: u64) -> Reply {
        self.given += 1;
        let text = format!("0.sandbox-{}-{now_ms}", self.given);
        let parameter = |name| request.parameter(name).unwrap_or_default().to_owned();
        let token = GivenToken {
            text: text.clone(),
            hostname: parameter("hostname"),
            action: parameter("action"),
            given_ms: now_ms,
            used_by: None,
        };
        self.tokens.insert(self.given, token);
        if self.tokens.len() > TOKENS_MAX {
            self.tokens.pop_first();
        }
        Reply::json(200, &json!({"token": text}))
    }

    fn judge(&mut self, form: &Map<String, Value>, now_ms: u64) -> Result<Value, &'static str> {
        let text = |name: &str| form.get(name).and_then(Value::as_str).unwrap_or_default();
        let key = text("idempotency_key");
        if !key.is_empty() && !is_uuid(key) {
            return Err("bad-request");
        }
        let (secret, response) = (text("secret"), text("response"));
        match (secret, response) {
            ("", _) => return Err("missing-input-secret"),
            (SECRET | PASSES | FAILS | SPENT, "") => return Err("missing-input-response"),
            (FAILS, _) => return Err("invalid-input-response"),
            (SPENT, _) => return Err("timeout-or-duplicate"),
            (PASSES, _) => {
                let mut verdict = success("example.com", "", now_ms);
                if let Some(members) = verdict.as_object_mut() {
                    let metadata = json!({"result_with_testing_key": true});
                    members.insert("metadata".into(), metadata);
                }
                return Ok(verdict);
            }
            (SECRET, _) => {}
            _ => return Err("invalid-input-secret"),
        }
        let known = self
            .tokens
            .values_mut()
            .find(|token| token.text == response);
        let Some(token) = known.filter(|_| response.chars().count() <= TOKEN_CHARS_MAX) else {
            return Err("invalid-input-response");
        };
        if now_ms.saturating_sub(token.given_ms) > TOKEN_MS_MAX {
            return Err("timeout-or-duplicate");
        }
        match &token.used_by {
            Some(used_by) if key.is_empty() || used_by != key => Err("timeout-or-duplicate"),
            _ => {
                token.used_by = Some(key.to_owned());
                Ok(success(&token.hostname, &token.action, token.given_ms))
            }
        }
    }
}

/// Parses the parameters of a verification, which are JSON or a form.
fn form(request: &ParsedRequest) -> Option<Map<String, Value>> {
    let content_type = request.header(CONTENT_TYPE.as_str()).unwrap_or_default();
    if content_type.starts_with("application/json") {
        return serde_json::from_slice(&request.body).ok();
    }
    let is_form = content_type.starts_with("application/x-www-form-urlencoded");
    let pairs = form_urlencoded::parse(&request.body).into_owned();
    is_form.then(|| pairs.map(|(key, value)| (key, value.into())).collect())
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12])
        && text
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn success(hostname: &str, action: &str, given_ms: u64) -> Value {
    let seconds = i64::try_from(given_ms / 1_000).unwrap_or_default();
    let given = OffsetDateTime::from_unix_timestamp(seconds).ok();
    let given = given.and_then(|time| time.format(&Rfc3339).ok());
    json!({
        "success": true, "challenge_ts": given, "hostname": hostname, "error-codes": [],
        "action": action, "cdata": "",
    })
}

fn failure(code: &str) -> Value {
    json!({"success": false, "error-codes": [code], "messages": []})
}
