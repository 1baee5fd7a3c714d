//! One spelling for each JSON text: programs that read a file and write it again put other spaces,
//! escapes and forms of numbers into it, and change nothing. What this spelling keeps is compared
//! exactly: a number digit by digit, not as the nearest binary fraction.

use std::fmt;
use std::fmt::Write as _;

/// A text that has no such spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CanonicalError {
    /// It is no JSON.
    NotJson,
    /// An escape with upper-case digits, which no common writer makes.
    UpperCaseEscape,
    /// A number whose exponent has no place in a run, or is spelled as no common writer does.
    Exponent,
}

impl fmt::Display for CanonicalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotJson => "is no JSON",
            Self::UpperCaseEscape => "has an escape in upper case",
            Self::Exponent => "has a number with an odd exponent",
        })
    }
}

/// The one spelling of a JSON text: no spaces, strings as our writer writes them, numbers as digits
/// and a power of ten. The order of members stays.
pub fn canonical(json: &str) -> Result<String, CanonicalError> {
    let mut spelled = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ' ' | '\t' | '\n' | '\r' => 1,
            '"' => string(rest, &mut spelled)?,
            '-' | '0'..='9' => number(rest, &mut spelled)?,
            _ => {
                spelled.push(first);
                first.len_utf8()
            }
        };
        rest = rest.get(length..).ok_or(CanonicalError::NotJson)?;
    }
    Ok(spelled)
}

/// Spells the string that `rest` begins with; gives its length in bytes.
fn string(rest: &str, spelled: &mut String) -> Result<usize, CanonicalError> {
    let mut bytes = rest.bytes().enumerate().skip(1);
    let length = loop {
        match bytes.next().ok_or(CanonicalError::NotJson)? {
            (_, b'\\') => {
                if let Some((at, b'u')) = bytes.next() {
                    let digits = rest.get(at + 1..at + 5).ok_or(CanonicalError::NotJson)?;
                    if digits.bytes().any(|digit| digit.is_ascii_uppercase()) {
                        return Err(CanonicalError::UpperCaseEscape);
                    }
                }
            }
            (at, b'"') => break at + 1,
            _ => {}
        }
    };
    let quoted = rest.get(..length).ok_or(CanonicalError::NotJson)?;
    let text: String = serde_json::from_str(quoted).map_err(|_| CanonicalError::NotJson)?;
    spelled.push_str(&serde_json::Value::String(text).to_string());
    Ok(length)
}

/// Spells the number that `rest` begins with; gives its length in bytes.
fn number(rest: &str, spelled: &mut String) -> Result<usize, CanonicalError> {
    let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let length = rest.bytes().take_while(|byte| is_part(byte)).count();
    let text = rest.get(..length).ok_or(CanonicalError::NotJson)?;
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let exponent: i32 = exponent.parse().map_err(|_| CanonicalError::Exponent)?;
            (mantissa, exponent)
        }
        None => (text, 0),
    };
    // No common writer writes an exponent of nothing, or in upper case: somebody changed a byte.
    if (mantissa.len() < text.len() && exponent == 0) || text.contains('E') {
        return Err(CanonicalError::Exponent);
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        spelled.push_str(if is_negative { "-0" } else { "0" });
        return Ok(length);
    }
    let zeros_after = digits.len() - digits.trim_end_matches('0').len();
    let shift = i32::try_from(zeros_after).unwrap_or(i32::MAX)
        - i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let power = exponent
        .checked_add(shift)
        .ok_or(CanonicalError::Exponent)?;
    if is_negative {
        spelled.push('-');
    }
    // Writing to a String cannot fail.
    let _ = write!(spelled, "{significant}e{power}");
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(one: &str, other: &str) {
        assert_eq!(canonical(one), canonical(other), "{one} and {other}");
    }

    #[track_caller]
    fn different(one: &str, other: &str) {
        assert_ne!(canonical(one), canonical(other), "{one} and {other}");
    }

    #[test]
    fn what_other_programs_make_of_a_file_is_the_same_file() {
        same(r#"{"a": [1, 2.0]}"#, r#"{"a":[1.0,2]}"#);
        same("\"J\u{e9}r\u{f4}me\"", r#""J\u00e9r\u00f4me""#);
        same(r#""\/""#, r#""/""#);
        same("0.0001", "1e-4");
        same("1e+2", "100");
        same("1e-07", "0.0000001");
        same("1795255200000", "1.7952552e12");
    }

    #[test]
    fn what_is_not_the_same_stays_different() {
        different("[1,2]", "[12]");
        different(r#""a b""#, r#""ab""#);
        different("99.99800109863281", "99.99800109863282");
        // Both are the same binary fraction.
        different("9007199254740993", "9007199254740992");
        different("1", "-1");
        different("0.0", "-0.0");
        different("\"1\"", "1");
        different("1e5", "1e6");
    }

    #[test]
    fn what_no_writer_makes_is_refused() {
        assert_eq!(
            canonical(r#""\u00E9""#),
            Err(CanonicalError::UpperCaseEscape)
        );
        for exponent in ["1E5", "0e0", "100e0", "1e-0"] {
            assert_eq!(canonical(exponent), Err(CanonicalError::Exponent));
        }
        assert_eq!(canonical(r#""open"#), Err(CanonicalError::NotJson));
        assert_eq!(canonical(r#""\u12"#), Err(CanonicalError::NotJson));
        assert_eq!(canonical("1e99999999999"), Err(CanonicalError::Exponent));
        assert_eq!(canonical("1e2147483647"), canonical("1e2147483647"));
        assert_eq!(canonical("10e2147483647"), Err(CanonicalError::Exponent));
    }
}
