//! The canonical spelling of a JSON text. Programs that rewrite a file may change spaces, escapes and the notation of
//! numbers, and this spelling hides such changes. Any other change also changes the spelling. Numbers are compared
//! digit by digit, not as the nearest binary fraction.

use std::fmt::Write;

use thiserror::Error;

/// The reason why a text has no canonical spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CanonicalError {
    /// The text is not JSON.
    #[error("is no JSON")]
    NotJson,
    /// An escape with upper-case digits, which no common writer produces.
    #[error("has an escape in upper case")]
    UpperCaseEscape,
    /// A number with an exponent that is too large for any run, or in a notation that no common writer produces.
    #[error("has a number with an odd exponent")]
    Exponent,
}

/// Returns the canonical spelling of a JSON text: no spaces, strings as `serde_json` writes them, numbers as digits and
/// a power of ten. The order of members stays.
pub fn canonical(json: &str) -> Result<String, CanonicalError> {
    let mut spelled = String::with_capacity(json.len());
    spell(json, &mut spelled)?;
    Ok(spelled)
}

/// Writes the canonical spelling piece by piece, so that a spelling much longer than its text never fills the memory.
/// Writing to `spelled` must never fail.
pub(super) fn spell(json: &str, spelled: &mut impl Write) -> Result<(), CanonicalError> {
    let mut rest = json;
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            b' ' | b'\t' | b'\n' | b'\r' => 1,
            b'"' => string(rest, spelled)?,
            b'-' | b'0'..=b'9' => number(rest, spelled)?,
            _ => plain(rest, spelled)?,
        };
        rest = rest.get(length..).ok_or(CanonicalError::NotJson)?;
    }
    Ok(())
}

/// Copies the part of `rest` that has only one spelling: brackets, commas, and words such as `true`. Returns its length
/// in bytes.
fn plain(rest: &str, spelled: &mut impl Write) -> Result<usize, CanonicalError> {
    let is_plain = |byte: &u8| {
        !matches!(
            byte,
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'-' | b'0'..=b'9'
        )
    };
    let length = rest.bytes().take_while(is_plain).count();
    let text = rest.get(..length).ok_or(CanonicalError::NotJson)?;
    write(spelled, text)?;
    Ok(length)
}

fn write(spelled: &mut impl Write, text: &str) -> Result<(), CanonicalError> {
    spelled.write_str(text).map_err(|_| CanonicalError::NotJson)
}

/// Spells the string at the start of `rest`. Returns its length in bytes.
fn string(rest: &str, spelled: &mut impl Write) -> Result<usize, CanonicalError> {
    let mut bytes = rest.bytes().enumerate().skip(1);
    let mut is_as_written = true;
    let length = loop {
        match bytes.next().ok_or(CanonicalError::NotJson)? {
            (_, b'\\') => {
                is_as_written = false;
                if let Some((at, b'u')) = bytes.next() {
                    let digits = rest.get(at + 1..at + 5).ok_or(CanonicalError::NotJson)?;
                    if digits.bytes().any(|digit| digit.is_ascii_uppercase()) {
                        return Err(CanonicalError::UpperCaseEscape);
                    }
                }
            }
            (at, b'"') => break at + 1,
            (_, 0..=0x1F) => return Err(CanonicalError::NotJson),
            _ => {}
        }
    };
    let quoted = rest.get(..length).ok_or(CanonicalError::NotJson)?;
    if is_as_written {
        // A string without escapes is canonical already.
        write(spelled, quoted)?;
        return Ok(length);
    }
    let text: String = serde_json::from_str(quoted).map_err(|_| CanonicalError::NotJson)?;
    write(spelled, &serde_json::Value::String(text).to_string())?;
    Ok(length)
}

/// Spells the number at the start of `rest`. Returns its length in bytes.
fn number(rest: &str, spelled: &mut impl Write) -> Result<usize, CanonicalError> {
    let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let length = rest.bytes().take_while(|byte| is_part(byte)).count();
    let text = rest.get(..length).ok_or(CanonicalError::NotJson)?;
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Nearly all numbers are integers; most neither begin nor end with a zero.
        match text.as_bytes() {
            b"0" => write(spelled, "0")?,
            [b'1'..=b'9', .., b'1'..=b'9'] | [b'1'..=b'9'] => {
                write(spelled, text)?;
                write(spelled, "e0")?;
            }
            _ => spell_number(false, text, "", 0, spelled)?,
        }
        return Ok(length);
    }
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
    // No common writer produces an exponent of 0 or a capital `E`: somebody changed a byte.
    if (mantissa.len() < text.len() && exponent == 0) || text.contains('E') {
        return Err(CanonicalError::Exponent);
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    spell_number(is_negative, whole, fraction, exponent, spelled)?;
    Ok(length)
}

/// Writes the digits from the first to the last non-zero one, and the power of ten of the last one.
fn spell_number(
    is_negative: bool,
    whole: &str,
    fraction: &str,
    exponent: i32,
    spelled: &mut impl Write,
) -> Result<(), CanonicalError> {
    if is_negative {
        write(spelled, "-")?;
    }
    let shown_whole = whole.trim_start_matches('0');
    let shown_fraction = fraction.trim_end_matches('0');
    let (first, second) = match (shown_whole.is_empty(), shown_fraction.is_empty()) {
        (true, true) => return write(spelled, "0"),
        (false, true) => (shown_whole.trim_end_matches('0'), ""),
        (true, false) => ("", shown_fraction.trim_start_matches('0')),
        (false, false) => (shown_whole, shown_fraction),
    };
    let shift = if shown_fraction.is_empty() {
        i32::try_from(shown_whole.len() - first.len()).unwrap_or(i32::MAX)
    } else {
        -i32::try_from(shown_fraction.len()).unwrap_or(i32::MAX)
    };
    let power = exponent
        .checked_add(shift)
        .ok_or(CanonicalError::Exponent)?;
    write(spelled, first)?;
    write(spelled, second)?;
    write(spelled, "e")?;
    match u8::try_from(power) {
        // Nearly all powers have one digit. Writing it directly avoids the formatter.
        Ok(power @ 0..=9) => spelled.write_char(char::from(b'0' + power)),
        _ => write!(spelled, "{power}"),
    }
    .map_err(|_| CanonicalError::NotJson)
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
        // Both numbers have the same nearest binary fraction.
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
