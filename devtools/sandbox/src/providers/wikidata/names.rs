//! `action=wbsearchentities`: finds items by the beginning of a label or an alias.

use std::cmp::Reverse;

use serde_json::{Map, Value, json};

use crate::name_folding;

use super::super::context::ProviderContext;
use super::super::mediawiki::ApiCall;
use super::super::reply::Reply;
use super::item::{Item, all};
use super::search::page_id;

const PARAMETERS: [&str; 8] = [
    "search",
    "language",
    "strictlanguage",
    "type",
    "limit",
    "continue",
    "props",
    "profile",
];

pub(super) fn body(
    context: ProviderContext<'_>,
    call: &mut ApiCall<'_>,
) -> Result<Map<String, Value>, Box<Reply>> {
    call.warn_of_unrecognised(&PARAMETERS);
    let text = call.required("search")?;
    let language = call.required("language")?;
    let kind = call.choice("type", &["item", "property", "lexeme", "form", "sense"])?;
    let limit = call.limit("wbsearchentities", "limit", 7, 50)?;
    let offset = usize::try_from(call.number("continue")?.unwrap_or(0)).unwrap_or(0);
    let wanted = name_folding::folded(text);
    let mut found: Vec<Item> = all(context)
        .filter(|item| !wanted.is_empty() && item.name_beginning(text).is_some())
        .filter(|_| matches!(kind, None | Some("item")))
        .collect();
    found.sort_by_key(|item| {
        let is_whole = item
            .names()
            .any(|name| name_folding::folded(name) == wanted);
        (!is_whole, Reverse(item.photos), item.id.clone())
    });
    let shown: Vec<Value> = found
        .iter()
        .skip(offset)
        .take(limit)
        .map(|item| row(item, text, language))
        .collect();
    let next = offset + shown.len();
    let mut body = Map::from_iter([
        ("searchinfo".to_owned(), json!({"search": text})),
        ("search".to_owned(), Value::Array(shown)),
    ]);
    if next < found.len() {
        body.insert("search-continue".to_owned(), next.into());
    }
    body.insert("success".to_owned(), 1.into());
    Ok(body)
}

/// Makes a result. Members that the item lacks are omitted.
fn row(item: &Item, text: &str, language: &str) -> Value {
    let name = item.name_beginning(text).unwrap_or(&item.label);
    let is_label = name == item.label;
    let mut row = json!({
        "id": item.id, "title": item.id, "pageid": page_id(item),
        "display": {"label": {"value": item.label, "language": item.label_language}},
        "repository": "wikidata", "url": format!("//www.wikidata.org/wiki/{}", item.id),
        "concepturi": format!("http://www.wikidata.org/entity/{}", item.id),
        "label": item.label,
        "match": {"type": if is_label { "label" } else { "alias" }, "text": name,
            "language": if is_label { item.label_language } else { language }},
    });
    if let Some(row) = row.as_object_mut() {
        if let Some(description) = &item.description {
            row.insert("description".to_owned(), json!(description));
        }
        if !is_label {
            row.insert("aliases".to_owned(), json!([name]));
        }
    }
    row
}
