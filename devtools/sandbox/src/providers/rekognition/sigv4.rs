//! Verifies Signature Version 4 according to the specification. It shares no code with the client's signer. A mistake
//! in either of them is therefore noticed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hmac::{Hmac, KeyInit as _, Mac as _};
use http::HeaderMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};
use time::{Date, Month, OffsetDateTime};
use url::form_urlencoded;

/// The largest accepted difference between the time of a signature and the current time, in seconds.
pub const CLOCK_SKEW_MAX_S: i64 = 300;
const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// The characters that are percent-encoded: all except the unreserved ones.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The parts of a request that the signature covers.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    /// The method as sent.
    pub method: &'a str,
    /// The path as sent, percent-encoded.
    pub path: &'a str,
    /// The query as sent, or an empty text.
    pub query: &'a str,
    /// All headers, whether signed or not.
    pub headers: &'a HeaderMap,
    /// The host to use if no header states it.
    pub host: &'a str,
    /// The body, whose digest is signed.
    pub body: &'a [u8],
}

/// The only key that the verifier knows, and the scope in which it is valid.
#[derive(Clone, Copy, Debug)]
pub struct SigningKey<'a> {
    /// The public part of the key, which requests name.
    pub access_key_id: &'a str,
    /// The secret part of the key, which is never sent.
    pub secret_access_key: &'a str,
    /// The session token of a temporary key; `None` for a permanent key.
    pub session_token: Option<&'a str>,
    /// The region, for example `us-east-1`.
    pub region: &'a str,
    /// The service, for example `rekognition`.
    pub service: &'a str,
}

/// Why a signature is refused. The texts are AWS's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no `Authorization` header.
    Missing,
    /// The header is malformed, or a part that must be signed is not.
    Incomplete(String),
    /// The signature is for another region, service or day.
    Scope(String),
    /// The key id is unknown, or the token does not belong to it.
    UnknownKey,
    /// The request was signed too long ago, or in the future.
    Clock(String),
    /// Another secret was used, or the request was changed in transit.
    Mismatch,
}

struct Authorization {
    access_key_id: String,
    date: String,
    region: String,
    service: String,
    signed_headers: Vec<String>,
    signature: String,
}

