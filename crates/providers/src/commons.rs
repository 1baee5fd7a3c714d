//! Wikimedia Commons, image search without a key.
//!
//! Sources: mediawiki.org `API:Search`, `API:Imageinfo`, `API:Templates`, `API:Continue`, `Extension:CommonsMetadata`;
//! for the query language `Help:CirrusSearch`, its `Logical_operators`, and `Help:Extension:WikibaseCirrusSearch`.

use serde_json::Value;

use domain::{Credit, Failure, Hints, Hit, NamedPerson, SearchQuestion, Wording};
use platform::{WireRequest, WireResponse};

use crate::image_search::{ImageSearch, ListExtent, names, nothing_to_search, quoted, words};
use crate::mediawiki;
use crate::plain_text::{of_html, one_line};
use crate::response::{
    PHOTO_BYTES_MAX, ReadList, TITLE_CHARS_MAX, is_too_small, list_at, number_at, page_address,
    page_address_at, text_at,
};
use crate::written_date::taken_of;

pub use crate::mediawiki::agent;

/// The address at which Commons serves the API.
pub const BASE_DEFAULT: &str = "https://commons.wikimedia.org";
/// The requested width of photos. It is one of the few that Commons offers, and such photos stay under 5 MB in
/// practice.
const WIDTH_PIXELS: &str = "1280";
/// The metadata to request for each photo.
const METADATA: &str =
    "Artist|LicenseShortName|LicenseUrl|ImageDescription|Categories|DateTimeOriginal";
/// The template of a file that is "any work done entirely by an artificial intelligence or computer algorithm". Commons
/// asks for it on all of them. A file that uses it under another name lists this one, too.
const MADE_BY_A_MACHINE: &str = "Template:PD-algorithm";
/// The most results of one answer. `gsrlimit` may be 500, but no more than fifty files come with a scaled address
/// (`TRANSFORM_LIMIT` of MediaWiki's `ApiQueryImageInfo`).
const COUNT_MAX: u32 = 50;
/// The number of hits and pages that one list can have. One request is free and returns fifty files with all their
/// data. The search ends after 10,000 results, a limit of `CirrusSearch` that the API does not document; half of that
/// is used here.
pub(crate) const EXTENT: ListExtent = ListExtent {
    hits_max: COUNT_MAX,
    pages_max: 100,
};
/// The longest name in a query, in characters. A query has at most 300.
const NAME_CHARS_MAX: usize = 100;
/// The longest stored author or licence, in characters.
const CREDIT_CHARS_MAX: usize = 200;
/// The longest stored description, in characters.
const DESCRIPTION_CHARS_MAX: usize = 500;
/// The longest stored category, in characters, and also the most categories that are stored.
const CATEGORY_CHARS_MAX: usize = 100;
const CATEGORIES_MAX: usize = 30;

/// The settings of Commons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonsSettings {
    /// Scheme, host and port, and the API's path if it has one.
    pub base: String,
    /// The operator's contact for the user agent: an e-mail address or a page's address.
    pub contact: String,
}

