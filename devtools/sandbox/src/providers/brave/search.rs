//! Responds to a search, with its results in Brave's envelope.

use serde_json::{Value, json};

use super::super::context::ProviderContext;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::parameters::read;
use super::results::result;

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    let query = match read(context, request) {
        Ok(query) => query,
        Err(refusal) => return *refusal,
    };
    let found = context.search(query.text).into_iter();
    let results: Vec<Value> = found
        .take(query.count)
        .filter_map(|photo| result(context, photo))
        .collect();
    let answer = json!({
        "type": "images",
        "query": {"original": query.text, "spellcheck_off": !query.is_spellchecked,
            "show_strict_warning": false},
        "results": results,
        "extra": {"might_be_offensive": false},
    });
    Reply::json(200, &answer)
        .with_named("x-ratelimit-limit", "50, 1000")
        .with_named("x-ratelimit-remaining", "49, 999")
        .with_named("x-ratelimit-reset", "1, 1419704")
}
