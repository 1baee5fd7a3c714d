//! Google Custom Search JSON API, image search.
//! Source: the API's discovery document `customsearch.v1`.

use domain::{Failure, FailureKind, SearchQuestion, Secret};
use platform::{WireRequest, WireResponse};

use crate::image_search::{ImageSearch, ListExtent, english};
use crate::response::{
    HitPointers, ReadList, detail, endpoint, error_body, get_json, kind_of_status, list_at,
    read_hits, retry_after_ms, secret_header, text_at,
};

/// The address at which Google serves the API.
pub const BASE_DEFAULT: &str = "https://customsearch.googleapis.com";
/// The most results of one request (`num`: "Valid values are integers between 1 and 10, inclusive").
const COUNT_MAX: u32 = 10;
/// The number of hits and pages that one list can have. A request costs the same with one result as with ten, and
/// "setting the sum of start + num to a number greater than 100 will produce an error", so the last page is the ninth:
/// a tenth would begin at 91.
pub(crate) const EXTENT: ListExtent = ListExtent {
    hits_max: COUNT_MAX,
    pages_max: 9,
};
/// The fields to request, so that the answer omits all others.
const FIELDS: &str =
    "items(link,mime,fileFormat,title,snippet,displayLink,image),searchInformation/totalResults";
const HIT: HitPointers = HitPointers {
    results: "/items",
    // This address may be `x-raw-image:///`, an image inside a document, which cannot be fetched. The thumbnail is then
    // used.
    image: "/link",
    thumbnail: "/image/thumbnailLink",
    context: "/image/contextLink",
    title: "/title",
    description: "/snippet",
    sides: ["/image/width", "/image/height"],
    format: "/mime",
    bytes: "/image/byteSize",
    thumbnail_sides: ["/image/thumbnailWidth", "/image/thumbnailHeight"],
};

/// The settings of the operator's search engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
    /// The API key, which is sent in a header so that no log of addresses contains it.
    pub key: Secret,
    /// The search engine's id, `cx` in the API.
    pub engine: String,
}

impl ImageSearch for GoogleSettings {
    fn id(&self) -> &'static str {
        "google"
    }

    fn name(&self) -> &'static str {
        "Google Custom Search"
    }

    fn extent(&self) -> ListExtent {
        EXTENT
    }

    /// Builds a search for `count` (1 to 10) photos on a page, numbered from 0. The question is put in English words.
    fn request(
        &self,
        search: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        let count = count.clamp(1, COUNT_MAX);
        let mut url = endpoint(&self.base, "/customsearch/v1", "GOOGLE_BASE")?;
        url.query_pairs_mut()
            .append_pair("cx", &self.engine)
            .append_pair("q", &english(search)?)
            .append_pair("searchType", "image")
            .append_pair("num", &count.to_string())
            .append_pair("imgType", "photo")
            .append_pair("safe", "active")
            .append_pair("fields", FIELDS);
        if page > 0 {
            let start = page.saturating_mul(count).saturating_add(1);
            url.query_pairs_mut()
                .append_pair("start", &start.to_string());
        }
        get_json(&url, &[("x-goog-api-key", secret_header(&self.key)?)])
    }

    /// Reads the hits in rank order. The list is empty if the API omits it, as it does if nothing was found.
    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
        read_hits(response, &HIT, failure)
    }
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
    // A call that exceeds a daily quota is never retried, since the quota stays used up for the run. A call that
    // exceeds a quota per minute may be retried.
    let is_daily = limit.contains("PerDay") || message.contains("per day");
    let kind = match (status, reason) {
        (403, "SERVICE_DISABLED" | "accessNotConfigured") => FailureKind::Misconfigured,
        // The key is invalid, or restricted to other addresses or services.
        (400 | 403, _) if reason.starts_with("API_KEY_") => FailureKind::Misconfigured,
        (400, _) if message.starts_with("API key not valid") => FailureKind::Misconfigured,
        (400 | 403, _) if message.contains("is not enabled") => FailureKind::Misconfigured,
        (403, "dailyLimitExceeded" | "quotaExceeded") => FailureKind::Quota,
        (403, "rateLimitExceeded" | "userRateLimitExceeded") => FailureKind::Throttled,
        (403, _) if message.contains("it is disabled") => FailureKind::Misconfigured,
        // The API says this to everybody who signed up after it was closed to new customers.
        (403, _) if message.contains("does not have the access to Custom Search") => {
            FailureKind::Closed
        }
        (429, _) if is_daily => FailureKind::Quota,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, reason)).after(retry_after_ms(response))
}
