//! Strings in quotes, with Python's escapes.

use super::call_error::CallError;
use super::cursor::Cursor;

/// Reads the string that begins here with its quote.
pub(super) fn read_string(cursor: &mut Cursor<'_>) -> Result<String, CallError> {
    let begin = cursor.byte();
    let Some(quote @ ('\'' | '"')) = cursor.next() else {
        return Err(CallError::syntax(begin, "a string is expected here"));
    };
    let mut text = String::new();
    loop {
        let at = cursor.byte();
        match cursor.next() {
            Some(end) if end == quote => return Ok(text),
            Some('\\') => read_escape(cursor, at, &mut text)?,
            Some('\n' | '\r') => {
                let why = "a string in single or double quotes ends on its line";
                return Err(CallError::syntax(at, why));
            }
            Some('\0') => return Err(CallError::syntax(at, "a string has no zero byte")),
            Some(character) => text.push(character),
            None => return Err(CallError::syntax(begin, "this string does not end")),
        }
    }
}

/// Reads what comes after a backslash, which stands at this byte.
fn read_escape(
    cursor: &mut Cursor<'_>,
    backslash: usize,
    text: &mut String,
) -> Result<(), CallError> {
    let Some(kind) = cursor.peek() else {
        return Err(CallError::syntax(backslash, "this string does not end"));
    };
    if kind.is_digit(8) {
        text.push(octal(cursor));
        return Ok(());
    }
    cursor.next();
    let character = match kind {
        // A line that goes on.
        '\n' => return Ok(()),
        '\r' => {
            cursor.take('\n');
            return Ok(());
        }
        'x' => hexadecimal(cursor, backslash, 2)?,
        'u' => hexadecimal(cursor, backslash, 4)?,
        'U' => hexadecimal(cursor, backslash, 8)?,
        'N' => {
            let why = "characters are not written by their names here";
            return Err(CallError::syntax(backslash, why));
        }
        '\0' => return Err(CallError::syntax(backslash, "a string has no zero byte")),
        _ => simple(kind).unwrap_or_else(|| {
            // Python keeps the backslash of an escape that it does not know.
            text.push('\\');
            kind
        }),
    };
    text.push(character);
    Ok(())
}

/// Returns the character of an escape of one letter.
fn simple(letter: char) -> Option<char> {
    Some(match letter {
        '\\' | '\'' | '"' => letter,
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        _ => return None,
    })
}

/// Reads up to three octal digits: at most 0o777, which is a character.
fn octal(cursor: &mut Cursor<'_>) -> char {
    let mut code = 0;
    for _ in 0..3 {
        let Some(digit) = cursor.peek().and_then(|next| next.to_digit(8)) else {
            break;
        };
        cursor.next();
        code = code * 8 + digit;
    }
    char::from_u32(code).unwrap_or_default()
}

fn hexadecimal(cursor: &mut Cursor<'_>, backslash: usize, digits: u32) -> Result<char, CallError> {
    let mut code = 0u32;
    for _ in 0..digits {
        let digit = cursor.next().and_then(|next| next.to_digit(16));
        let Some(digit) = digit else {
            let why = format!("this escape needs {digits} hexadecimal digits");
            return Err(CallError::syntax(backslash, why));
        };
        code = code.wrapping_mul(16).wrapping_add(digit);
    }
    char::from_u32(code)
        .ok_or_else(|| CallError::syntax(backslash, "this escape is no character of its own"))
}
