//! A search: its parameters checked, its results counted and paged.
//!
//! After the source of `WordPress/openverse`, `api/api/serializers/media_serializers.py`, with one
//! difference: that ignores the parameters which it does not know, and only refuses those that it
//! once knew. Here every unknown one is refused, so that a misspelled one is noticed.

use serde_json::{Value, json};

use super::super::context::ProviderContext;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::faults::{refused, unauthorized};
use super::results::{license_of, result};

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
/// What was renamed, and to what.
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
/// Of somebody who has no account.
const PAGE_SIZE_MAX: usize = 20;
const PAGE_MAX: usize = 20;

/// A checked search.
struct ImageQuery {
    text: String,
    /// The codes that a photo's license may have.
    licenses: Vec<&'static str>,
    page_size: usize,
    page: usize,
}

pub(in crate::sandbox) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let query = match read(request) {
        Ok(query) => query,
        Err(refusal) => return *refusal,
    };
    let mut found = context.world.search_all(&query.text);
    found.retain(|photo| query.licenses.contains(&license_of(*photo)));
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
    let text = request.parameter("q").unwrap_or_default();
    Ok(ImageQuery {
        text: text.chars().take(LETTERS_MAX).collect(),
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

/// The licenses that `license` and `license_type` both allow.
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
