//! Responds to a search: checks its parameters, then counts and pages its results.
//!
//! It follows the source of `WordPress/openverse`, `api/api/serializers/media_serializers.py`, and its issue 4474,
//! according to which callers without an account only get the first 240 results. There is one difference: the real API
//! ignores unknown parameters and only refuses those that it once knew. Here every unknown one is refused, so that a
//! misspelling is noticed.

use std::cmp::Reverse;

use serde_json::{Value, json};

use crate::hash::hash;

use super::super::context::ProviderContext;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::faults::{refused, unauthorized};
use super::results::{file_type_of, license_of, result, words_of};
use super::simple_query::SimpleQuery;

const PARAMETERS: [&str; 14] = [
    "q",
    "source",
    "excluded_source",
    "license",
    "license_type",
    "creator",
    "tags",
    "title",
    "filter_dead",
    "extension",
    "mature",
    "page_size",
    "page",
    "category",
];
const MORE_PARAMETERS: [&str; 2] = ["aspect_ratio", "size"];
/// The parameters that were renamed, with their new names.
const OLD_PARAMETERS: [(&str, &str); 4] = [
    ("li", "license"),
    ("lt", "license_type"),
    ("pagesize", "page_size"),
    ("provider", "source"),
];
const LICENSES: [&str; 10] = [
    "by",
    "by-nc",
    "by-nc-nd",
    "by-nc-sa",
    "by-nd",
    "by-sa",
    "cc0",
    "nc-sampling+",
    "pdm",
    "sampling+",
];
const LICENSE_TYPES: [(&str, &[&str]); 4] = [
    ("all", &LICENSES),
    (
        "all-cc",
        &[
            "by", "by-nc", "by-nc-nd", "by-nc-sa", "by-nd", "by-sa", "cc0",
        ],
    ),
    (
        "commercial",
        &["by", "by-nd", "by-sa", "cc0", "pdm", "sampling+"],
    ),
    (
        "modification",
        &["by", "by-nc", "by-nc-sa", "by-sa", "cc0", "pdm"],
    ),
];
const LETTERS_MAX: usize = 200;
/// The largest page that a caller without an account may request.
const PAGE_SIZE_MAX: usize = 20;
const PAGE_MAX: usize = 20;
/// The most results of a query that a caller without an account can reach.
const RESULTS_MAX: usize = 240;

/// The checked parameters of a search.
struct ImageQuery {
    text: String,
    /// The allowed file extensions, separated by commas; `None` for all.
    extensions: Option<String>,
    /// The allowed license codes.
    licenses: Vec<&'static str>,
    page_size: usize,
    page: usize,
}

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let query = match read(request) {
        Ok(query) => query,
        Err(refusal) => return *refusal,
    };
    let mut found = find(context, &query);
    found.truncate(RESULTS_MAX);
    let page_count = found.len().div_ceil(query.page_size);
    let results: Vec<Value> = found
        .iter()
        .skip((query.page - 1) * query.page_size)
        .take(query.page_size)
        .filter_map(|photo| result(context, *photo))
        .collect();
    let answer = json!({
        "result_count": found.len(), "page_count": page_count.min(PAGE_MAX),
        "page_size": query.page_size, "page": query.page, "results": results,
    });
    Reply::json(200, &answer)
        .with_named("x-ratelimit-limit-anon_burst", "20/min")
        .with_named("x-ratelimit-available-anon_burst", "19")
}

/// Returns the photos that match a query, or all photos if there is no query. As in Elasticsearch, photos that match
/// more of the query's terms come first. Photos that match the same number of terms are in a fixed order.
fn find(context: ProviderContext<'_>, query: &ImageQuery) -> Vec<usize> {
    let has_query = !query.text.trim().is_empty();
    let wanted = SimpleQuery::parse(&query.text);
    let ranked = |photo: usize| {
        let extension = file_type_of(context, photo).unwrap_or_default();
        let is_of_type = |types: &String| types.split(',').any(|one| one == extension);
        if !query.licenses.contains(&license_of(photo))
            || !query.extensions.as_ref().is_none_or(is_of_type)
        {
            return None;
        }
        let score = match &wanted {
            Some(wanted) => wanted.score(&words_of(context, photo))?,
            None if has_query => return None,
            None => 0,
        };
        let order = hash(&["openverse".into(), photo.into()]);
        Some((Reverse(score), order, photo))
    };
    let photos = 0..context.world.photos.len();
    let mut found: Vec<_> = photos.filter_map(ranked).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, photo)| photo).collect()
}

