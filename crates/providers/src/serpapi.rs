//! `SerpApi`: Google's image results for those who have no access to Google's own API.
//! Source: serpapi.com `google-images-api`, `pagination`, `api-status-and-error-codes`.

use serde_json::Value;

use domain::{Failure, FailureKind, SearchQuestion, Secret};
use platform::{WireRequest, WireResponse};

use crate::image_search::{ImageSearch, ListExtent, english};
use crate::response::{
    HitPointers, ReadList, detail, endpoint, error_body, get_json, hits_at, kind_of_status,
    list_at, list_object, retry_after_ms, text_at, without_error,
};

/// The address at which `SerpApi` serves the API.
pub const BASE_DEFAULT: &str = "https://serpapi.com";
/// The number of hits and pages that one list can have. One search returns a page of about a hundred results, and `ijn`
/// "defines the page number", from 0. The number of pages is undocumented; serpapi/public-roadmap#219 recommends
/// continuing until a page is empty.
pub(crate) const EXTENT: ListExtent = ListExtent {
    hits_max: 100,
    pages_max: 5,
};
const HIT: HitPointers = HitPointers {
    results: "/images_results",
    // This address may be `x-raw-image:///`, an image inside a document, which cannot be fetched. The thumbnail is then
    // used.
    image: "/original",
    thumbnail: "/thumbnail",
    context: "/link",
    title: "/title",
    description: "/source",
    sides: ["/original_width", "/original_height"],
    format: "",
    bytes: "",
    thumbnail_sides: ["", ""],
};

/// The settings of `SerpApi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerpApiSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
    /// The key, which the service accepts only in the address.
    pub key: Secret,
}

impl ImageSearch for SerpApiSettings {
    fn id(&self) -> &'static str {
        "serpapi"
    }

    fn name(&self) -> &'static str {
        "SerpApi"
    }

    fn extent(&self) -> ListExtent {
        EXTENT
    }

    /// Builds a search for the question in English words. A page has about 100 photos and costs the same however many
    /// are requested, so the number is not sent.
    ///
    /// The request's address contains the key, so it must not be shown or logged.
    fn request(&self, search: &SearchQuestion, _: u32, page: u32) -> Result<WireRequest, Failure> {
        let mut url = endpoint(&self.base, "/search", "SERPAPI_BASE")?;
        url.query_pairs_mut()
            .append_pair("engine", "google_images")
            .append_pair("q", &english(search)?)
            .append_pair("safe", "active")
            .append_pair("image_type", "photo")
            .append_pair("api_key", self.key.reveal());
        if page > 0 {
            url.query_pairs_mut().append_pair("ijn", &page.to_string());
        }
        get_json(&url, &[])
    }

    /// Reads the hits in rank order; the list is empty if nothing was found.
    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
        if response.status() != 200 {
            return Err(failure(response, &error_body(response)));
        }
        let body = list_object(response)?;
        let error = text_at(&body, "/error");
        if error.contains("hasn't returned any results") {
            return Ok(ReadList::default());
        }
        if is_quota(error) {
            return Err(failure(response, &body));
        }
        let body = without_error(body)?;
        // `next` is omitted on the last page. For a while, image search omitted `pagination` altogether
        // (serpapi/public-roadmap#1129), so its absence does not mean that the list ends.
        let pagination = body
            .get("serpapi_pagination")
            .filter(|member| member.is_object());
        Ok(ReadList {
            hits: hits_at(&body, &HIT).map(|(_, hit)| hit).collect(),
            results: list_at(&body, HIT.results).len(),
            goes_on: pagination.map(|pagination| !text_at(pagination, "/next").is_empty()),
        })
    }
}

/// Returns whether an error reports a used-up quota: `Your account has run out of searches.`, `Your searches for the
/// month are exhausted.`, `You are exceeding the hourly throughput limit of your account.`. The hourly limit is
/// included, since no run lasts an hour.
fn is_quota(error: &str) -> bool {
    ["run out of searches", "are exhausted", "hourly throughput"]
        .iter()
        .any(|words| error.contains(words))
}

fn failure(response: &WireResponse, body: &Value) -> Failure {
    let status = response.status().as_u16();
    let error = text_at(body, "/error");
    let kind = match status {
        // Status 429 means too frequent requests or a used-up quota, so the text decides.
        200 | 429 if is_quota(error) => FailureKind::Quota,
        400 if error.starts_with("Invalid API key") => FailureKind::Misconfigured,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, "")).after(retry_after_ms(response))
}
