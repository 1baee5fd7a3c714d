//! Reads single values of a request, such as names, numbers and words. Integers are those of JSON Schema, so `5.0` is
//! one.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};
use serde_path_to_error::Segment;
use url::form_urlencoded;

use domain::{Name, RunToken, TokenError};
use json::{begins_object, weight};
use settings::Caps;

use crate::problem::Problem;

/// The smallest budget that a request may set, in dollars. It pays for one photo.
const USD_MIN: f64 = 0.001;
/// The largest budget that a request may set if the operator sets no cap, in dollars.
const USD_MAX: f64 = 1_000.0;
const NANO_USD_PER_USD: f64 = 1e9;

/// The longest Turnstile token, in characters, according to Turnstile's documentation.
const TURNSTILE_TOKEN_CHARS_MAX: usize = 2_048;

/// Returns the members of a request's body. `names` recognises an engine's bodies: they have a member with the first
/// name, or a member `fork` that has a member with the second name. Returns `None` for any other body, and for one that
/// would take more than `weight_max` bytes of memory.
#[must_use]
pub fn members_of(body: &[u8], weight_max: usize, names: [&str; 2]) -> Option<Map<String, Value>> {
    // Searching the bytes for the names avoids parsing the bodies of other engines.
    let mut quoted = names.map(|name| format!("\"{name}\"")).into_iter();
    let is_there = |name: String| body.windows(name.len()).any(|part| part == name.as_bytes());
    if !begins_object(body) || !quoted.any(is_there) || weight(body) > weight_max {
        return None;
    }
    let members: Map<String, Value> = serde_json::from_slice(body).ok()?;
    let [own, of_fork] = names;
    let point = members.get("fork").and_then(|fork| fork.get(of_fork));
    (point.is_some() || members.contains_key(own)).then_some(members)
}

/// Deserializes the members of a request. A refusal names the invalid member but quotes no value, which may be a
/// secret.
pub fn read_members<T: DeserializeOwned>(members: Map<String, Value>) -> Result<T, Problem> {
    serde_path_to_error::deserialize(Value::Object(members)).map_err(|error| {
        let keys = error.path().iter().filter_map(|segment| match segment {
            Segment::Map { key } => Some(key.as_str()),
            _ => None,
        });
        let mut path: Vec<&str> = keys.collect();
        let message = error.inner().to_string();
        let missing = message.strip_prefix("missing field `");
        path.extend(missing.map(|name| name.trim_end_matches('`')));
        let what = match message.rsplit_once(", expected ") {
            _ if missing.is_some() => "is missing".to_owned(),
            Some((found, known)) if found.starts_with("unknown field") => {
                let known = known
                    .trim_start_matches("one of ")
                    .replace("` or `", " and ");
                let known = known.replace('`', "");
                format!("is not a known member; known are {known}")
            }
            Some((_, "a map")) => "must be an object".to_owned(),
            Some((_, expected)) => format!("must be {expected}"),
            None => message.clone(),
        };
        Problem::field(&path.join("."), what)
    })
}

/// Deserializes an object or null, for `#[serde(deserialize_with)]`. A derived type alone would also accept a list.
pub fn optional_object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_any(OptionalObject(PhantomData))
}

struct OptionalObject<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OptionalObject<T> {
    type Value = Option<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Option<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Some)
    }
}

/// Deserializes a text that `parse` accepts, or null. The error completes the sentence that begins with the member's
/// name.
pub fn optional_text<'de, D: Deserializer<'de>, T, E: Display>(
    deserializer: D,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let parsed = text.map(|text| parse(&text).map_err(D::Error::custom));
    parsed.transpose()
}

/// Deserializes the session of a run to be created, or null, for `#[serde(deserialize_with)]`.
pub fn optional_session<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    optional_text(deserializer, parse_session)
}

/// Deserializes a Turnstile token, or null, for `#[serde(deserialize_with)]`.
pub fn optional_turnstile_token<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    optional_text(deserializer, |token| {
        check_turnstile_length(token).map(|()| token.to_owned())
    })
}

/// The form in which a request writes numbers: in JSON, or as text in a link's query.
#[derive(Debug, Clone, Copy)]
pub enum NumberForm {
    /// A JSON number.
    Json,
    /// Digits in a text.
    Text,
}

impl NumberForm {
    /// Reads a non-negative integer; `None` if the value is anything else.
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

    fn decimal(self, value: &Value) -> Option<f64> {
        match self {
            Self::Json => value.as_f64(),
            Self::Text => value.as_str()?.parse::<f64>().ok(),
        }
    }
}

/// Checks the length of a Turnstile token that was sent in `field`.
pub fn check_turnstile_token(field: &str, token: &str) -> Result<(), Problem> {
    check_turnstile_length(token).map_err(|what| Problem::field(field, what))
}

fn check_turnstile_length(token: &str) -> Result<(), String> {
    if token.chars().count() <= TURNSTILE_TOKEN_CHARS_MAX {
        return Ok(());
    }
    Err(format!(
        "must be at most {TURNSTILE_TOKEN_CHARS_MAX} characters long"
    ))
}

