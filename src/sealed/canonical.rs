//! One spelling for each JSON text: programs that read a file and write it again put other spaces,
//! escapes and forms of numbers into it, and change nothing. What this spelling keeps is compared
//! exactly: a number digit by digit, not as the nearest binary fraction.

use std::fmt;

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
    spell(json, &mut spelled)?;
    Ok(spelled)
}

/// Writes [`canonical`] piece by piece, for texts that are too large to be kept twice.
pub(super) fn spell(json: &str, spelled: &mut impl fmt::Write) -> Result<(), CanonicalError> {
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ' ' | '\t' | '\n' | '\r' => 1,
            '"' => string(rest, spelled)?,
            '-' | '0'..='9' => number(rest, spelled)?,
            _ => {
                // Neither a text nor a digest refuses to be written.
                let _ = spelled.write_char(first);
                first.len_utf8()
            }
        };
        rest = rest.get(length..).ok_or(CanonicalError::NotJson)?;
    }
    Ok(())
}

/// Spells the string that `rest` begins with; gives its length in bytes.
fn string(rest: &str, spelled: &mut impl fmt::Write) -> Result<usize, CanonicalError> {
    let _ = spelled.write_char('"');
    let mut at = 1;
    loop {
        let from = rest.get(at..).ok_or(CanonicalError::NotJson)?;
        let plain = from.find(['"', '\\']).ok_or(CanonicalError::NotJson)?;
        let (plain, mark) = from.split_at(plain);
        if plain.bytes().any(|byte| byte < b' ') {
            return Err(CanonicalError::NotJson);
        }
        let _ = spelled.write_str(plain);
        at += plain.len();
        if mark.starts_with('"') {
            let _ = spelled.write_char('"');
            return Ok(at + 1);
        }
        at += escape(mark, spelled)?;
    }
}

/// Spells the escape that `mark` begins with; gives its length in bytes.
fn escape(mark: &str, spelled: &mut impl fmt::Write) -> Result<usize, CanonicalError> {
    let mut length = 2;
    if mark.as_bytes().get(1) == Some(&b'u') {
        let is_upper_case = |digits: &str| digits.bytes().any(|byte| byte.is_ascii_uppercase());
        let digits = mark.get(2..6).ok_or(CanonicalError::NotJson)?;
        length = 6;
        // The first half of a character; the other must follow.
        if is_upper_case(digits) {
            return Err(CanonicalError::UpperCaseEscape);
        }
        if matches!(digits.get(..2), Some("d8" | "d9" | "da" | "db")) {
            let other = mark.get(8..12).ok_or(CanonicalError::NotJson)?;
            if is_upper_case(other) {
                return Err(CanonicalError::UpperCaseEscape);
            }
            length = 12;
        }
    }
    let escaped = mark.get(..length).ok_or(CanonicalError::NotJson)?;
    let text: String =
        serde_json::from_str(&format!("\"{escaped}\"")).map_err(|_| CanonicalError::NotJson)?;
    let quoted = serde_json::Value::String(text).to_string();
    let _ = spelled.write_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
    Ok(length)
}

/// Spells the number that `rest` begins with; gives its length in bytes.
fn number(rest: &str, spelled: &mut impl fmt::Write) -> Result<usize, CanonicalError> {
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
        let _ = spelled.write_str(if is_negative { "-0" } else { "0" });
        return Ok(length);
    }
    let zeros_after = digits.len() - digits.trim_end_matches('0').len();
    let shift = i32::try_from(zeros_after).unwrap_or(i32::MAX)
        - i32::try_from(fraction.len()).unwrap_or(i32::MAX);
    let power = exponent
        .checked_add(shift)
        .ok_or(CanonicalError::Exponent)?;
    if is_negative {
        let _ = spelled.write_char('-');
    }
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
        same(
            r#""a\ud83d\ude00\u00e9\n\"""#,
            "\"a\u{1f600}\u{e9}\\u000a\\u0022\"",
        );
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
        for wrong in [
            r#""\x""#,
            r#""\ud800""#,
            r#""\ud800x\udc00""#,
            r#""\udc00""#,
            "\"\u{1}\"",
        ] {
            assert_eq!(canonical(wrong), Err(CanonicalError::NotJson), "{wrong}");
        }
        let upper_case = canonical(r#""\ud83d\uDE00""#);
        assert_eq!(upper_case, Err(CanonicalError::UpperCaseEscape));
        assert_eq!(canonical("1e99999999999"), Err(CanonicalError::Exponent));
        assert_eq!(canonical("1e2147483647"), canonical("1e2147483647"));
        assert_eq!(canonical("10e2147483647"), Err(CanonicalError::Exponent));
    }
}
