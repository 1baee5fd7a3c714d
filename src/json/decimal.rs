//! Numbers as people and programs write them.

use serde_json::Value;

/// The largest number up to which every whole number is exact as a binary fraction.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// Reads a whole number without a sign, which may be written as `5.0`, as in JSON Schema. Returns `None` where the value
/// is none.
#[must_use]
pub fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        let is_whole = number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number);
        // The number is at most 2^53, and not below 0.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        is_whole.then_some(number as u64)
    })
}

/// Reads a decimal number as Rust's own `parse` does. It is read by the reader of JSON, which is in the Worker anyway:
/// the other has tables of ten kilobytes for it. Returns `None` where it is none.
#[must_use]
pub fn decimal(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1.0, unsigned),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let is = |word: &str| unsigned.eq_ignore_ascii_case(word);
    let number = if is("inf") || is("infinity") {
        f64::INFINITY
    } else if is("nan") {
        f64::NAN
    } else {
        // Digits that no number holds are a number above all.
        serde_json::from_str(&in_json(unsigned)?).unwrap_or(f64::INFINITY)
    };
    Some(sign * number)
}

/// Returns a number without a sign as JSON writes it, which knows neither leading zeros nor `.5` and `5.`.
fn in_json(unsigned: &str) -> Option<String> {
    let (number, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (before, after) = number.split_once('.').unwrap_or((number, ""));
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if (before.is_empty() && after.is_empty()) || digits.is_empty() {
        return None;
    }
    let are_digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    if ![before, after, digits].iter().all(are_digits) {
        return None;
    }
    let before = before.trim_start_matches('0');
    Some(format!("{before:0>1}.{after:0>1}e{exponent}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_as_rust_reads_them() {
        for text in [
            "0",
            "-0",
            "00",
            "7",
            "+7",
            "-7",
            "007.50",
            ".5",
            "-.5",
            "5.",
            "1e3",
            "1E-3",
            "1.5e+03",
            "0e0",
            "0.1",
            "179.99",
            "5e-324",
            "2.2250738585072011e-308",
            "1.7976931348623157e308",
            "1e-99999999999",
            "0e99999999999",
            "inf",
            "-Infinity",
            "1e309",
            "-1e99999999999",
            "9007199254740993",
            "123456789012345678901234567890.5",
            "0.000030517578125",
        ] {
            let parsed: f64 = text.parse().unwrap();
            assert_eq!(
                decimal(text).map(f64::to_bits),
                Some(parsed.to_bits()),
                "{text}"
            );
        }
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        let read = |text| whole(&serde_json::from_str(text).unwrap());
        for (text, number) in [("7", 7), ("392693.0", 392_693), ("7e3", 7_000), ("-0.0", 0)] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        assert_eq!(read("18446744073709551615"), Some(u64::MAX));
        for other in ["-1", "-1.0", "0.5", "1e300", "\"7\"", "null", "[7]"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_no_number_is_a_number_in_rust() {
        assert!(decimal("NaN").is_some_and(f64::is_nan));
        assert!(decimal("-nan").is_some_and(f64::is_nan));
    }

    #[test]
    fn what_is_no_decimal_is_not_read() {
        for text in [
            "", ".", "-", "+", "e3", "1e", "1e+", "--1", "+-1", "1 ", " 1", "1_000", "1.2.3",
            "0x1", "1e5.5", "infin", "nano", "é",
        ] {
            assert_eq!(decimal(text), None, "{text}");
            assert!(text.parse::<f64>().is_err(), "{text}");
        }
    }
}
