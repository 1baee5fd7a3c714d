//! What the readers of all answers share: limits, JSON objects, and retry hints.
//!
//! A failure's detail consists of this program's words, the status and the provider's reason code. The provider's free
//! text is never passed on, since it may name projects, accounts or keys.

use serde_json::{Map, Value};
use url::Url;

use domain::{Failure, FailureKind, Hints, Hit, Secret};
use json::{begins_object, weight};
use platform::{WireRequest, WireResponse};

use crate::plain_text::one_line;

/// The longest JSON answer of a search or planner, in bytes. Ten image results have about 30 kB, a plan 2 kB.
pub const JSON_BYTES_MAX: usize = 1_048_576;
/// The most memory of a parsed list of results, in bytes. Brave's lists have two hundred results of four objects each.
const LIST_WEIGHT_MAX: usize = 2 * JSON_BYTES_MAX;
/// The longest answer of the recogniser, in bytes. 64 celebrities with landmarks have about 130 kB.
pub const RECOGNITION_BYTES_MAX: usize = 2_097_152;
/// The longest pause that a retry hint may request, in milliseconds. A longer one means that a quota is used up.
const RETRY_AFTER_MS_MAX: u64 = 3_600_000;
/// The most hits read from an answer.
const HITS_MAX: usize = 200;
/// The longest stored title, in characters.
pub(crate) const TITLE_CHARS_MAX: usize = 200;
/// The smallest width or height that the recogniser accepts, in pixels.
const SIDE_PIXELS_MIN: u64 = 80;
/// The largest photo that the recogniser accepts, in bytes.
pub(crate) const PHOTO_BYTES_MAX: u64 = 5_242_880;
/// The least length of a thumbnail's longer side, in pixels. In smaller ones faces are hard to recognise.
const THUMBNAIL_SIDE_PIXELS_MIN: u64 = 300;
/// The formats that the recogniser rejects and that are not converted to JPEG.
const UNREAD_FORMATS: [&str; 8] = [
    "avif", "bmp", "gif", "heic", "jxl", "svg", "svg+xml", "tiff",
];
/// The longest reason code in a detail, in characters.
const REASON_CHARS_MAX: usize = 64;

/// Parses an answer's body as one JSON object. Fails if the body would take much more memory than a normal answer.
pub(crate) fn json_object(response: &WireResponse) -> Result<Value, Failure> {
    object_within(response, JSON_BYTES_MAX)
}

/// Parses an answer's body like [`json_object`], but with `weight_max` as the limit of memory, in bytes.
pub(crate) fn object_within(response: &WireResponse, weight_max: usize) -> Result<Value, Failure> {
    let body = response.body();
    if !begins_object(body) || weight(body) > weight_max {
        return Err(unexpected());
    }
    let read: Option<Map<String, Value>> = serde_json::from_slice(body).ok();
    read.map(Value::Object).ok_or_else(unexpected)
}

/// Makes the failure of an answer whose form is not the documented one.
pub(crate) fn unexpected() -> Failure {
    Failure::new(
        FailureKind::Malformed,
        "an answer that is not the JSON expected",
    )
}

/// Parses an answer's body like [`json_object`], but with the limit of memory for lists of results.
pub(crate) fn list_object(response: &WireResponse) -> Result<Value, Failure> {
    object_within(response, LIST_WEIGHT_MAX)
}

/// Parses a list of results. Fails for an error that is reported with a success status.
pub(crate) fn object(response: &WireResponse) -> Result<Value, Failure> {
    without_error(list_object(response)?)
}

/// Returns the body, unless it reports an error.
pub(crate) fn without_error(body: Value) -> Result<Value, Failure> {
    match body.get("error") {
        None | Some(Value::Null) => Ok(body),
        Some(_) => Err(told_as_success()),
    }
}

/// Makes the failure for an error that has a success status and no known reason.
pub(crate) fn told_as_success() -> Failure {
    Failure::new(FailureKind::Malformed, "an error told as success")
}

/// Returns the text at a JSON pointer, or an empty text if it is absent or of another type.
pub(crate) fn text_at<'body>(body: &'body Value, pointer: &str) -> &'body str {
    body.pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns the array at a JSON pointer, or an empty one.
pub(crate) fn list_at<'body>(body: &'body Value, pointer: &str) -> &'body [Value] {
    body.pointer(pointer)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

/// Returns the non-negative integer at a JSON pointer.
pub(crate) fn number_at(body: &Value, pointer: &str) -> Option<u64> {
    body.pointer(pointer).and_then(Value::as_u64)
}

/// Returns the text at a JSON pointer as one line of at most `chars_max` characters; `None` if it is empty.
pub(crate) fn line_at(body: &Value, pointer: &str, chars_max: usize) -> Option<String> {
    Some(one_line(text_at(body, pointer), chars_max)).filter(|line| !line.is_empty())
}

/// Returns the address at a JSON pointer if it is http or https.
pub(crate) fn page_address_at(body: &Value, pointer: &str) -> Option<String> {
    page_address(Some(text_at(body, pointer).to_owned()))
}

