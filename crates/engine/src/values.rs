//! Reads single values of a request: a name, a number, a word. Integers are those of JSON Schema: `5.0` is one.

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::Deserializer;
use serde::de::{Error, Visitor};
use serde_json::{Number, Value};
use url::form_urlencoded;

use domain::{Name, RunToken};
use settings::Caps;

use crate::problem::Problem;

/// The smallest budget in dollars: one photo.
const USD_MIN: f64 = 0.001;
/// The largest budget in dollars if the operator sets no cap.
const USD_MAX: f64 = 1_000.0;
const NANO_USD_PER_USD: f64 = 1e9;

/// The longest Turnstile token, according to its documentation.
const TURNSTILE_TOKEN_CHARS_MAX: usize = 2_048;

/// How numbers are written: in JSON or as the text of an address.
#[derive(Debug, Clone, Copy)]
pub enum NumberForm {
    /// A JSON number.
    Json,
    /// Digits in a text.
    Text,
}

impl NumberForm {
    /// Reads an integer.
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

    /// Reads a number.
    #[must_use]
    pub fn decimal(self, value: &Value) -> Option<f64> {
        match self {
            Self::Json => value.as_f64(),
            Self::Text => value.as_str()?.parse::<f64>().ok(),
        }
    }
}

/// Checks the length of a Turnstile token.
pub fn check_turnstile_token(field: &str, token: &str) -> Result<(), Problem> {
    if token.chars().count() <= TURNSTILE_TOKEN_CHARS_MAX {
        return Ok(());
    }
    let what = format!("must be at most {TURNSTILE_TOKEN_CHARS_MAX} characters long");
    Err(Problem::field(field, what))
}

/// Returns whether a name can consist of this character alone. Alphabetic marks cannot, since they stand on letters,
/// and signs like `™` are not letters.
#[must_use]
pub fn is_letter_or_digit(character: char) -> bool {
    character.is_alphanumeric() && Name::parse(character.encode_utf8(&mut [0; 4])).is_ok()
}

/// Checks a whole number against a range. If `may_lift` is set, the operator's token allows more.
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

/// Returns a number as `u32`, saturating.
#[must_use]
pub fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Converts dollars, from [`USD_MIN`] to the operator's cap, to billionths.
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

/// Returns whether a stream's query asks for future events too: it does unless it says `wait=0`.
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

/// Reads the session of a run to be created.
pub fn session(field: &str, value: &Value) -> Result<String, Problem> {
    let text = value.as_str().unwrap_or_default();
    // The token's own rule applies; the random part is irrelevant here.
    RunToken::new(Some(text), [0; 24])
        .map(|token| token.session().to_owned())
        .map_err(|error| Problem::field(field, error))
}

/// Reads an integer, for `#[serde(deserialize_with)]`; negative ones only if the type has them.
pub fn whole_number<'de, D: Deserializer<'de>, T: TryFrom<i128>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_u64(WholeNumber(PhantomData))
}

/// Reads an integer like [`whole_number`], or null.
pub fn optional_whole_number<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    deserializer.deserialize_option(OptionalWholeNumber)
}

struct WholeNumber<T>(PhantomData<T>);

impl<T: TryFrom<i128>> WholeNumber<T> {
    fn within<E: Error>(number: i128) -> Result<T, E> {
        T::try_from(number).map_err(|_| E::custom("a number is too large, or too small"))
    }
}

impl<T: TryFrom<i128>> Visitor<'_> for WholeNumber<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        Self::within(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        Self::within(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        if number.fract() != 0.0 {
            return Err(E::custom("a number is not whole"));
        }
        // A number out of range becomes the largest `i128`, which is too large for every type that is read.
        #[allow(clippy::cast_possible_truncation)]
        Self::within(number as i128)
    }
}

struct OptionalWholeNumber;

impl<'de> Visitor<'de> for OptionalWholeNumber {
    type Value = Option<u64>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number without a sign, or null")
    }

    fn visit_none<E: Error>(self) -> Result<Option<u64>, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<u64>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<u64>, D::Error> {
        whole_number(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

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

    #[derive(Debug, PartialEq, Deserialize)]
    struct Numbers {
        #[serde(deserialize_with = "whole_number")]
        small: u32,
        #[serde(default, deserialize_with = "optional_whole_number")]
        large: Option<u64>,
        #[serde(default, deserialize_with = "whole_number")]
        signed: i64,
    }

    fn read(small: &str, large: &str) -> Option<(u32, Option<u64>)> {
        let text = format!(r#"{{"small":{small},"large":{large}}}"#);
        let read: Numbers = serde_json::from_str(&text).ok()?;
        Some((read.small, read.large))
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        assert_eq!(read("5", "7"), Some((5, Some(7))));
        assert_eq!(read("5.0", "7e3"), Some((5, Some(7_000))));
        assert_eq!(read("0.0", "null"), Some((0, None)));
        let most = "18446744073709551615";
        assert_eq!(read("4294967295", most), Some((u32::MAX, Some(u64::MAX))));
        for other in ["-1", "-1.0", "5.5", "4294967296", "1e10", "null", "\"5\""] {
            assert_eq!(read(other, "7"), None, "{other}");
        }
        for other in ["-1", "5.5", "1e20", "\"5\"", "[]"] {
            assert_eq!(read("5", other), None, "{other}");
        }
        let absent: Numbers = serde_json::from_str(r#"{"small":5}"#).unwrap();
        assert_eq!(absent.large, None);
    }

    #[test]
    fn a_sign_is_read_where_the_type_has_one() {
        let read = |signed: &str| {
            let text = format!(r#"{{"small":5,"signed":{signed}}}"#);
            let read: Option<Numbers> = serde_json::from_str(&text).ok();
            read.map(|read| read.signed)
        };
        assert_eq!(read("-5"), Some(-5));
        assert_eq!(read("-5.0"), Some(-5));
        assert_eq!(read("5e17"), Some(500_000_000_000_000_000));
        assert_eq!(read("-9223372036854775808"), Some(i64::MIN));
        for other in ["9223372036854775808", "1e300", "-1e300", "0.5"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
