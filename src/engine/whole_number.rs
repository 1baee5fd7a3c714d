//! Reads whole numbers as JSON Schema has them: `5.0` is one.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// Reads a number without a sign and without a fraction, for `#[serde(deserialize_with)]`.
pub fn whole_number<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
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

/// 2 to the power of 64: the first number that is too large.
const TOO_LARGE: f64 = 18_446_744_073_709_551_616.0;

struct WholeNumber<T>(PhantomData<T>);

impl<T: TryFrom<u64>> Visitor<'_> for WholeNumber<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number without a sign")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        T::try_from(number).map_err(|_| E::custom("a number is too large"))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        if number.fract() != 0.0 || !(0.0..TOO_LARGE).contains(&number) {
            return Err(E::custom("a number is not whole, or too large"));
        }
        // The number is not below 0, and below 2^64.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = number as u64;
        self.visit_u64(whole)
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
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Numbers {
        #[serde(deserialize_with = "whole_number")]
        small: u32,
        #[serde(default, deserialize_with = "optional_whole_number")]
        large: Option<u64>,
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
}
