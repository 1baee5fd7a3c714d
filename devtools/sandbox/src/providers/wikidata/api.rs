//! Responds to calls of Wikidata's API, according to the action.

use super::super::context::ProviderContext;
use super::super::mediawiki::{ApiCall, Site};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::{claims, entities, names, search};

/// Returns the query of a request for the call log: a search text, or the numbers of items.
pub(crate) fn query_of(request: &ParsedRequest) -> String {
    let asked = ["srsearch", "search", "ids", "entity"].map(|name| request.parameter(name));
    asked
        .into_iter()
        .flatten()
        .next()
        .unwrap_or_default()
        .to_owned()
}

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let mut call = match ApiCall::open(Site::Wikidata, request) {
        Ok(call) => call,
        Err(refusal) => return *refusal,
    };
    let action = match call.choice(
        "action",
        &["query", "wbsearchentities", "wbgetentities", "wbgetclaims"],
    ) {
        Ok(action) => action,
        Err(refusal) => return *refusal,
    };
    let body = match action {
        Some("query") => search::body(context, &mut call),
        Some("wbsearchentities") => names::body(context, &mut call),
        Some("wbgetclaims") => claims::body(context, &mut call),
        Some(_) => entities::body(context, &mut call),
        None => {
            let page = "<!DOCTYPE html>\n<title>MediaWiki API help</title>\n";
            return Reply::html(200, page);
        }
    };
    match body {
        Ok(body) => call.finish(body),
        Err(refusal) => *refusal,
    }
}
