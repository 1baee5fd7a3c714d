//! Openverse, openly licensed photos from many collections, without a key.
//! Source: the API's reference at api.openverse.org/v1, and WordPress/openverse `api/`.

use serde_json::Value;

use domain::{Credit, Failure, FailureKind, Hints, Hit, SearchQuestion, Wording};
use platform::{WireRequest, WireResponse};

use crate::image_search::{ImageSearch, ListExtent, names, nothing_to_search, quoted};
use crate::response::{
    HitPointers, ReadList, detail, endpoint, get_json, hits_at, kind_of_status, line_at, list_at,
    number_at, object, page_address_at, retry_after_ms, text_at,
};

/// The address at which Openverse serves the API.
pub const BASE_DEFAULT: &str = "https://api.openverse.org";
/// The most results for a client without a key (`MAX_ANONYMOUS_PAGE_SIZE`); a request for more is answered with 401.
const COUNT_MAX: u32 = 20;
/// The number of hits and pages that one list can have. One request is free and returns twenty results. A client
/// without a key gets at most 240 results of a query, and `result_count` stops there too (WordPress/openverse#4474), so
/// there are twelve pages. What the API answers for a thirteenth is unknown.
pub(crate) const EXTENT: ListExtent = ListExtent {
    hits_max: COUNT_MAX,
    pages_max: 12,
};
/// The longest name in a query, in characters. The API cuts a query after 200.
const NAME_CHARS_MAX: usize = 85;
/// The longest wait that still counts as throttling, in milliseconds. A longer wait would outlast any run, and means
/// that the daily requests are used up.
const THROTTLE_MS_MAX: u64 = 900_000;
/// The longest stored author, in characters.
const AUTHOR_CHARS_MAX: usize = 200;
/// The longest stored tag, in characters, and also the most tags that are stored.
const TAG_CHARS_MAX: usize = 100;
const TAGS_MAX: usize = 30;
const HIT: HitPointers = HitPointers {
    results: "/results",
    image: "/url",
    thumbnail: "/thumbnail",
    context: "/foreign_landing_url",
    title: "/title",
    description: "",
    sides: ["/width", "/height"],
    format: "/filetype",
    bytes: "/filesize",
    thumbnail_sides: ["", ""],
};

/// The settings of Openverse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenverseSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
}

impl ImageSearch for OpenverseSettings {
    fn id(&self) -> &'static str {
        "openverse"
    }

    fn name(&self) -> &'static str {
        "Openverse"
    }

    fn extent(&self) -> ListExtent {
        EXTENT
    }

    fn may_be_kept(&self) -> bool {
        true
    }

    /// Builds a search for `count` (1 to 20) photos on a page, numbered from 0.
    fn request(
        &self,
        search: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        let query = query(search).ok_or_else(nothing_to_search)?;
        let mut url = endpoint(&self.base, "/v1/images/", "OPENVERSE_BASE")?;
        url.query_pairs_mut()
            .append_pair("q", &query)
            .append_pair("page_size", &count.clamp(1, COUNT_MAX).to_string())
            .append_pair("extension", "jpg,jpeg,png,webp")
            .append_pair("mature", "false");
        if page > 0 {
            let page = page.saturating_add(1).to_string();
            url.query_pairs_mut().append_pair("page", &page);
        }
        let agent = concat!("VisualDegrees/", env!("CARGO_PKG_VERSION"));
        get_json(
            &url,
            &[("user-agent", http::HeaderValue::from_static(agent))],
        )
    }

    /// Reads the hits in rank order; the list is empty if nothing was found.
    fn read(&self, _: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
        if response.status() != 200 {
            let status = response.status().as_u16();
            let wait_ms = retry_after_ms(response);
            // Openverse uses this status both for too frequent requests and for a used-up quota, so the wait decides.
            let kind = match kind_of_status(status) {
                FailureKind::Throttled if wait_ms > Some(THROTTLE_MS_MAX) => FailureKind::Quota,
                kind => kind,
            };
            return Err(Failure::new(kind, detail(status, "")).after(wait_ms));
        }
        let body = object(response)?;
        let hits = hits_at(&body, &HIT).filter(|(result, _)| is_photo(result));
        let credited = hits.map(|(result, hit)| Hit {
            credit: Credit {
                author: line_at(result, "/creator", AUTHOR_CHARS_MAX),
                license: license(result),
                license_url: page_address_at(result, "/license_url"),
            },
            hints: Hints {
                categories: tags(result),
                ..Hints::default()
            },
            ..hit
        });
        let [page, pages] = ["/page", "/page_count"].map(|member| number_at(&body, member));
        Ok(ReadList {
            hits: credited.collect(),
            results: list_at(&body, HIT.results).len(),
            goes_on: page.zip(pages).map(|(page, pages)| page < pages),
        })
    }
}

/// Returns the query. All its words must occur in title, description or tags; `|` means either. The word `event` is
/// omitted, since too few photos of events contain it.
fn query(search: &SearchQuestion) -> Option<String> {
    let named = names(search, NAME_CHARS_MAX);
    let phrases = |between: &str| {
        let phrases: Vec<String> = named.iter().map(|name| quoted(name)).collect();
        phrases.join(between)
    };
    if named.is_empty() {
        return None;
    }
    Some(match search.wording {
        Wording::Names => phrases(" "),
        Wording::InCompany => phrases(" | "),
        Wording::Together | Wording::Event => named.join(" "),
        Wording::Awards => format!("{} (award | awards)", named.join(" ")),
    })
}

fn is_photo(result: &Value) -> bool {
    matches!(
        text_at(result, "/filetype"),
        "jpg" | "jpeg" | "png" | "webp" | ""
    )
}

/// Returns the licence's name, for example `CC BY-SA 4.0` for `by-sa` and `4.0`.
fn license(result: &Value) -> Option<String> {
    const CODE_CHARS_MAX: usize = 20;
    let code = line_at(result, "/license", CODE_CHARS_MAX)?;
    let name = match code.as_str() {
        "pdm" => "Public Domain Mark".to_owned(),
        "cc0" => "CC0".to_owned(),
        code if code.starts_with("by") => format!("CC {}", code.to_ascii_uppercase()),
        code => code.to_owned(),
    };
    Some(match line_at(result, "/license_version", CODE_CHARS_MAX) {
        Some(version) => format!("{name} {version}"),
        None => name,
    })
}

fn tags(result: &Value) -> Vec<String> {
    let tags = list_at(result, "/tags").iter();
    let names = tags.filter_map(|tag| line_at(tag, "/name", TAG_CHARS_MAX));
    names.take(TAGS_MAX).collect()
}