/// Where a provider's answer has the members of a hit. All except `results` are JSON pointers into one result.
pub(crate) struct HitPointers {
    /// The JSON pointer to the list of results in the answer.
    pub(crate) results: &'static str,
    pub(crate) image: &'static str,
    pub(crate) thumbnail: &'static str,
    pub(crate) context: &'static str,
    pub(crate) title: &'static str,
    /// The description of the photo; an empty pointer if the provider sends none.
    pub(crate) description: &'static str,
    /// The width and height of the photo, in pixels.
    pub(crate) sides: [&'static str; 2],
    /// The photo's media type or format; an empty pointer if the provider sends none.
    pub(crate) format: &'static str,
    /// The file's length in bytes.
    pub(crate) bytes: &'static str,
    /// The thumbnail's width and height, in pixels.
    pub(crate) thumbnail_sides: [&'static str; 2],
}

/// Returns the hits in rank order, each with the result it was read from. Hits without an address, or known to be
/// useless, are omitted. A thumbnail replaces a photo that has no address or that the recogniser is known to reject,
/// which saves a fetch.
pub(crate) fn hits_at<'body>(
    body: &'body Value,
    at: &HitPointers,
) -> impl Iterator<Item = (&'body Value, Hit)> {
    let hit = |result: &'body Value| {
        if is_too_small(result, at.sides) {
            return None;
        }
        let image_url = address(Some(text_at(result, at.image).to_owned()))
            .filter(|_| may_be_taken(result, at));
        let thumbnail_url =
            page_address_at(result, at.thumbnail).filter(|_| !is_small(result, at.thumbnail_sides));
        let hit = Hit {
            image_url: image_url.or_else(|| thumbnail_url.clone())?,
            thumbnail_url,
            context_url: page_address_at(result, at.context),
            title: line_at(result, at.title, TITLE_CHARS_MAX).unwrap_or_default(),
            hints: Hints {
                description: line_at(result, at.description, TITLE_CHARS_MAX),
                ..Hints::default()
            },
            ..Hit::default()
        };
        Some((result, hit))
    };
    list_at(body, at.results)
        .iter()
        .filter_map(hit)
        .take(HITS_MAX)
}

/// Reads the hits of an answer in rank order; the list is empty if nothing was found.
pub(crate) fn read_hits(
    response: &WireResponse,
    at: &HitPointers,
    failure: fn(&WireResponse) -> Failure,
) -> Result<ReadList, Failure> {
    if response.status() != 200 {
        return Err(failure(response));
    }
    let body = object(response)?;
    Ok(ReadList {
        hits: hits_at(&body, at).map(|(_, hit)| hit).collect(),
        results: list_at(&body, at.results).len(),
        goes_on: None,
    })
}

/// One page of a list of hits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadList {
    /// The hits in rank order.
    pub hits: Vec<Hit>,
    /// The number of results on the page, including those that are not usable as hits.
    pub results: usize,
    /// Whether the list has a further page; `None` if the answer does not say.
    pub goes_on: Option<bool>,
}

impl ReadList {
    /// Returns whether to request a further page. If the answer does not say whether there is one, a page with at least
    /// as many results as requested counts as not the last.
    #[must_use]
    pub fn has_more(&self, wanted: u32) -> bool {
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        self.goes_on.unwrap_or(self.results >= wanted)
    }
}

/// Returns whether the recogniser may accept a photo, as far as the result's members show.
fn may_be_taken(result: &Value, at: &HitPointers) -> bool {
    let media_type = text_at(result, at.format).to_ascii_lowercase();
    let format = media_type.strip_prefix("image/").unwrap_or(&media_type);
    let is_long = number_at(result, at.bytes).is_some_and(|bytes| bytes > PHOTO_BYTES_MAX);
    !is_long && !UNREAD_FORMATS.contains(&format)
}

/// Returns whether a thumbnail's sides are known and too small to recognise faces.
fn is_small(result: &Value, sides: [&str; 2]) -> bool {
    let [width, height] = sides.map(|side| number_at(result, side));
    let longer_side = width.max(height);
    longer_side.is_some_and(|pixels| pixels < THUMBNAIL_SIDE_PIXELS_MIN)
}

/// Returns whether a photo's sides are known and smaller than the recogniser accepts.
pub(crate) fn is_too_small(result: &Value, sides: [&str; 2]) -> bool {
    let is_small = |side: &str| number_at(result, side).is_some_and(|side| side < SIDE_PIXELS_MIN);
    sides.into_iter().any(is_small)
}

/// Returns the body of an error as JSON, or null.
pub(crate) fn error_body(response: &WireResponse) -> Value {
    let body = Some(response.body()).filter(|body| weight(body) <= JSON_BYTES_MAX);
    body.and_then(|body| serde_json::from_slice(body).ok())
        .unwrap_or_default()
}