/// Verifies that a request was signed with the key `signer`, at most [`CLOCK_SKEW_MAX_S`] before or after `now_ms`.
pub fn verify(
    request: SignedRequest<'_>,
    signer: SigningKey<'_>,
    now_ms: u64,
) -> Result<(), Refusal> {
    let header = text(request.headers, "authorization").ok_or(Refusal::Missing)?;
    let authorization = parse(header)?;
    let stamp = text(request.headers, "x-amz-date").ok_or_else(|| {
        incomplete(
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
        )
    })?;
    let signed_s = parse_stamp(stamp)
        .ok_or_else(|| incomplete("Date must be in ISO-8601 'basic format'. See ISO-8601."))?;
    check_coverage(request, &authorization)?;
    if authorization.access_key_id != signer.access_key_id
        || text(request.headers, "x-amz-security-token") != signer.session_token
    {
        return Err(Refusal::UnknownKey);
    }
    check_scope(&authorization, signer, stamp)?;
    check_clock(stamp, signed_s, now_ms)?;
    let canonical = canonical_request(request, &authorization.signed_headers);
    let expected = signature(signer, stamp, &authorization.date, &canonical);
    if same(&expected, &authorization.signature) {
        Ok(())
    } else {
        Err(Refusal::Mismatch)
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn incomplete(message: impl Into<String>) -> Refusal {
    Refusal::Incomplete(message.into())
}

fn parse(header: &str) -> Result<Authorization, Refusal> {
    let rest = header
        .strip_prefix(ALGORITHM)
        .ok_or_else(|| incomplete("Unsupported AWS 'algorithm': only AWS4-HMAC-SHA256."))?;
    let parts: BTreeMap<&str, &str> = rest
        .split(',')
        .filter_map(|part| part.trim().split_once('='))
        .collect();
    let part = |name: &str| {
        parts
            .get(name)
            .copied()
            .filter(|value| !value.is_empty())
            .ok_or_else(|| {
                incomplete(format!(
                    "Authorization header requires '{name}' parameter. Authorization={ALGORITHM}"
                ))
            })
    };
    let credential = part("Credential")?;
    let [access_key_id, date, region, service, "aws4_request"] =
        *credential.split('/').collect::<Vec<_>>()
    else {
        return Err(incomplete(format!(
            "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '{credential}'"
        )));
    };
    Ok(Authorization {
        access_key_id: access_key_id.to_owned(),
        date: date.to_owned(),
        region: region.to_owned(),
        service: service.to_owned(),
        signed_headers: part("SignedHeaders")?
            .split(';')
            .map(str::to_owned)
            .collect(),
        signature: part("Signature")?.to_owned(),
    })
}

/// Checks that the host and all `x-amz-` headers are signed, and that every signed header exists.
fn check_coverage(
    request: SignedRequest<'_>,
    authorization: &Authorization,
) -> Result<(), Refusal> {
    let signed = &authorization.signed_headers;
    let spoken = request.headers.keys().map(http::HeaderName::as_str);
    for name in std::iter::once("host").chain(spoken.filter(|name| name.starts_with("x-amz-"))) {
        if !signed.iter().any(|known| known == name) {
            return Err(Refusal::Incomplete(format!(
                "'{name}' must be a 'SignedHeader' in the AWS Authorization."
            )));
        }
    }
    let there = |name: &String| name == "host" || request.headers.contains_key(name.as_str());
    if !signed.is_sorted() || !signed.iter().all(there) {
        return Err(Refusal::Mismatch);
    }
    Ok(())
}

fn check_scope(
    authorization: &Authorization,
    signer: SigningKey<'_>,
    stamp: &str,
) -> Result<(), Refusal> {
    if authorization.region != signer.region {
        let region = &authorization.region;
        return Err(Refusal::Scope(format!(
            "Credential should be scoped to a valid region, not '{region}'. "
        )));
    }
    if authorization.service != signer.service {
        let service = signer.service;
        return Err(Refusal::Scope(format!(
            "Credential should be scoped to correct service: '{service}'. "
        )));
    }
    let day = stamp.get(..8).unwrap_or_default();
    if authorization.date != day {
        let date = &authorization.date;
        return Err(Refusal::Scope(format!(
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '{date}' != '{day}', from '{stamp}'."
        )));
    }
    Ok(())
}

fn check_clock(stamp: &str, signed_s: i64, now_ms: u64) -> Result<(), Refusal> {
    let clock_s = i64::try_from(now_ms / 1_000).unwrap_or(i64::MAX);
    let now = stamp_of(clock_s);
    if signed_s < clock_s - CLOCK_SKEW_MAX_S {
        let limit = stamp_of(clock_s - CLOCK_SKEW_MAX_S);
        return Err(Refusal::Clock(format!(
            "Signature expired: {stamp} is now earlier than {limit} ({now} - 5 min.)"
        )));
    }
    if signed_s > clock_s + CLOCK_SKEW_MAX_S {
        let limit = stamp_of(clock_s + CLOCK_SKEW_MAX_S);
        return Err(Refusal::Clock(format!(
            "Signature not yet current: {stamp} is still later than {limit} ({now} + 5 min.)"
        )));
    }
    Ok(())
}

/// Returns the canonical request, the text that is hashed for the signature.
#[must_use]
pub fn canonical_request(request: SignedRequest<'_>, signed_headers: &[String]) -> String {
    let path = utf8_percent_encode(request.path, ENCODED)
        .to_string()
        .replace("%2F", "/");
    let path = if path.is_empty() { "/" } else { path.as_str() };
    let mut query: Vec<(String, String)> = form_urlencoded::parse(request.query.as_bytes())
        .map(|(name, value)| (encoded(&name), encoded(&value)))
        .collect();
    query.sort();
    let query: Vec<String> = query
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut headers = String::new();
    for name in signed_headers {
        let _ = writeln!(headers, "{name}:{}", header_value(request, name));
    }
    let (query, names) = (query.join("&"), signed_headers.join(";"));
    let body = hex(&Sha256::digest(request.body));
    format!(
        "{}\n{path}\n{query}\n{headers}\n{names}\n{body}",
        request.method
    )
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Returns the values of a header, trimmed, with single spaces, and joined by commas.
fn header_value(request: SignedRequest<'_>, name: &str) -> String {
    let values: Vec<String> = request
        .headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .map(|value| value.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    if values.is_empty() && name == "host" {
        request.host.to_owned()
    } else {
        values.join(",")
    }
}

/// Returns the signature of a canonical request in hexadecimal.
#[must_use]
pub fn signature(signer: SigningKey<'_>, stamp: &str, date: &str, canonical: &str) -> String {
    let SigningKey {
        region, service, ..
    } = signer;
    let digest = hex(&Sha256::digest(canonical.as_bytes()));
    let to_sign = format!("{ALGORITHM}\n{stamp}\n{date}/{region}/{service}/aws4_request\n{digest}");
    let mut key = format!("AWS4{}", signer.secret_access_key).into_bytes();
    for step in [date, region, service, "aws4_request"] {
        key = keyed(&key, step.as_bytes());
    }
    hex(&keyed(&key, to_sign.as_bytes()))
}

fn keyed(key: &[u8], message: &[u8]) -> Vec<u8> {
    // HMAC accepts keys of any length, so this branch is never taken.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return Vec::new();
    };
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

/// Returns bytes as lowercase hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Returns the SHA-256 of bytes, as hexadecimal digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Compares two texts in constant time, so that the time does not reveal a part of the signature.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one
            .bytes()
            .zip(other.bytes())
            .fold(0, |sum, (left, right)| sum | (left ^ right))
            == 0
}

/// Parses a time such as `20150830T123600Z` to seconds since 1970. Returns `None` if it is malformed.
fn parse_stamp(stamp: &str) -> Option<i64> {
    let number = |from: usize, to: usize| -> Option<u16> {
        let digits = stamp.get(from..to)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse().ok())
            .flatten()
    };
    let small = |from: usize| number(from, from + 2).and_then(|value| u8::try_from(value).ok());
    if stamp.len() != 16 || stamp.get(8..9) != Some("T") || !stamp.ends_with('Z') {
        return None;
    }
    let month = Month::try_from(small(4)?).ok()?;
    let date = Date::from_calendar_date(number(0, 4)?.into(), month, small(6)?).ok()?;
    let moment = date.with_hms(small(9)?, small(11)?, small(13)?).ok()?;
    Some(moment.assume_utc().unix_timestamp())
}

/// Formats seconds since 1970 as a time such as `20150830T123600Z`.
#[must_use]
pub fn stamp_of(seconds: i64) -> String {
    let moment = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = (moment.year(), u8::from(moment.month()), moment.day());
    let (hour, minute, second) = moment.to_hms();
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

#[cfg(test)]
mod tests;