impl ImageSearch for CommonsSettings {
    fn id(&self) -> &'static str {
        "commons"
    }

    fn name(&self) -> &'static str {
        "Wikimedia Commons"
    }

    fn extent(&self) -> ListExtent {
        EXTENT
    }

    fn may_be_kept(&self) -> bool {
        true
    }

    /// Builds a search for `count` (1 to 50) photos on a page, numbered from 0.
    fn request(
        &self,
        search: &SearchQuestion,
        count: u32,
        page: u32,
    ) -> Result<WireRequest, Failure> {
        let query = query(search).ok_or_else(nothing_to_search)?;
        let count = count.clamp(1, COUNT_MAX);
        let mut url = mediawiki::api(&self.base, "COMMONS_BASE")?;
        url.query_pairs_mut()
            .append_pair("action", "query")
            .append_pair("generator", "search")
            .append_pair("gsrnamespace", "6")
            .append_pair("gsrlimit", &count.to_string())
            .append_pair("gsrsearch", &format!("{query} filetype:bitmap"))
            .append_pair("prop", "imageinfo|templates")
            .append_pair("iiprop", "url|size|mime|extmetadata")
            .append_pair("iiurlwidth", WIDTH_PIXELS)
            .append_pair("iiextmetadatafilter", METADATA)
            .append_pair("tltemplates", MADE_BY_A_MACHINE)
            // For all files together; without it, ten are listed.
            .append_pair("tllimit", "max");
        if page > 0 {
            let offset = page.saturating_mul(count).to_string();
            url.query_pairs_mut().append_pair("gsroffset", &offset);
        }
        mediawiki::get(&url, &self.contact)
    }

    /// Reads the answer to this question: the hits in rank order, or an empty list if nothing was found.
    fn read(&self, search: &SearchQuestion, response: &WireResponse) -> Result<ReadList, Failure> {
        let body = mediawiki::answer(response)?;
        let depicts = if asks_for_statements(search) {
            depicted(search)
        } else {
            Vec::new()
        };
        let mut pages: Vec<&Value> = list_at(&body, "/query/pages")
            .iter()
            .take(COUNT_MAX as usize)
            .collect();
        // The answer lists the pages by id, so they are sorted by rank here.
        pages.sort_by_key(|page| number_at(page, "/index").unwrap_or(u64::MAX));
        let results = pages.len();
        let hits = pages.into_iter().filter_map(|page| hit(page, &depicts));
        Ok(ReadList {
            hits: hits.collect(),
            results,
            goes_on: goes_on(&body),
        })
    }
}

/// Returns whether the list goes on; `None` if the answer does not say. An answer whose data of these files is not
/// complete says only how to get the rest of it, and not `batchcomplete`.
fn goes_on(body: &Value) -> Option<bool> {
    let is_next_known = number_at(body, "/continue/gsroffset").is_some();
    (is_next_known || body.get("batchcomplete").is_some()).then_some(is_next_known)
}

/// Returns the query for a question, or `None` if it names nobody.
///
/// `haswbstatement` finds files that are tagged as depicting somebody. They are few, but certainly show the right
/// person. If a query has several statements, or further words, all of them must match. If a person's number is known,
/// `Names` searches by statements, and `Together` and `Event` therefore search the names as phrases. If no number is
/// known, `Together` and `Event` search the words of the names in any order.
fn query(search: &SearchQuestion) -> Option<String> {
    let named = names(search, NAME_CHARS_MAX);
    let is_anybody_known = !depicted(search).is_empty();
    let query = match search.wording {
        // `OR` may join a pair only if the query has no other words. Cirrus would treat other words as required and the
        // pair as optional. Filters do not count as words.
        Wording::InCompany if search.people.len() > 1 => phrases(&named, " OR "),
        Wording::Names | Wording::InCompany => terms(&search.people),
        Wording::Together | Wording::Event if is_anybody_known => phrases(&named, " "),
        Wording::Together | Wording::Event => named.join(" "),
        Wording::Awards if named.is_empty() => String::new(),
        Wording::Awards => format!("{} award", named.join(" ")),
    };
    Some(query).filter(|query| !query.is_empty())
}

/// Returns a statement for each person with a Wikidata number, and the quoted name of each person without one.
fn terms(people: &[NamedPerson]) -> String {
    let term = |person: &NamedPerson| match &person.number {
        Some(number) => Some(format!("haswbstatement:P180={}", number.wikidata())),
        None => Some(words(&person.name, NAME_CHARS_MAX))
            .filter(|name| !name.is_empty())
            .map(|name| quoted(&name)),
    };
    people.iter().filter_map(term).collect::<Vec<_>>().join(" ")
}

fn phrases(named: &[String], between: &str) -> String {
    let phrases = named.iter().map(|name| quoted(name));
    phrases.collect::<Vec<_>>().join(between)
}

