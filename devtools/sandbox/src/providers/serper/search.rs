//! Responds to a search. The request is a JSON body, and the answer a list of images.
//!
//! Serper publishes no reference without an account: members and errors are taken from public clients. The real API
//! ignores unknown members; the sandbox refuses them, so that a misspelling is noticed.

use serde_json::{Map, Value, json};

use crate::picture::thumbnail_size_px;

use super::super::context::ProviderContext;
use super::super::images::{caption, described};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::faults::{refused, unauthorized};

const MEMBERS: [&str; 9] = [
    "q",
    "num",
    "gl",
    "hl",
    "location",
    "page",
    "tbs",
    "autocorrect",
    "type",
];
const NUM_MAX: u64 = 100;
/// The number of results that one credit pays for.
const CREDIT_RESULTS: usize = 10;

/// Returns a request's query, for the call log.
pub(crate) fn query_of(request: &ParsedRequest) -> String {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let text = body.get("q").and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    match search(context, request) {
        Ok(reply) | Err(reply) => *reply,
    }
}

fn search(context: ProviderContext<'_>, request: &ParsedRequest) -> Result<Box<Reply>, Box<Reply>> {
    if request.header("x-api-key") != Some(&context.credentials.serper_key) {
        return Err(Box::new(unauthorized()));
    }
    let wrong = |message: &str| Box::new(refused(400, message));
    let is_json = request
        .header("content-type")
        .is_some_and(|kind| kind.starts_with("application/json"));
    let body: Value = serde_json::from_slice(&request.body)
        .ok()
        .filter(|_| is_json)
        .ok_or_else(|| wrong("Invalid JSON body"))?;
    let members = body.as_object().ok_or_else(|| wrong("Invalid JSON body"))?;
    if let Some(name) = members
        .keys()
        .find(|name| !MEMBERS.contains(&name.as_str()))
    {
        return Err(wrong(&format!("Unknown parameter '{name}'")));
    }
    let text = members
        .get("q")
        .and_then(Value::as_str)
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| wrong("Missing query parameter"))?;
    let num = count(members, "num", 10, NUM_MAX).ok_or_else(|| wrong("Invalid num parameter"))?;
    let page = count(members, "page", 1, 100).ok_or_else(|| wrong("Invalid page parameter"))?;
    let found = context.search(text).into_iter();
    let images: Vec<Value> = found
        .skip((page - 1) * num)
        .take(num)
        .enumerate()
        .filter_map(|(place, photo)| image(context, photo, place + 1))
        .collect();
    let mut asked = members.clone();
    asked.insert("type".to_owned(), "images".into());
    asked.insert("engine".to_owned(), "google".into());
    let credits = num.div_ceil(CREDIT_RESULTS).min(2);
    let answer = json!({"searchParameters": asked, "images": images, "credits": credits});
    Ok(Box::new(Reply::json(200, &answer)))
}

fn count(members: &Map<String, Value>, name: &str, otherwise: u64, most: u64) -> Option<usize> {
    let number = match members.get(name) {
        None => Some(otherwise),
        Some(number) => number.as_u64().filter(|number| (1..=most).contains(number)),
    };
    usize::try_from(number?).ok()
}

fn image(context: ProviderContext<'_>, photo: usize, position: usize) -> Option<Value> {
    let file = described(context, photo)?;
    let (width_px, height_px) = thumbnail_size_px(context.size_px(photo)?);
    let origin = context.origin;
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    Some(json!({
        "title": caption(context, photo), "imageUrl": file.link,
        "imageWidth": file.width_px, "imageHeight": file.height_px,
        "thumbnailUrl": format!("{origin}/thumbnails/{photo}.jpg"),
        "thumbnailWidth": width_px, "thumbnailHeight": height_px,
        "source": context.world.name, "domain": host, "link": format!("{origin}/pages/{photo}"),
        "googleUrl": format!("https://www.google.com/imgres?imgrefurl={origin}/pages/{photo}"),
        "position": position,
    }))
}
