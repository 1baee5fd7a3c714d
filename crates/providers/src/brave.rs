//! Brave Search API, image search.
//! Source: the API's reference, api-dashboard.search.brave.com `api-reference/images/image_search`;
//! brave/brave-search-skills, `images-search`.

use domain::{Failure, FailureKind, SearchQuestion, Secret};
use platform::{WireRequest, WireResponse};

use crate::image_search::{ImageSearch, ListExtent, names, nothing_to_search};
use crate::response::{
    HitPointers, ReadList, detail, endpoint, error_body, get_json, kind_of_status, read_hits,
    retry_after_ms, secret_header, text_at,
};

/// The address at which Brave serves the API.
pub const BASE_DEFAULT: &str = "https://api.search.brave.com";
/// The most results of one request, from the API's reference on `count`: "The maximum is 200. The actual number
/// delivered may be less than requested."
const COUNT_MAX: u32 = 200;
/// The number of hits and pages that one list can have. A request costs the same with one result as with all, so all
/// are requested. Image search, unlike web search, has no `offset` and therefore no next page.
pub(crate) const EXTENT: ListExtent = ListExtent {
    hits_max: COUNT_MAX,
    pages_max: 1,
};
/// The longest name in a query, in characters. A query has at most 400 characters and 50 words.
const NAME_CHARS_MAX: usize = 100;
const HIT: HitPointers = HitPointers {
    results: "/results",
    image: "/properties/url",
    // The thumbnail is about 500 pixels wide, which is enough to recognise the faces in it.
    thumbnail: "/thumbnail/src",
    context: "/url",
    title: "/title",
    description: "/source",
    sides: ["/properties/width", "/properties/height"],
    format: "",
    bytes: "",
    thumbnail_sides: ["/thumbnail/width", "/thumbnail/height"],
};

/// The settings of Brave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BraveSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
    /// The subscription's token, which travels in a header.
    pub key: Secret,
}

impl ImageSearch for BraveSettings {
    fn id(&self) -> &'static str {
        "brave"
    }

    fn name(&self) -> &'static str {
        "Brave Images"
    }

    fn extent(&self) -> ListExtent {
        EXTENT
    }

    /// Builds a search for `count` (1 to 200) photos. There is no page after the first.
    ///
    /// The names are sent without quotation marks, since image search documents no operators. Spelling correction is
    /// off, since a corrected name might be that of somebody else.
    fn request(&self, search: &SearchQuestion, count: u32, _: u32) -> Result<WireRequest, Failure> {
        let mut words = names(search, NAME_CHARS_MAX);
        if words.is_empty() {
            return Err(nothing_to_search());
        }
        words.extend(Some(search.wording.words().to_owned()).filter(|words| !words.is_empty()));
        let mut url = endpoint(&self.base, "/res/v1/images/search", "BRAVE_BASE")?;
        url.query_pairs_mut()
            .append_pair("q", &words.join(" "))
            .append_pair("count", &count.clamp(1, COUNT_MAX).to_string())
            .append_pair("safesearch", "strict")
            .append_pair("spellcheck", "false");
        get_json(&url, &[("x-subscription-token", secret_header(&self.key)?)])
    }

    /// Reads the hits in rank order; the list is empty if nothing was found.
    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
        read_hits(response, &HIT, failure)
    }
}

fn failure(response: &WireResponse) -> Failure {
    let status = response.status().as_u16();
    let body = error_body(response);
    let code = match text_at(&body, "/error/code") {
        "" => text_at(&body, "/errors/0/code"),
        code => code,
    };
    // Brave answers a wrong key and a wrong query with the same status, so only the code distinguishes them.
    let kind = match code {
        "SUBSCRIPTION_TOKEN_INVALID" | "SUBSCRIPTION_TOKEN_MISSING" | "SUBSCRIPTION_NOT_FOUND" => {
            FailureKind::Misconfigured
        }
        "VALIDATION" => FailureKind::Refused,
        "RATE_LIMITED" => FailureKind::Throttled,
        "QUOTA_LIMITED" => FailureKind::Quota,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, code)).after(retry_after_ms(response))
}