fn read(request: &ParsedRequest) -> Result<ImageQuery, Box<Reply>> {
    let wrong = |name: &str, message: &str| Box::new(refused(name, message));
    if request.header("authorization").is_some() {
        return Err(Box::new(unauthorized(
            "Incorrect authentication credentials.",
        )));
    }
    for (name, _) in &request.parameters {
        if let Some((_, new)) = OLD_PARAMETERS.iter().find(|(old, _)| old == name) {
            return Err(wrong(
                name,
                &format!(
                    "Parameter '{name}' is deprecated in this release of the API. Use '{new}' instead."
                ),
            ));
        }
        if !PARAMETERS.contains(&name.as_str()) && !MORE_PARAMETERS.contains(&name.as_str()) {
            return Err(wrong(name, "The sandbox knows no parameter of this name."));
        }
    }
    let page_size = number(request, "page_size", PAGE_SIZE_MAX)?;
    if page_size > PAGE_SIZE_MAX {
        let message = format!("Ensure this value is less than or equal to {PAGE_SIZE_MAX}.");
        return Err(Box::new(unauthorized(&message)));
    }
    let page = number(request, "page", 1)?;
    if page > PAGE_MAX {
        let message = format!("Ensure this value is less than or equal to {PAGE_MAX}.");
        return Err(wrong("page", &message));
    }
    // The real API's message is unknown, so this one is made up.
    if page * page_size > RESULTS_MAX.next_multiple_of(page_size) {
        return Err(Box::new(unauthorized(&format!(
            "Only the first {RESULTS_MAX} results are for callers without an account."
        ))));
    }
    for name in ["mature", "filter_dead"] {
        let value = request.parameter(name).unwrap_or("false");
        if !matches!(
            value.to_lowercase().as_str(),
            "true" | "t" | "yes" | "y" | "on" | "1" | "false" | "f" | "no" | "n" | "off" | "0"
        ) {
            return Err(wrong(name, "Must be a valid boolean."));
        }
    }
    let text = request.parameter("q").unwrap_or_default();
    let extensions = request.parameter("extension");
    Ok(ImageQuery {
        text: text.chars().take(LETTERS_MAX).collect(),
        extensions: extensions.map(str::to_lowercase),
        licenses: licenses(request)?,
        page_size,
        page,
    })
}

fn number(request: &ParsedRequest, name: &str, otherwise: usize) -> Result<usize, Box<Reply>> {
    let Some(digits) = request.parameter(name) else {
        return Ok(otherwise);
    };
    match digits.parse::<i64>() {
        Ok(number) if number >= 1 => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        Ok(_) => Err(Box::new(refused(
            name,
            "Ensure this value is greater than or equal to 1.",
        ))),
        Err(_) => Err(Box::new(refused(name, "A valid integer is required."))),
    }
}

/// Returns the licenses that both `license` and `license_type` allow.
fn licenses(request: &ParsedRequest) -> Result<Vec<&'static str>, Box<Reply>> {
    let mut allowed = LICENSES.to_vec();
    if let Some(list) = request.parameter("license") {
        let list = list.to_lowercase();
        if let Some(unknown) = list.split(',').find(|code| !LICENSES.contains(code)) {
            let message = format!("License '{unknown}' does not exist.");
            return Err(Box::new(refused("license", &message)));
        }
        allowed.retain(|code| list.split(',').any(|wanted| wanted == *code));
    }
    for wanted in request
        .parameter("license_type")
        .unwrap_or("all")
        .to_lowercase()
        .split(',')
    {
        let Some((_, codes)) = LICENSE_TYPES.iter().find(|(name, _)| *name == wanted) else {
            let message = format!("License type '{wanted}' does not exist.");
            return Err(Box::new(refused("license_type", &message)));
        };
        allowed.retain(|code| codes.contains(code));
    }
    Ok(allowed)
}
