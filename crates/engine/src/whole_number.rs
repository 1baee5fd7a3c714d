//! Reads whole numbers as JSON Schema has them: `5.0` is one.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// Reads a number without a fraction, for `#[serde(deserialize_with)]`; without a sign, where its type has none.
pub fn whole_number<'de, D: Deserializer<'de>, T: TryFrom<i128>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_u64(WholeNumber(PhantomData))
}

/// Reads a number as [`whole_number`] does, or null.
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
        // A number that is too large for it becomes the largest, which is too large for every type that is read.
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
