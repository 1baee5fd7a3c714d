//! The API of Commons: `action=query` with `generator=search`.
//!
//! It follows mediawiki.org, `API:Search`, `API:Imageinfo` and `API:Templates`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::context::ProviderContext;
use super::super::mediawiki::{ApiCall, CirrusQuery, PageFacts, Site, Statement};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::file_pages::FilePage;
use super::image_info::{PROPERTIES, WantedInfo, page};
use super::subject;
use super::templates::{TEMPLATES, WantedTemplates};

const QUERY: [&str; 12] = [
    "prop",
    "list",
    "meta",
    "indexpageids",
    "export",
    "iwurl",
    "continue",
    "rawcontinue",
    "titles",
    "pageids",
    "generator",
    "redirects",
];
const SEARCH: [&str; 12] = [
    "gsrsearch",
    "gsrnamespace",
    "gsrlimit",
    "gsroffset",
    "gsrqiprofile",
    "gsrwhat",
    "gsrinfo",
    "gsrprop",
    "gsrinterwiki",
    "gsrenablerewrites",
    "gsrsort",
    "gsrbackend",
];
const IMAGE_INFO: [&str; 11] = [
    "iiprop",
    "iilimit",
    "iistart",
    "iiend",
    "iiurlwidth",
    "iiurlheight",
    "iimetadataversion",
    "iiextmetadatalanguage",
    "iiextmetadatamultilang",
    "iiextmetadatafilter",
    "iilocalonly",
];
/// The most results of a query that a client can reach by paging.
const RESULTS_MAX: usize = 10_000;
const FILES: &str = "6";

/// Responds to an API call.
pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    called(context, request, false)
}

/// Responds to an API call. If `is_off_step`, thumbnails get a width that the file host refuses.
pub(super) fn called(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
    is_off_step: bool,
) -> Reply {
    let call = match ApiCall::open(Site::Commons, request) {
        Ok(call) => call,
        Err(refusal) => return *refusal,
    };
    match query(context, call, is_off_step) {
        Ok(reply) | Err(reply) => *reply,
    }
}

fn query(
    context: ProviderContext<'_>,
    mut call: ApiCall<'_>,
    is_off_step: bool,
) -> Result<Box<Reply>, Box<Reply>> {
    call.choice("action", &["query"])?.ok_or_else(|| {
        Box::new(Reply::html(
            200,
            "<!DOCTYPE html>\n<title>MediaWiki API help</title>\n",
        ))
    })?;
    let is_search = call.choice("generator", &["search"])?.is_some();
    let known_properties = ["imageinfo", "info", "categories", "templates"];
    let properties = call.known_list("query", "prop", &known_properties)?;
    let has_images = properties.contains(&"imageinfo");
    let has_templates = properties.contains(&"templates");
    let mut known = QUERY.to_vec();
    if is_search {
        known.extend(SEARCH);
    }
    if has_images {
        known.extend(IMAGE_INFO);
    }
    if has_templates {
        known.extend(TEMPLATES);
    }
    call.warn_of_unrecognised(&known);
    let mut body = Map::from_iter([("batchcomplete".to_owned(), call.flag())]);
    if !is_search {
        return Ok(Box::new(call.finish(body)));
    }
    let wanted = if has_images {
        Some(wanted_info(&mut call, is_off_step)?)
    } else {
        None
    };
    let templates = if has_templates {
        Some(WantedTemplates::new(&mut call)?)
    } else {
        None
    };
    let text = call.search_text("gsrsearch")?;
    let limit = call.limit("search", "gsrlimit", 10, 500)?;
    let offset = call.number("gsroffset")?.unwrap_or(0);
    let offset = usize::try_from(offset).unwrap_or(0);
    // A search that names no namespace covers the galleries, and the sandbox has none of these.
    let has_files = call.list("gsrnamespace")?.contains(&FILES);
    let found = if has_files {
        find(context, text)
    } else {
        Vec::new()
    };
    let shown: Vec<usize> = found.iter().skip(offset).take(limit).copied().collect();
    let next = offset + shown.len();
    let (listed, rest) = templates
        .map(|templates| templates.of_photos(context, &shown))
        .unwrap_or_default();
    if let Some(rest) = rest {
        // The search goes on only when all data of these files is there.
        body.remove("batchcomplete");
        let done = if has_images { "||imageinfo" } else { "||" };
        let on = json!({"tlcontinue": rest, "continue": done});
        body.insert("continue".to_owned(), on);
    } else if next < found.len().min(RESULTS_MAX) {
        let on = json!({"gsroffset": next, "continue": "gsroffset||"});
        body.insert("continue".to_owned(), on);
    }
    if !shown.is_empty() {
        let pages = pages(context, &call, (&shown, offset), wanted.as_ref(), listed);
        body.insert("query".to_owned(), json!({"pages": pages}));
    }
    Ok(Box::new(call.finish(body)))
}

fn wanted_info<'call>(
    call: &mut ApiCall<'call>,
    is_off_step: bool,
) -> Result<WantedInfo<'call>, Box<Reply>> {
    let mut properties = call.known_list("imageinfo", "iiprop", &PROPERTIES)?;
    if call.text("iiprop").is_none() {
        properties = vec!["timestamp", "user"];
    }
    let width = call.number("iiurlwidth")?.filter(|width| *width > 0);
    Ok(WantedInfo {
        properties,
        thumbnail_width_px: width.and_then(|width| u32::try_from(width.min(100_000)).ok()),
        metadata_filter: call.list("iiextmetadatafilter")?,
        is_off_step,
    })
}

/// Returns the photos that match a query. Those that meet more of its alternatives come first, as Cirrus scores; equal
/// ones are in a fixed order.
fn find(context: ProviderContext<'_>, search: &str) -> Vec<usize> {
    let query = CirrusQuery::parse(search);
    let ranked = |(photo, page): (usize, &FilePage)| {
        let depicted = page.depicted.iter();
        let statements: Vec<Statement<'_>> = depicted.map(|item| ("P180", item.as_str())).collect();
        let facts = PageFacts {
            file_type: Some("bitmap"),
            statements: &statements,
        };
        if !query.admits(&facts) {
            return None;
        }
        let score = query.score(&page.text)?;
        Some((Reverse(score), page.order, photo))
    };
    let photos = 0..context.world.photos.len();
    let made = || photos.map(|photo| subject::page(context, photo)).collect();
    let pages = context.file_pages.all(made).iter().enumerate();
    let mut found: Vec<_> = pages.filter_map(ranked).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, photo)| photo).collect()
}

/// Returns the pages of the results ordered by id, with their ranks in `index`. They are a list in the newer format,
/// and an object in the older one.
fn pages(
    context: ProviderContext<'_>,
    call: &ApiCall<'_>,
    (shown, offset): (&[usize], usize),
    wanted: Option<&WantedInfo<'_>>,
    mut templates: BTreeMap<u64, Vec<Value>>,
) -> Value {
    let mut pages: Vec<(u64, Value)> = shown
        .iter()
        .enumerate()
        .map(|(place, photo)| page(context, *photo, offset + place + 1, wanted))
        .collect();
    for (id, page) in &mut pages {
        if let (Some(used), Some(members)) = (templates.remove(id), page.as_object_mut()) {
            members.insert("templates".to_owned(), used.into());
        }
    }
    pages.sort_by_key(|(id, _)| *id);
    if call.is_modern() {
        pages.into_iter().map(|(_, page)| page).collect()
    } else {
        let named = pages.into_iter().map(|(id, page)| (id.to_string(), page));
        Value::Object(named.collect())
    }
}
