//! `action=query` with `list=search`: finds items by words and statements.

use std::cmp::Reverse;

use serde_json::{Map, Value, json};

use crate::hash::hash;
use crate::name_folding;

use super::super::context::ProviderContext;
use super::super::mediawiki::{ApiCall, CirrusQuery, PageFacts, PageText};
use super::super::reply::Reply;
use super::item::{Item, all};

const PARAMETERS: [&str; 20] = [
    "prop",
    "list",
    "meta",
    "continue",
    "rawcontinue",
    "generator",
    "indexpageids",
    "export",
    "srsearch",
    "srnamespace",
    "srlimit",
    "sroffset",
    "srqiprofile",
    "srwhat",
    "srinfo",
    "srprop",
    "srinterwiki",
    "srenablerewrites",
    "srsort",
    "redirects",
];

pub(super) fn body(
    context: ProviderContext<'_>,
    call: &mut ApiCall<'_>,
) -> Result<Map<String, Value>, Box<Reply>> {
    call.warn_of_unrecognised(&PARAMETERS);
    let lists = call.known_list("query", "list", &["search"])?;
    let mut body = Map::from_iter([("batchcomplete".to_owned(), call.flag())]);
    if lists.is_empty() {
        return Ok(body);
    }
    let text = call.search_text("srsearch")?;
    let limit = call.limit("search", "srlimit", 10, 500)?;
    let offset = usize::try_from(call.number("sroffset")?.unwrap_or(0)).unwrap_or(0);
    let namespaces = call.list("srnamespace")?;
    let has_items = namespaces.is_empty() || namespaces.contains(&"0");
    let found = if has_items {
        find(context, text)
    } else {
        Vec::new()
    };
    let shown: Vec<Value> = found.iter().skip(offset).take(limit).map(row).collect();
    let next = offset + shown.len();
    if next < found.len() && !shown.is_empty() {
        body.insert(
            "continue".to_owned(),
            json!({"sroffset": next, "continue": "-||"}),
        );
    }
    let query = json!({"searchinfo": {"totalhits": found.len()}, "search": shown});
    body.insert("query".to_owned(), query);
    Ok(body)
}

fn row(item: &Item) -> Value {
    json!({
        "ns": 0, "title": item.id, "pageid": page_id(item), "size": 4_812, "wordcount": 0,
        "snippet": item.description.clone().unwrap_or_default(),
        "timestamp": "2026-10-01T08:00:00Z",
    })
}

pub(super) fn page_id(item: &Item) -> u64 {
    hash(&["page".into(), item.id.as_str().into()]) % 100_000_000
}

/// Returns the items that match a query. Those with its words in a name come first, then those with its words in the
/// description; in each group the items with the most photos come first.
fn find(context: ProviderContext<'_>, text: &str) -> Vec<Item> {
    let query = CirrusQuery::parse(text);
    let mut found: Vec<Item> = all(context)
        .filter(|item| {
            let facts = PageFacts {
                file_type: None,
                statements: &[("P31", item.class)],
            };
            let described = item.description.as_deref();
            let words = item.aliases.iter().map(String::as_str).chain(described);
            let page = PageText::new(&item.label, words, &[]);
            query.admits(&facts) && query.score(&page).is_some()
        })
        .collect();
    let wanted = name_folding::words(text);
    found.sort_by_key(|item| {
        let is_named = item.names().any(|name| {
            let words = name_folding::words(name);
            words.iter().all(|word| wanted.contains(word))
        });
        (!is_named, Reverse(item.photos), item.id.clone())
    });
    found
}
