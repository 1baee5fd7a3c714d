//! Responds to a search: checks its parameters, then counts and pages its results.

use serde_json::{Value, json};

use crate::hash::{hash, unit};

use super::super::context::ProviderContext;
use super::super::google_errors::{bad_key, invalid_argument, no_key};
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::field_mask::FieldMask;
use super::items::item;

/// The parameters that a query may have, according to the API's `discovery` document.
const PARAMETERS: [&str; 44] = [
    "key",
    "cx",
    "q",
    "searchType",
    "num",
    "start",
    "safe",
    "imgType",
    "imgSize",
    "imgColorType",
    "imgDominantColor",
    "rights",
    "dateRestrict",
    "filter",
    "siteSearch",
    "siteSearchFilter",
    "fileType",
    "exactTerms",
    "excludeTerms",
    "orTerms",
    "hq",
    "gl",
    "hl",
    "lr",
    "cr",
    "sort",
    "c2coff",
    "snippetLength",
    "fields",
    "prettyPrint",
    "alt",
    "quotaUser",
    "callback",
    "access_token",
    "oauth_token",
    "$.xgafv",
    "linkSite",
    "relatedSite",
    "highRange",
    "lowRange",
    "googlehost",
    "enableAlternateSearchHandler",
    "uploadType",
    "upload_protocol",
];
const TOP_LEVEL: [&str; 9] = [
    "kind",
    "url",
    "queries",
    "context",
    "searchInformation",
    "spelling",
    "items",
    "promotions",
    "*",
];
const CHOICES: [(&str, &[&str]); 5] = [
    ("safe", &["active", "off", "high", "medium"]),
    (
        "imgType",
        &["clipart", "face", "lineart", "stock", "photo", "animated"],
    ),
    (
        "imgSize",
        &[
            "HUGE", "ICON", "LARGE", "MEDIUM", "SMALL", "XLARGE", "XXLARGE",
        ],
    ),
    ("imgColorType", &["mono", "gray", "color", "trans"]),
    ("searchType", &["image"]),
];

/// The checked parameters of a search.
struct SearchQuery<'a> {
    text: &'a str,
    num: usize,
    start: usize,
    images: bool,
    mask: FieldMask,
    pretty: bool,
}

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    match read(context, request) {
        Ok(query) => found(context, &query),
        Err(refusal) => *refusal,
    }
}

fn read<'a>(
    context: ProviderContext<'_>,
    request: &'a ParsedRequest,
) -> Result<SearchQuery<'a>, Box<Reply>> {
    let credentials = context.credentials;
    let key = request
        .header("x-goog-api-key")
        .or_else(|| request.parameter("key"))
        .ok_or_else(|| Box::new(no_key()))?;
    if key != credentials.google_key {
        return Err(Box::new(bad_key("customsearch.googleapis.com")));
    }
    let invalid = || refusal("Request contains an invalid argument.");
    if let Some((unknown, _)) = request
        .parameters
        .iter()
        .find(|(name, _)| !PARAMETERS.contains(&name.as_str()))
    {
        return Err(refusal(&format!(
            "Invalid JSON payload received. Unknown name \"{unknown}\": Cannot bind query parameter. Field '{unknown}' could not be found in request message."
        )));
    }
    let text = request
        .parameter("q")
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(invalid)?;
    if request.parameter("cx") != Some(&credentials.google_cx) {
        return Err(invalid());
    }
    for (name, choices) in CHOICES {
        let known = |value: &str| {
            choices
                .iter()
                .any(|choice| choice.eq_ignore_ascii_case(value))
        };
        if request.parameter(name).is_some_and(|value| !known(value)) {
            return Err(invalid());
        }
    }
    let number = |name: &str, otherwise: usize| match request.parameter(name) {
        None => Ok(otherwise),
        Some(digits) => digits.parse::<usize>().map_err(|_| invalid()),
    };
    let (num, start) = (number("num", 10)?, number("start", 1)?);
    if !(1..=10).contains(&num) || start == 0 || start.saturating_add(num) > 100 {
        return Err(invalid());
    }
    Ok(SearchQuery {
        text,
        num,
        start,
        images: request.parameter("searchType").is_some(),
        mask: mask(request)?,
        pretty: request.parameter("prettyPrint") != Some("false"),
    })
}

