//! Checks the header and the parameters of a search, in Brave's order: the key comes first.
//!
//! The checks follow Brave's reference of `GET /res/v1/images/search`.

use super::super::context::ProviderContext;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::errors::{token_invalid, validation};

const PARAMETERS: [&str; 6] = [
    "q",
    "country",
    "search_lang",
    "count",
    "safesearch",
    "spellcheck",
];
const LETTERS_MAX: usize = 400;
const WORDS_MAX: usize = 50;
const COUNT_MAX: usize = 200;

/// The checked parameters of a search.
#[derive(Debug)]
pub(super) struct ImageQuery<'a> {
    pub text: &'a str,
    pub count: usize,
    pub is_spellchecked: bool,
}

pub(super) fn read<'a>(
    context: ProviderContext<'_>,
    request: &'a ParsedRequest,
) -> Result<ImageQuery<'a>, Box<Reply>> {
    let refused =
        |kind: &str, place: (&str, &str), message: &str| Box::new(validation(kind, place, message));
    let token = request.header("x-subscription-token").ok_or_else(|| {
        refused(
            "missing",
            ("header", "x-subscription-token"),
            "Field required",
        )
    })?;
    if token != context.credentials.brave_key {
        return Err(Box::new(token_invalid()));
    }
    let accept = request.header("accept").unwrap_or("*/*");
    if !["application/json", "*/*"]
        .iter()
        .any(|kind| accept.contains(kind))
    {
        let message = "Input should be 'application/json' or '*/*'";
        return Err(refused("literal_error", ("header", "accept"), message));
    }
    let is_unknown = |(name, _): &&(String, String)| !PARAMETERS.contains(&name.as_str());
    if let Some((name, _)) = request.parameters.iter().find(is_unknown) {
        let message = "Extra inputs are not permitted";
        return Err(refused("extra_forbidden", ("query", name), message));
    }
    let text = request
        .parameter("q")
        .ok_or_else(|| refused("missing", ("query", "q"), "Field required"))?;
    let wrong = |name: &str, message: &str| Err(refused("value_error", ("query", name), message));
    match (text.chars().count(), text.split_whitespace().count()) {
        (0, _) | (_, 0) => return wrong("q", "String should have at least 1 character"),
        (LETTERS_MAX.., _) if text.chars().count() > LETTERS_MAX => {
            return wrong("q", "String should have at most 400 characters");
        }
        (_, words) if words > WORDS_MAX => {
            return wrong("q", "Value error, Query has too many words");
        }
        _ => {}
    }
    let is_code = |text: &str| {
        (2..=7).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    };
    if request
        .parameter("country")
        .is_some_and(|code| code != "ALL" && (code.len() != 2 || !is_code(code)))
    {
        return wrong("country", "Input should be a supported country");
    }
    if request
        .parameter("search_lang")
        .is_some_and(|code| !is_code(code))
    {
        return wrong("search_lang", "Input should be a supported language");
    }
    let known = |name: &str, values: &[&str]| {
        request
            .parameter(name)
            .is_none_or(|value| values.contains(&value))
    };
    if !known("safesearch", &["off", "strict"]) {
        return wrong("safesearch", "Input should be 'off' or 'strict'");
    }
    if !known("spellcheck", &["true", "false", "1", "0"]) {
        return wrong("spellcheck", "Input should be a valid boolean");
    }
    let count = match request.parameter("count") {
        None => Some(50),
        Some(digits) => digits
            .parse()
            .ok()
            .filter(|count| (1..=COUNT_MAX).contains(count)),
    };
    let Some(count) = count else {
        return wrong("count", "Input should be from 1 to 200");
    };
    Ok(ImageQuery {
        text,
        count,
        is_spellchecked: !matches!(request.parameter("spellcheck"), Some("false" | "0")),
    })
}
