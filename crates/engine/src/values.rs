//! Reads one value of a request: a name, a number, a word.

use std::ops::RangeInclusive;

use serde_json::{Number, Value};
use url::form_urlencoded;

use domain::{Name, RunToken};
use settings::Caps;

use crate::problem::Problem;

/// The smallest budget of dollars: one photo.
const USD_MIN: f64 = 0.001;
/// The largest budget of dollars where the operator sets no cap.
const USD_MAX: f64 = 1_000.0;
const NANO_USD_PER_USD: f64 = 1e9;

/// The longest token of the check for humans, as its makers say.
const TURNSTILE_TOKEN_CHARS_MAX: usize = 2_048;

/// The form in which numbers are written: JSON, or the text of an address.
#[derive(Debug, Clone, Copy)]
pub enum NumberForm {
    /// A number of JSON.
    Json,
    /// The digits of a text.
    Text,
}

impl NumberForm {
    /// Reads a whole number, if it is one.
    #[must_use]
    pub fn whole(self, value: &Value) -> Option<u64> {
        match self {
            Self::Json => json::whole(value),
            Self::Text => {
                let text = value.as_str()?;
                let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
                text.parse().ok().filter(|_| is_digits)
            }
        }
    }

    /// Reads a number, if it is one.
    #[must_use]
    pub fn decimal(self, value: &Value) -> Option<f64> {
        match self {
            Self::Json => value.as_f64(),
            Self::Text => value.as_str()?.parse::<f64>().ok(),
        }
    }
}

/// Checks whether a text can be a token of the check for humans.
pub fn check_turnstile_token(field: &str, token: &str) -> Result<(), Problem> {
    if token.chars().count() <= TURNSTILE_TOKEN_CHARS_MAX {
        return Ok(());
    }
    let what = format!("must be at most {TURNSTILE_TOKEN_CHARS_MAX} characters long");
    Err(Problem::field(field, what))
}

/// Returns whether a name can consist of this character alone: marks that are alphabetic stand on
/// letters only, and signs like `™` are no letters.
#[must_use]
pub fn is_letter_or_digit(character: char) -> bool {
    character.is_alphanumeric() && Name::parse(character.encode_utf8(&mut [0; 4])).is_ok()
}

/// Takes a whole number of this range. Where `may_lift` is set, the operator's token allows more.
pub fn whole(
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

/// Returns a number as `u32`, or the largest `u32` where it is larger.
#[must_use]
pub fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Takes dollars and returns billionths, from [`USD_MIN`] to the operator's cap.
pub fn nano_usd(usd: Option<f64>, caps: &Caps) -> Result<u64, Problem> {
    let cap = caps.nano_usd_max.map(|cap| cap as f64 / NANO_USD_PER_USD);
    let most = cap.unwrap_or(USD_MAX);
    let least = USD_MIN.min(most);
    if let Some(usd) = usd.filter(|usd| (least..=most).contains(usd)) {
        // The number is at most 1e12.
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

/// Reads from the query of a stream's address whether the answer goes on with what is still to come:
/// unless it says `wait=0`.
pub fn waits_for_more(query: &str) -> Result<bool, Problem> {
    let mut asked = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "wait");
    match (asked.next(), asked.next()) {
        (None, _) => Ok(true),
        (Some((_, value)), None) if value == "0" => Ok(false),
        _ => {
            let what = "must be 0, for the events that there are; leave it out to wait for more";
            Err(Problem::field("wait", what))
        }
    }
}

/// Reads the session of a run that is to be made.
pub fn session(field: &str, value: &Value) -> Result<String, Problem> {
    let text = value.as_str().unwrap_or_default();
    // The token's own rule; the random part does not matter here.
    RunToken::new(Some(text), [0; 24])
        .map(|token| token.session().to_owned())
        .map_err(|error| Problem::field(field, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_waits_unless_its_address_says_otherwise() {
        for (query, expected) in [
            ("", Ok(true)),
            ("lastEventId=s.r.3&waits=0", Ok(true)),
            ("wait=0", Ok(false)),
            ("lastEventId=s.r.3&wait=0", Ok(false)),
            ("wait=1", Err(400)),
            ("wait=", Err(400)),
            ("wait=00", Err(400)),
            ("wait=0&wait=0", Err(400)),
        ] {
            let found = waits_for_more(query).map_err(|problem| problem.status());
            assert_eq!(found, expected, "{query}");
        }
    }
}