/// Returns the Wikidata numbers of those people of the question whose number is known.
fn depicted(search: &SearchQuestion) -> Vec<String> {
    let numbers = search
        .people
        .iter()
        .filter_map(|person| person.number.as_ref());
    numbers
        .map(|number| number.wikidata().to_string())
        .collect()
}

/// Returns whether [`query`] consists of statements. If so, every file found is tagged as depicting these people.
fn asks_for_statements(search: &SearchQuestion) -> bool {
    match search.wording {
        Wording::Names => true,
        Wording::InCompany => search.people.len() == 1,
        Wording::Together | Wording::Event | Wording::Awards => false,
    }
}

fn hit(page: &Value, depicts: &[String]) -> Option<Hit> {
    let info = page.pointer("/imageinfo/0")?;
    let is_read = matches!(
        text_at(info, "/mime"),
        "image/jpeg" | "image/png" | "image/webp" | ""
    );
    if !is_read || is_too_small(info, ["/width", "/height"]) {
        return None;
    }
    // The original may have tens of megabytes, so it is the second choice only if it is small.
    let is_short = number_at(info, "/size").is_some_and(|bytes| bytes < PHOTO_BYTES_MAX);
    let mut original = page_address_at(info, "/url").filter(|_| is_short);
    let scaled = page_address_at(info, "/thumburl");
    let image_url = scaled.or_else(|| original.take())?;
    Some(Hit {
        original_url: original.filter(|original| *original != image_url),
        thumbnail_url: None,
        image_url,
        context_url: page_address_at(info, "/descriptionurl"),
        title: title_of(text_at(page, "/title")),
        credit: Credit {
            author: metadata(info, "Artist", CREDIT_CHARS_MAX),
            license: metadata(info, "LicenseShortName", CREDIT_CHARS_MAX),
            license_url: license_url(info),
        },
        hints: Hints {
            description: metadata(info, "ImageDescription", DESCRIPTION_CHARS_MAX),
            categories: categories(info),
            depicts: depicts.to_vec(),
            taken: taken_of(metadata_text(info, "DateTimeOriginal")),
            generated: generated(page),
        },
    })
}

/// Returns the template by which a file's page says that a machine made the picture.
fn generated(page: &Value) -> Option<String> {
    let mut titles = list_at(page, "/templates").iter();
    let is_used = titles.any(|template| text_at(template, "/title") == MADE_BY_A_MACHINE);
    is_used.then(|| MADE_BY_A_MACHINE.to_owned())
}

/// Returns the title of a file without prefix and extension: `Jane Bennet 2010` for `File:Jane Bennet 2010.jpg`.
fn title_of(title: &str) -> String {
    let title = title.strip_prefix("File:").unwrap_or(title);
    let bare = title.rsplit_once('.').map_or(title, |(bare, _)| bare);
    one_line(bare, TITLE_CHARS_MAX)
}

fn metadata_text<'info>(info: &'info Value, name: &str) -> &'info str {
    text_at(info, &format!("/extmetadata/{name}/value"))
}

/// Returns one value of the metadata, which is HTML, as plain text.
fn metadata(info: &Value, name: &str, chars_max: usize) -> Option<String> {
    Some(of_html(metadata_text(info, name), chars_max)).filter(|text| !text.is_empty())
}

/// Returns the licence's address, with a scheme added if Commons omits it.
fn license_url(info: &Value) -> Option<String> {
    let url = metadata_text(info, "LicenseUrl");
    page_address(Some(if url.starts_with("//") {
        format!("https:{url}")
    } else {
        url.to_owned()
    }))
}

fn categories(info: &Value) -> Vec<String> {
    let categories = metadata_text(info, "Categories")
        .split('|')
        .map(|category| of_html(category, CATEGORY_CHARS_MAX));
    let named = categories.filter(|category| !category.is_empty());
    named.take(CATEGORIES_MAX).collect()
}
