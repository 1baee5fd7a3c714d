//! The errors of MediaWiki's API. They have status 200, a header, and an object in the body.
//!
//! They follow mediawiki.org, `API:Errors_and_warnings`.

use serde_json::{Map, Value, json};

use super::super::reply::Reply;
use super::site::Site;

/// Makes a reply with JSON, with the formatting and headers of the API.
pub(super) fn answer(body: &Value) -> Reply {
    let text = body.to_string().into_bytes();
    Reply::new(200, "application/json; charset=utf-8", text)
}

/// Returns the error with this code and these additional members. The older format has another name for the member that
/// points to the documentation.
pub(super) fn error_with(
    site: Site,
    is_modern: bool,
    (code, info): (&str, &str),
    more: Map<String, Value>,
) -> Reply {
    let host = site.host();
    let pointer = format!(
        "See https://{host}/w/api.php for API usage. Subscribe to the mediawiki-api-announce mailing list at &lt;https://lists.wikimedia.org/postorius/lists/mediawiki-api-announce.lists.wikimedia.org/&gt; for notice of API deprecations and breaking changes."
    );
    let mut error = Map::from_iter([
        ("code".to_owned(), json!(code)),
        ("info".into(), json!(info)),
    ]);
    error.extend(more);
    let member = if is_modern { "docref" } else { "*" };
    error.insert(member.to_owned(), pointer.into());
    answer(&json!({"error": error, "servedby": "mw-api-ext.eqiad.main-6d5f7c8b9-x2x7p"}))
        .with_named("mediawiki-api-error", code)
        .with_named("cache-control", "private, must-revalidate, max-age=0")
}

pub(super) fn error(site: Site, is_modern: bool, code: &str, info: &str) -> Reply {
    error_with(site, is_modern, (code, info), Map::new())
}
