//! Numbers as Python writes them.

use super::call_error::CallError;
use super::cursor::Cursor;
use super::value::Value;

/// Reads the number that begins here, with its sign.
pub(super) fn read_number(cursor: &mut Cursor<'_>) -> Result<Value, CallError> {
    let begin = cursor.byte();
    let is_negative = cursor.take('-');
    if is_negative || cursor.take('+') {
        cursor.skip_blanks(true);
    }
    let written = take_number(cursor);
    let value = based(written).or_else(|| decimal(written));
    match value {
        Some(Value::Whole(whole)) if is_negative => Ok(Value::Whole(-whole)),
        Some(Value::Float(float)) if is_negative => Ok(Value::Float(-float)),
        Some(value) => Ok(value),
        None => Err(CallError::syntax(
            begin,
            "this is no number, or one that is too large",
        )),
    }
}

/// Takes all that Python's reader would take for one number.
fn take_number<'source>(cursor: &mut Cursor<'source>) -> &'source str {
    let rest = cursor.rest();
    let begin = cursor.byte();
    let is_based = ["0x", "0X", "0o", "0O", "0b", "0B"]
        .iter()
        .any(|prefix| rest.starts_with(prefix));
    loop {
        let part = cursor.take_while(|next| next.is_ascii_alphanumeric() || "._".contains(next));
        // The sign of an exponent.
        let is_exponent = !is_based && part.ends_with(['e', 'E']);
        if !(is_exponent && (cursor.take('+') || cursor.take('-'))) {
            break;
        }
    }
    rest.get(..cursor.byte() - begin).unwrap_or_default()
}

/// Returns the value of a number in base 2, 8 or 16.
fn based(written: &str) -> Option<Value> {
    let base = match written.get(..2)? {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    let digits = written.get(2..)?;
    // An underscore may stand behind the prefix.
    let digits = digits.strip_prefix('_').unwrap_or(digits);
    whole(digits, base)
}

fn decimal(written: &str) -> Option<Value> {
    if written
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'_')
    {
        let is_zero = written.bytes().all(|byte| matches!(byte, b'0' | b'_'));
        // Python refuses 05, since it once was octal.
        let is_written_so = is_zero || !written.starts_with('0');
        return is_written_so.then(|| whole(written, 10)).flatten();
    }
    let (number, exponent) = match written.split_once(['e', 'E']) {
        Some((number, exponent)) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            (number, Some(digits))
        }
        None => (written, None),
    };
    let (before, after) = number.split_once('.').unwrap_or((number, ""));
    let are_digits = |part: &str| part.is_empty() || plain_digits(part, 10).is_some();
    let has_digits = !(before.is_empty() && after.is_empty());
    let is_exponent = exponent.is_none_or(|digits| plain_digits(digits, 10).is_some());
    if !(has_digits && are_digits(before) && are_digits(after) && is_exponent) {
        return None;
    }
    let float: f64 = written.replace('_', "").parse().ok()?;
    float.is_finite().then_some(Value::Float(float))
}

fn whole(digits: &str, base: u32) -> Option<Value> {
    let plain = plain_digits(digits, base)?;
    i64::from_str_radix(&plain, base).ok().map(Value::Whole)
}

/// Returns digits without the underscores between them.
fn plain_digits(digits: &str, base: u32) -> Option<String> {
    let are_groups = digits
        .split('_')
        .all(|group| !group.is_empty() && group.chars().all(|character| character.is_digit(base)));
    are_groups.then(|| digits.replace('_', ""))
}
