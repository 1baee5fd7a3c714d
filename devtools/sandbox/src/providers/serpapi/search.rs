//! Responds to an image search: checks its parameters, and returns a hundred results per page.
//!
//! It follows serpapi.com, `google-images-api` and `pagination`. Unlike the real API, the sandbox refuses unknown
//! parameters, so that a misspelling is noticed.

use serde_json::{Value, json};

use crate::hash::{below, hash};

use super::super::context::ProviderContext;
use super::super::images::{caption, described};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::faults::{bad_key, refused};

const PARAMETERS: [&str; 30] = [
    "engine",
    "q",
    "api_key",
    "ijn",
    "safe",
    "image_type",
    "gl",
    "hl",
    "cr",
    "google_domain",
    "location",
    "uule",
    "device",
    "no_cache",
    "async",
    "zero_trace",
    "output",
    "tbs",
    "imgar",
    "imgsz",
    "image_color",
    "licenses",
    "filter",
    "nfpr",
    "chips",
    "period_unit",
    "period_value",
    "start_date",
    "end_date",
    "json_restrictor",
];
const CHOICES: [(&str, &[&str]); 5] = [
    ("safe", &["active", "off"]),
    (
        "image_type",
        &["face", "photo", "clipart", "lineart", "animated"],
    ),
    ("device", &["desktop", "tablet", "mobile"]),
    ("output", &["json", "html"]),
    ("no_cache", &["true", "false"]),
];
const PAGE_RESULTS: usize = 100;

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    if request.parameter("api_key") != Some(&context.credentials.serpapi_key) {
        return bad_key();
    }
    match check(request) {
        Ok((text, page)) => found(context, request, text, page),
        Err(refusal) => *refusal,
    }
}

/// Returns the query and the number of the page, from 0.
fn check(request: &ParsedRequest) -> Result<(&str, usize), Box<Reply>> {
    let wrong = |message: &str| Box::new(refused(400, message));
    match request.parameter("engine") {
        Some("google_images") => {}
        Some(other) => return Err(wrong(&format!("Unsupported `{other}` search engine."))),
        None => return Err(wrong("Missing query `engine` parameter.")),
    }
    let text = request
        .parameter("q")
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| wrong("Missing query `q` parameter."))?;
    let is_unknown = |(name, _): &&(String, String)| !PARAMETERS.contains(&name.as_str());
    if let Some((name, _)) = request.parameters.iter().find(is_unknown) {
        return Err(wrong(&format!("Unsupported `{name}` parameter.")));
    }
    for (name, choices) in CHOICES {
        if let Some(value) = request
            .parameter(name)
            .filter(|value| !choices.contains(value))
        {
            return Err(wrong(&format!(
                "Unsupported `{value}` value for `{name}` parameter."
            )));
        }
    }
    let page = request.parameter("ijn").unwrap_or("0");
    let number = page.parse::<usize>().ok().filter(|page| *page < 100);
    let number =
        number.ok_or_else(|| wrong(&format!("Unsupported `{page}` value for `ijn` parameter.")))?;
    Ok((text, number))
}

fn found(context: ProviderContext<'_>, request: &ParsedRequest, text: &str, page: usize) -> Reply {
    let all = context.search(text);
    let has_more = all.len() > (page + 1) * PAGE_RESULTS;
    let photos = all.into_iter().skip(page * PAGE_RESULTS).take(PAGE_RESULTS);
    let results: Vec<Value> = photos
        .enumerate()
        .filter_map(|(place, photo)| result(context, photo, page * PAGE_RESULTS + place + 1))
        .collect();
    let asked: serde_json::Map<String, Value> = request
        .parameters
        .iter()
        .filter(|(name, _)| name != "api_key")
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .collect();
    let id = format!(
        "{:024x}",
        hash(&["serpapi".into(), text.into(), page.into()])
    );
    let mut answer = json!({
        "search_metadata": {
            "id": id, "status": "Success", "created_at": "2026-11-21 10:00:00 UTC",
            "processed_at": "2026-11-21 10:00:00 UTC", "total_time_taken": 1.24,
        },
        "search_parameters": asked,
        "search_information": {"image_results_state": "Results for exact spelling"},
    });
    let Some(members) = answer.as_object_mut() else {
        return Reply::pretty(200, &answer);
    };
    if results.is_empty() {
        // A page without results is not a failure. The real API calls the engine by either of these names in its
        // message.
        let engine = ["Google", "Google Images"]
            .get(below(hash(&["engine".into(), text.into()]), 2))
            .copied()
            .unwrap_or_default();
        let message = format!("{engine} hasn't returned any results for this query.");
        members.insert(
            "search_information".to_owned(),
            json!({"images_results_state": "Fully empty"}),
        );
        members.insert("error".to_owned(), message.into());
    } else {
        members.insert("images_results".to_owned(), Value::Array(results));
        let pagination = pagination(context, request, page, has_more);
        members.insert("serpapi_pagination".to_owned(), pagination);
    }
    Reply::pretty(200, &answer)
}

/// Returns the number of the page, from 1, and the address of the next page without the key. The last page has no next
/// one.
fn pagination(
    context: ProviderContext<'_>,
    request: &ParsedRequest,
    page: usize,
    has_more: bool,
) -> Value {
    let mut pagination = json!({"current": page + 1});
    if has_more && let Some(members) = pagination.as_object_mut() {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let kept = |(name, _): &&(String, String)| !matches!(name.as_str(), "api_key" | "ijn");
        query.extend_pairs(request.parameters.iter().filter(kept));
        query.append_pair("ijn", &(page + 1).to_string());
        let next = format!("{}/serpapi/search.json?{}", context.origin, query.finish());
        members.insert("next".to_owned(), next.into());
    }
    pagination
}

fn result(context: ProviderContext<'_>, photo: usize, position: usize) -> Option<Value> {
    let file = described(context, photo)?;
    let origin = context.origin;
    Some(json!({
        "position": position, "thumbnail": format!("{origin}/thumbnails/{photo}.jpg"),
        "related_content_id": format!("{:x}", hash(&["related".into(), photo.into()])),
        "source": context.world.name, "title": caption(context, photo),
        "link": format!("{origin}/pages/{photo}"), "original": file.link,
        "original_width": file.width_px, "original_height": file.height_px, "is_product": false,
    }))
}
