//! Serper, Google's image results for those who have no access to Google's own API.
//! Source: the playground at serper.dev; errors as public clients report them.

use serde_json::json;

use domain::{Failure, FailureKind, SearchQuestion, Secret};
use platform::{WireRequest, WireResponse};

use crate::image_search::{ImageSearch, ListExtent, english};
use crate::response::{
    HitPointers, ReadList, detail, endpoint, error_body, kind_of_status, read_hits, retry_after_ms,
    secret_header, text_at, unbuildable,
};

/// The address at which Serper serves the API.
pub const BASE_DEFAULT: &str = "https://google.serper.dev";
/// The most results to request. `num` may be 100, but according to public clients more than ten cost a second credit.
/// The official reference can be read only with an account.
const COUNT_MAX: u32 = 10;
/// The number of hits and pages that one list can have. That `page` counts from 1 is known only from public clients,
/// which continue until a page is empty.
pub(crate) const EXTENT: ListExtent = ListExtent {
    hits_max: COUNT_MAX,
    pages_max: 10,
};
const HIT: HitPointers = HitPointers {
    results: "/images",
    image: "/imageUrl",
    thumbnail: "/thumbnailUrl",
    context: "/link",
    title: "/title",
    description: "/source",
    sides: ["/imageWidth", "/imageHeight"],
    format: "",
    bytes: "",
    thumbnail_sides: ["/thumbnailWidth", "/thumbnailHeight"],
};

/// The settings of Serper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerperSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
    /// The key, which is sent in a header.
    pub key: Secret,
}

impl ImageSearch for SerperSettings {
    fn id(&self) -> &'static str {
        "serper"
    }

    fn name(&self) -> &'static str {
        "Serper"
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
        let url = endpoint(&self.base, "/images", "SERPER_BASE")?;
        let mut body = json!({"q": english(search)?, "num": count.clamp(1, COUNT_MAX)});
        if let Some(members) = body.as_object_mut().filter(|_| page > 0) {
            members.insert("page".to_owned(), page.saturating_add(1).into());
        }
        http::Request::post(url.as_str())
            .header("x-api-key", secret_header(&self.key)?)
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .body(body.to_string().into_bytes())
            .map_err(unbuildable)
    }

    /// Reads the hits in rank order; the list is empty if nothing was found.
    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
        read_hits(response, &HIT, failure)
    }
}

fn failure(response: &WireResponse) -> Failure {
    let status = response.status().as_u16();
    let body = error_body(response);
    let message = text_at(&body, "/message");
    let kind = match status {
        400 if message.starts_with("Not enough credits") => FailureKind::Quota,
        403 if message.starts_with("Unauthorized") => FailureKind::Misconfigured,
        _ => kind_of_status(status),
    };
    Failure::new(kind, detail(status, "")).after(retry_after_ms(response))
}
