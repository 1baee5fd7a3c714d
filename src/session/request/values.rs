//! One value of a request: a name, a number, a word.

use std::ops::RangeInclusive;

use serde_json::{Number, Value};

use crate::domain::{NAME_CHARS_MAX, Name, NameError, Pace, Plan, WikidataNumber};
use crate::journal::AVOID_MAX;
use crate::session::identifiers::RunToken;
use crate::session::settings::Caps;

use super::problem::Problem;

/// The smallest budget of dollars: one photo.
const USD_MIN: f64 = 0.001;
/// The largest one where the operator sets no cap.
const USD_MAX: f64 = 1_000.0;
const NANO_USD_PER_USD: f64 = 1e9;

/// How numbers are written: as JSON, or as the text of an address.
#[derive(Debug, Clone, Copy)]
pub(in crate::session) enum NumberForm {
    Json,
    Text,
}

impl NumberForm {
    pub(in crate::session) fn whole(self, value: &Value) -> Option<u64> {
        match self {
            // In JSON Schema 5.0 is a whole number, too.
            Self::Json => value.as_u64().or_else(|| whole_of(value.as_f64()?)),
            Self::Text => {
                let text = value.as_str()?;
                let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
                text.parse().ok().filter(|_| is_digits)
            }
        }
    }

    pub(in crate::session) fn decimal(self, value: &Value) -> Option<f64> {
        match self {
            Self::Json => value.as_f64(),
            Self::Text => value.as_str()?.parse().ok(),
        }
    }
}

/// Beyond this some whole numbers are no binary fractions.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

fn whole_of(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number);
    // At most 2^53, and not below 0.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    is_whole.then_some(number as u64)
}

pub(super) fn name(field: &str, value: &Value) -> Result<Name, Problem> {
    let text = value
        .as_str()
        .ok_or_else(|| Problem::field(field, "must be a name"))?;
    // Told of the text as it is sent, spaces included: so the API's description can say the same.
    let parsed = if text.chars().count() > NAME_CHARS_MAX {
        Err(NameError::TooLong)
    } else if text.chars().any(is_letter_or_digit) {
        Name::parse(text)
    } else {
        Name::parse(text).and(Err(NameError::NoLetter))
    };
    parsed.map_err(|error| Problem::field(field, error))
}

/// Whether a name can consist of it: marks that are alphabetic stand on letters only, and signs like
/// `™` are none.
#[must_use]
pub fn is_letter_or_digit(character: char) -> bool {
    character.is_alphanumeric() && Name::parse(character.encode_utf8(&mut [0; 4])).is_ok()
}

/// A whole number of this range. More may be a matter of who asks.
pub(in crate::session) fn whole(
    key: &str,
    number: Option<u64>,
    range: RangeInclusive<u64>,
    may_lift: bool,
) -> Result<u64, Problem> {
    let (least, most) = (range.start(), range.end());
    let what = format!("must be a whole number from {least} to {most}");
    match number {
        Some(number) if range.contains(&number) => Ok(number),
        Some(number) if may_lift && number > *most => {
            Err(Problem::field(key, format!("{what}; more needs the operator's token")).with(401))
        }
        _ => Err(Problem::field(key, what).within((*least).into(), (*most).into())),
    }
}

pub(in crate::session) fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Dollars in billionths, from [`USD_MIN`] to the operator's cap.
pub(in crate::session) fn nano_usd(usd: Option<f64>, caps: &Caps) -> Result<u64, Problem> {
    let cap = caps.nano_usd_max.map(|cap| cap as f64 / NANO_USD_PER_USD);
    let most = cap.unwrap_or(USD_MAX);
    let least = USD_MIN.min(most);
    if let Some(usd) = usd.filter(|usd| (least..=most).contains(usd)) {
        // At most 1e12.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        return Ok((usd * NANO_USD_PER_USD).round() as u64);
    }
    let problem = Problem::field(
        "budgetUsd",
        format!("must be dollars from {least} to {most}"),
    );
    let range = Number::from_f64(least).zip(Number::from_f64(most));
    Err(match range {
        Some((least, most)) => problem.within(least, most),
        None => problem,
    })
}

/// A Wikidata number; an empty text takes it away again, for a fork.
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

pub(in crate::session) fn session(field: &str, value: &Value) -> Result<String, Problem> {
    let text = value.as_str().unwrap_or_default();
    // The token's own rule; the random part does not matter here.
    RunToken::new(Some(text), [0; 24])
        .map(|token| token.session().to_owned())
        .map_err(|error| Problem::field(field, error))
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
