//! One value of a question: a name, a number of Wikidata's, a word.

use serde_json::Value;

use domain::{AVOID_MAX, NAME_CHARS_MAX, Name, NameError, Pace, Plan, WikidataNumber};
use engine::Problem;
use engine::values::{NumberForm, is_letter_or_digit};

pub(super) fn name(field: &str, value: &Value) -> Result<Name, Problem> {
    let text = value
        .as_str()
        .ok_or_else(|| Problem::field(field, "must be a name"))?;
    // The length is that of the text as it is sent, spaces included, so that the API's description
    // can say the same.
    let parsed = if text.chars().count() > NAME_CHARS_MAX {
        Err(NameError::TooLong)
    } else if text.chars().any(is_letter_or_digit) {
        Name::parse(text)
    } else {
        Name::parse(text).and(Err(NameError::NoLetter))
    };
    parsed.map_err(|error| Problem::field(field, error))
}

/// Reads a Wikidata number. An empty text takes the number away again, for a fork.
pub(super) fn number_of(field: &str, value: &Value) -> Result<Option<WikidataNumber>, Problem> {
    let is_plain = |text: &&str| {
        text.bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_graphic())
    };
    match value.as_str().filter(is_plain).map(str::trim) {
        Some("") => Ok(None),
        text => match text.and_then(WikidataNumber::parse) {
            Some(number) => Ok(Some(number)),
            None => Err(Problem::field(field, "must be a Wikidata number, like Q42")),
        },
    }
}

pub(super) fn plan(value: &Value) -> Result<Plan, Problem> {
    value
        .as_str()
        .and_then(Plan::named)
        .ok_or_else(|| Problem::field("plan", "must be both-ends or one-sided"))
}

pub(super) fn pace(value: &Value) -> Result<Pace, Problem> {
    value
        .as_str()
        .and_then(Pace::named)
        .ok_or_else(|| Problem::field("pace", "must be quick or frugal"))
}

/// Reads whether something is wanted: `true` or `false` in JSON, 1 or 0 in an address.
pub(super) fn is_wanted(field: &str, value: &Value, form: NumberForm) -> Result<bool, Problem> {
    match (form, value) {
        (NumberForm::Json, Value::Bool(is_wanted)) => Ok(*is_wanted),
        (NumberForm::Json, _) => Err(Problem::field(field, "must be true or false")),
        (NumberForm::Text, value) => match value.as_str() {
            Some("1") => Ok(true),
            Some("0") => Ok(false),
            _ => Err(Problem::field(field, "must be 1 or 0")),
        },
    }
}

pub(super) fn avoid(value: &Value) -> Result<Vec<Name>, Problem> {
    let values = match value {
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    };
    if values.len() > AVOID_MAX {
        return Err(too_many_to_avoid());
    }
    values.iter().map(|value| name("avoid", value)).collect()
}

pub(super) fn too_many_to_avoid() -> Problem {
    let what = format!("may be given {AVOID_MAX} times at most");
    Problem::field("avoid", what)
}
