//! Google Custom Search JSON API, image search.
//! Source: the API's discovery document `customsearch.v1`.

use serde::Deserialize;
use url::Url;

use crate::domain::{Failure, FailureKind, Hit, Secret};

use super::reading::{
    Object, address, detail, error_body, json, kind_of_status, list_at, page_address,
    retry_after_ms, secret_header, text_at, unbuildable,
};
use super::wire::{WireRequest, WireResponse};

/// Where Google serves the API.
pub const BASE_DEFAULT: &str = "https://customsearch.googleapis.com";
/// The longest title that is kept, in characters.
const TITLE_CHARS_MAX: usize = 200;
/// Results of one page; the API gives no more.
const HITS_MAX: usize = 10;
/// Only what is read is asked for.
const FIELDS: &str =
    "items(link,mime,fileFormat,title,displayLink,image),searchInformation/totalResults";

/// How to reach the operator's search engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleSettings {
    /// Scheme, host and port.
    pub base: String,
    /// The API key; travels in a header, so that no log of addresses holds it.
    pub key: Secret,
    /// The search engine's id, `cx` in the API.
    pub engine: String,
}

/// Searches for `count` (1 to 10) photos.
pub fn request(settings: &GoogleSettings, query: &str, count: u32) -> Result<WireRequest, Failure> {
    let misconfigured = |_| {
        Failure::new(
            FailureKind::Misconfigured,
            "GOOGLE_BASE is not a web address",
        )
    };
    let mut url = Url::parse(&settings.base).map_err(misconfigured)?;
    url.set_path("/customsearch/v1");
    url.query_pairs_mut()
        .append_pair("cx", &settings.engine)
        .append_pair("q", query)
        .append_pair("searchType", "image")
        .append_pair("num", &count.clamp(1, 10).to_string())
        .append_pair("imgType", "photo")
        .append_pair("safe", "active")
        .append_pair("fields", FIELDS);
    http::Request::get(url.as_str())
        .header("x-goog-api-key", secret_header(&settings.key)?)
        .header("accept", "application/json")
        .body(Vec::new())
        .map_err(unbuildable)
}

#[derive(Deserialize)]
struct Results {
    // No hits: the member is absent.
    #[serde(default)]
    items: Vec<Object<Item>>,
    // Beside a status of success: no answer at all.
    error: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Item {
    link: Option<String>,
    title: Option<String>,
    image: Option<Object<ItemImage>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ItemImage {
    context_link: Option<String>,
    thumbnail_link: Option<String>,
}

/// Reads the hits in rank order, none for no results.
pub fn read(response: &WireResponse) -> Result<Vec<Hit>, Failure> {
    if response.status() != 200 {
        return Err(failure(response));
    }
    let results: Results = json(response.body())?;
    if results.error.is_some() {
        return Err(Failure::new(
            FailureKind::Malformed,
            "an error told as success",
        ));
    }
    Ok(results
        .items
        .into_iter()
        .filter_map(|item| hit(item.0))
        // A page of results holds no more, whatever the answer claims.
        .take(HITS_MAX)
        .collect())
}

fn hit(item: Item) -> Option<Hit> {
    let (context_url, thumbnail_url) = item.image.map_or((None, None), |Object(image)| {
        (image.context_link, image.thumbnail_link)
    });
    Some(Hit {
        image_url: address(item.link)?,
        thumbnail_url: page_address(thumbnail_url),
        context_url: page_address(context_url),
        title: item
            .title
            .unwrap_or_default()
            .chars()
            .take(TITLE_CHARS_MAX)
            .collect(),
        ..Hit::default()
    })
}

fn failure(response: &WireResponse) -> Failure {
    let status = response.status().as_u16();
    let body = error_body(response);
    let message = text_at(&body, "/error/message");
    let mut details = list_at(&body, "/error/details").iter();
    let info = details.find(|detail| !text_at(detail, "/reason").is_empty());
    let reason = match info {
        Some(info) => text_at(info, "/reason"),
        None => text_at(&body, "/error/errors/0/reason"),
    };
    let limit = info.map_or("", |info| text_at(info, "/metadata/quota_limit"));
    // A daily quota is never retried; one of a minute may be.
    let is_daily = limit.contains("PerDay") || message.contains("per day");
    let kind = match (status, reason) {
        (400, "API_KEY_INVALID") | (403, "SERVICE_DISABLED" | "accessNotConfigured") => {
            FailureKind::Misconfigured
        }
        (400, _) if message.starts_with("API key not valid") => FailureKind::Misconfigured,
        (403, "dailyLimitExceeded" | "quotaExceeded") => FailureKind::Quota,
        (403, "rateLimitExceeded" | "userRateLimitExceeded") => FailureKind::Throttled,
        (403, _) if message.contains("it is disabled") => FailureKind::Misconfigured,
        (429, _) if is_daily => FailureKind::Quota,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, reason)).after(retry_after_ms(response))
}