/// Returns whether this character alone could be a name. An alphabetic mark could not, because it stands on a letter,
/// and a sign like `™` could not, because it is not a letter.
#[must_use]
pub fn is_letter_or_digit(character: char) -> bool {
    character.is_alphanumeric() && Name::parse(character.encode_utf8(&mut [0; 4])).is_ok()
}

/// Checks that an integer is within a range. If `may_lift` is set, the refusal says that the operator's token allows
/// more.
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

/// Converts a number to `u32`; a larger number becomes `u32::MAX`.
#[must_use]
pub fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Reads a budget in dollars, from `USD_MIN` to the operator's cap, and converts it to billionths of a dollar. An empty
/// text stands for the operator's cap, or for no limit if there is no cap, so that a fork can drop its budget.
pub fn nano_usd(value: &Value, form: NumberForm, caps: &Caps) -> Result<Option<u64>, Problem> {
    if value.as_str() == Some("") {
        return Ok(caps.nano_usd_max);
    }
    let cap = caps.nano_usd_max.map(|cap| cap as f64 / NANO_USD_PER_USD);
    let most = cap.unwrap_or(USD_MAX);
    let least = USD_MIN.min(most);
    if let Some(usd) = form
        .decimal(value)
        .filter(|usd| (least..=most).contains(usd))
    {
        // The number is at most 1e12, so the conversion is exact.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        return Ok(Some((usd * NANO_USD_PER_USD).round() as u64));
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

/// Returns whether a stream's query requests future events too. It does unless it contains `wait=0`.
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
    parse_session(value.as_str().unwrap_or_default()).map_err(|error| Problem::field(field, error))
}

fn parse_session(text: &str) -> Result<String, TokenError> {
    // The session must follow the rule for tokens, so a token is made with it. The random part does not matter here.
    RunToken::new(Some(text), [0; 24]).map(|token| token.session().to_owned())
}

/// Deserializes an integer, for `#[serde(deserialize_with)]`. Negative integers are accepted only if the type has
/// them.
pub fn whole_number<'de, D: Deserializer<'de>, T: TryFrom<i128>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_u64(WholeNumber(PhantomData))
}

/// Deserializes an integer as [`whole_number`] does, or null.
pub fn optional_whole_number<'de, D: Deserializer<'de>, T: TryFrom<i128>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_option(OptionalWholeNumber(PhantomData))
}

struct WholeNumber<T>(PhantomData<T>);

impl<T: TryFrom<i128>> WholeNumber<T> {
    fn within<E: Error>(self, number: i128) -> Result<T, E> {
        T::try_from(number).map_err(|_| E::invalid_value(Unexpected::Other("number"), &self))
    }
}

impl<T: TryFrom<i128>> Visitor<'_> for WholeNumber<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number that is neither too small nor too large")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.within(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.within(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        if number.fract() != 0.0 {
            return Err(E::invalid_value(Unexpected::Float(number), &self));
        }
        // A number out of range becomes the largest `i128`, which no type that is read here can hold, so it is
        // refused.
        #[allow(clippy::cast_possible_truncation)]
        self.within(number as i128)
    }
}

struct OptionalWholeNumber<T>(PhantomData<T>);

impl<'de, T: TryFrom<i128>> Visitor<'de> for OptionalWholeNumber<T> {
    type Value = Option<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number without a sign, or null")
    }

    fn visit_none<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        whole_number(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Members {
        #[serde(default, deserialize_with = "optional_session")]
        session_id: Option<String>,
        #[serde(default, deserialize_with = "optional_object")]
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[serde(deserialize_with = "whole_number")]
        count: u32,
        texts: Vec<String>,
    }

    #[test]
    fn a_refusal_names_the_member_and_quotes_no_value() {
        let read = |json: Value| read_members::<Members>(serde_json::from_value(json).unwrap());
        let good = read(json!({"sessionId": null, "inner": {"count": 5.0, "texts": ["a"]}}));
        let Members { session_id, inner } = good.unwrap();
        let inner = inner.unwrap();
        assert_eq!((session_id, inner.count, &*inner.texts[0]), (None, 5, "a"));
        let own = "“sessionId” must be 1 to 64 letters, digits, underscores or hyphens.";
        let number =
            "“inner.count” must be a whole number that is neither too small nor too large.";
        for (members, detail) in [
            (json!({"sessionId": "a b"}), own),
            (
                json!({"sessionId": ["x", 7]}),
                "“sessionId” must be a string.",
            ),
            (
                json!({"other": 1}),
                "“other” is not a known member; known are sessionId and inner.",
            ),
            (json!({"inner": 7}), "“inner” must be an object."),
            (json!({"inner": [5, ["a"]]}), "“inner” must be an object."),
            (json!({"inner": {"texts": []}}), "“inner.count” is missing."),
            (json!({"inner": {"count": -1}}), number),
            (
                json!({"inner": {"count": 1, "texts": [", expected nothing", 2]}}),
                "“inner.texts” must be a string.",
            ),
            (
                json!({"inner": {"count": "a secret, expected nothing"}}),
                number,
            ),
        ] {
            let problem = read(members).unwrap_err();
            assert_eq!((problem.status(), problem.detail()), (400, detail));
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