fn refusal(message: &str) -> Box<Reply> {
    Box::new(invalid_argument(message))
}

fn mask(request: &ParsedRequest) -> Result<FieldMask, Box<Reply>> {
    let Some(text) = request.parameter("fields") else {
        return Ok(FieldMask::default());
    };
    let mask = FieldMask::parse(text)
        .ok_or_else(|| refusal(&format!("Invalid field selection {text}")))?;
    if let Some(name) = mask.names().find(|name| !TOP_LEVEL.contains(name)) {
        return Err(refusal(&format!(
            "Error expanding 'fields' parameter. Cannot find matching fields for path '{name}'."
        )));
    }
    Ok(mask)
}

fn found(context: ProviderContext<'_>, query: &SearchQuery<'_>) -> Reply {
    let all = context.search(query.text);
    let total = all.len();
    let page: Vec<usize> = all
        .into_iter()
        .skip(query.start - 1)
        .take(query.num)
        .collect();
    let items: Vec<Value> = page
        .into_iter()
        .filter_map(|photo| item(context, query.text, query.images, photo))
        .collect();
    let seconds = 0.1 + unit(hash(&["search time".into(), query.text.into()])) * 0.9;
    let mut answer = json!({
        "kind": "customsearch#search",
        "url": {"type": "application/json", "template": "https://www.googleapis.com/customsearch/v1?q={searchTerms}&num={count?}&start={startIndex?}&lr={language?}&safe={safe?}&cx={cx?}&sort={sort?}&filter={filter?}&gl={gl?}&cr={cr?}&googlehost={googleHost?}&c2coff={disableCnTwTranslation?}&hq={hq?}&hl={hl?}&siteSearch={siteSearch?}&siteSearchFilter={siteSearchFilter?}&exactTerms={exactTerms?}&excludeTerms={excludeTerms?}&linkSite={linkSite?}&orTerms={orTerms?}&dateRestrict={dateRestrict?}&lowRange={lowRange?}&highRange={highRange?}&searchType={searchType}&fileType={fileType?}&rights={rights?}&imgSize={imgSize?}&imgType={imgType?}&imgColorType={imgColorType?}&imgDominantColor={imgDominantColor?}&alt=json"},
        "queries": queries(context, query, total, items.len()),
        "context": {"title": "search"},
        "searchInformation": {
            "searchTime": (seconds * 1e6).round() / 1e6,
            "formattedSearchTime": format!("{seconds:.2}"),
            "totalResults": total.to_string(),
            "formattedTotalResults": grouped(total),
        },
    });
    if !items.is_empty()
        && let Some(members) = answer.as_object_mut()
    {
        members.insert("items".to_owned(), Value::Array(items));
    }
    let answer = query.mask.apply(answer);
    if query.pretty {
        Reply::pretty(200, &answer)
    } else {
        Reply::json(200, &answer)
    }
}

fn queries(
    context: ProviderContext<'_>,
    query: &SearchQuery<'_>,
    total: usize,
    shown: usize,
) -> Value {
    let page = |start: usize, count: usize| {
        let mut page = json!({
            "title": format!("Google Custom Search - {}", query.text),
            "totalResults": total.to_string(), "searchTerms": query.text, "count": count,
            "startIndex": start, "inputEncoding": "utf8", "outputEncoding": "utf8", "safe": "off",
            "cx": context.credentials.google_cx,
        });
        if query.images
            && let Some(members) = page.as_object_mut()
        {
            members.insert("searchType".to_owned(), "image".into());
        }
        json!([page])
    };
    let mut queries = serde_json::Map::new();
    queries.insert("request".to_owned(), page(query.start, shown));
    let next = query.start + query.num;
    if next <= total && next + query.num <= 100 {
        queries.insert("nextPage".to_owned(), page(next, query.num));
    }
    if query.start > 1 {
        let before = query.start.saturating_sub(query.num).max(1);
        queries.insert("previousPage".to_owned(), page(before, query.num));
    }
    Value::Object(queries)
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