/// Returns a failure's detail like `HTTP 429, rateLimitExceeded`: the status, and the reason if it is a plain code.
pub(crate) fn detail(status: u16, reason: &str) -> String {
    // Keys contain digits and the providers' codes do not, so a reason with digits is never shown.
    let is_code = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    if reason.is_empty() || reason.len() > REASON_CHARS_MAX || !reason.chars().all(is_code) {
        format!("HTTP {status}")
    } else {
        format!("HTTP {status}, {reason}")
    }
}

/// Returns the wait in the `Retry-After` header, in milliseconds. Only the header's form in seconds is supported.
#[must_use]
pub fn retry_after_ms<Body>(response: &http::Response<Body>) -> Option<u64> {
    let seconds: u64 = response
        .headers()
        .get("retry-after")?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(seconds.saturating_mul(1_000).min(RETRY_AFTER_MS_MAX))
}

/// Returns the kind of failure for a status whose reason is unknown.
pub(crate) fn kind_of_status(status: u16) -> FailureKind {
    match status {
        401 => FailureKind::Misconfigured,
        402 => FailureKind::Quota,
        403 | 410 => FailureKind::Closed,
        413 => FailureKind::TooLarge,
        429 => FailureKind::Throttled,
        408 | 500..=599 => FailureKind::Down,
        400..=499 => FailureKind::Refused,
        // A redirect or an informational status, which no provider documents, is treated like an outage.
        _ => FailureKind::Down,
    }
}

/// Returns the address of a provider's endpoint, by appending `path` to the path of the base.
pub(crate) fn endpoint(base: &str, path: &str, setting: &str) -> Result<Url, Failure> {
    let mut url = Url::parse(base)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or_else(|| {
            let detail = format!("{setting} is not a web address");
            Failure::new(FailureKind::Misconfigured, detail)
        })?;
    let path = format!("{}{path}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

/// Makes a request that has no body and accepts JSON.
pub(crate) fn get_json(
    url: &Url,
    headers: &[(&str, http::HeaderValue)],
) -> Result<WireRequest, Failure> {
    let mut request = http::Request::get(url.as_str()).header("accept", "application/json");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    request.body(Vec::new()).map_err(unbuildable)
}

/// Makes the failure of a request that cannot be built because a key or address in the settings is invalid in HTTP.
pub(crate) fn unbuildable(_: http::Error) -> Failure {
    Failure::new(
        FailureKind::Misconfigured,
        "a key or address in the settings is not valid",
    )
}

/// Returns a key as a header's value that `Debug` hides.
pub(crate) fn secret_header(key: &Secret) -> Result<http::HeaderValue, Failure> {
    let mut value =
        http::HeaderValue::from_str(key.reveal()).map_err(|error| unbuildable(error.into()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Returns a received address if it is http or https. Other addresses must not become links that people follow.
pub(crate) fn page_address(text: Option<String>) -> Option<String> {
    address(text).filter(|address| {
        let scheme = address
            .split("://")
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        matches!(scheme.as_str(), "http" | "https") && address.contains("://")
    })
}

/// Returns a received address if its length is acceptable. Whether it may be fetched is checked later.
pub(crate) fn address(text: Option<String>) -> Option<String> {
    const ADDRESS_CHARS_MAX: usize = 2_048;
    text.filter(|address| !address.is_empty() && address.len() <= ADDRESS_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_pass_codes_on_and_never_sentences() {
        assert_eq!(
            detail(429, "rateLimitExceeded"),
            "HTTP 429, rateLimitExceeded"
        );
        assert_eq!(detail(400, "API key AIza123 not valid"), "HTTP 400");
        assert_eq!(detail(400, ""), "HTTP 400");
    }

    #[test]
    fn a_path_comes_after_that_of_the_base() {
        let at = |base| endpoint(base, "/w/api.php", "X_BASE").map(|url| url.to_string());
        for (base, expected) in [
            ("https://a.example", "https://a.example/w/api.php"),
            ("https://a.example/", "https://a.example/w/api.php"),
            (
                "http://a.example:8788/b%20c//",
                "http://a.example:8788/b%20c/w/api.php",
            ),
            ("https://a.example/b?c=d#e", "https://a.example/b/w/api.php"),
        ] {
            assert_eq!(at(base), Ok(expected.to_owned()), "{base}");
        }
        for base in ["", "https://", "/b", "mailto:b", "ftp://a.example"] {
            assert_eq!(
                at(base).unwrap_err().detail(),
                "X_BASE is not a web address"
            );
        }
    }

    #[test]
    fn hints_are_read_and_bounded() {
        let hinted = |value: &str| {
            let response = http::Response::builder().header("retry-after", value);
            retry_after_ms(&response.body(()).unwrap())
        };
        assert_eq!(hinted("7"), Some(7_000));
        assert_eq!(hinted("99999999"), Some(RETRY_AFTER_MS_MAX));
        assert_eq!(hinted("Wed, 21 Oct 2026 07:28:00 GMT"), None);
        assert_eq!(hinted("-1"), None);
    }
}
