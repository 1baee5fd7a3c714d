//! Reads an action's string.

use super::call::{Call, Written};
use super::call_error::{CallError, Cause};
use super::cursor::Cursor;
use super::number::read_number;
use super::signature::Function;
use super::string::read_string;
use super::text::Text;
use super::value::Value;

/// The length of the longest action's string, in bytes.
pub const ACTION_BYTES_MAX: usize = 20_000;

/// The most arguments that are read; no function takes more than eleven.
const ARGUMENTS_MAX: usize = 20;

/// Reads an action's string: one call of a known function with plain values.
///
/// The errors come in the order in which Python would notice them: what is no call at all, an unknown
/// function, and last arguments that do not fit.
pub fn read_call(source: &str) -> Result<Call, CallError> {
    let (name, arguments, unknown) = read_named(source)?;
    let Some(function) = Function::named(name) else {
        let why = "no function of this name may be called";
        return Err(CallError::new(Cause::UnknownName, 0, why));
    };
    if let Some(error) = unknown {
        return Err(error);
    }
    Call::bind(function, arguments)
}

/// A call as it is written: its name, its arguments, and the first error that Python would notice only
/// after it has read the whole string.
type Named<'source> = (&'source str, Vec<Written>, Option<CallError>);

/// Reads the string of a call of any function.
pub(super) fn read_named(source: &str) -> Result<Named<'_>, CallError> {
    if source.len() > ACTION_BYTES_MAX {
        let why = format!("the string is longer than {ACTION_BYTES_MAX} bytes");
        return Err(CallError::syntax(ACTION_BYTES_MAX, why));
    }
    let cursor = &mut Cursor::new(source);
    let name = cursor
        .take_name()
        .ok_or_else(|| CallError::syntax(0, "the name of a function is expected here"))?;
    cursor.skip_blanks(false);
    cursor.expect('(', "a parenthesis")?;
    let (arguments, unknown) = read_arguments(cursor)?;
    cursor.skip_blanks(true);
    if cursor.peek().is_some() {
        let why = "something comes after the call";
        return Err(CallError::syntax(cursor.byte(), why));
    }
    Ok((name, arguments, unknown))
}

/// Reads the arguments up to the closing parenthesis, and the first error that Python would notice
/// only after it has read the whole string.
fn read_arguments(cursor: &mut Cursor<'_>) -> Result<(Vec<Written>, Option<CallError>), CallError> {
    let mut arguments: Vec<Written> = Vec::new();
    let mut late = None;
    loop {
        cursor.skip_blanks(true);
        if cursor.take(')') {
            return Ok((arguments, late));
        }
        let byte = cursor.byte();
        if arguments.len() >= ARGUMENTS_MAX {
            let why = "no function takes so many arguments";
            return Err(CallError::syntax(byte, why));
        }
        let name = read_keyword(cursor);
        let is_known = |name: &String| {
            let mut known = arguments.iter();
            known.any(|(_, known, _)| known.as_ref() == Some(name))
        };
        if name.as_ref().is_some_and(is_known) {
            return Err(CallError::syntax(byte, "this name is given twice"));
        }
        if name.is_none() && arguments.iter().any(|(_, name, _)| name.is_some()) {
            let why = "an argument without a name comes after one with a name";
            return Err(CallError::syntax(byte, why));
        }
        match read_value(cursor)? {
            Ok(value) => arguments.push((byte, name, value)),
            Err(error) => {
                late.get_or_insert(error);
                arguments.push((byte, name, Value::Nothing));
            }
        }
        cursor.skip_blanks(true);
        if !cursor.take(',') {
            cursor.expect(')', "a comma or a closing parenthesis")?;
            return Ok((arguments, late));
        }
    }
}

/// Takes `name =`, where it comes next.
fn read_keyword(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut ahead = cursor.clone();
    let name = ahead.take_name()?;
    ahead.skip_blanks(true);
    if !ahead.take('=') || ahead.peek() == Some('=') {
        return None;
    }
    ahead.skip_blanks(true);
    *cursor = ahead;
    Some(name.to_owned())
}

/// A value, or the error that Python would notice only after it has read the whole string.
type Read = Result<Value, CallError>;

fn read_value(cursor: &mut Cursor<'_>) -> Result<Read, CallError> {
    let mut value = read_term(cursor)?;
    loop {
        cursor.skip_blanks(true);
        if !cursor.take('+') {
            return Ok(value);
        }
        cursor.skip_blanks(true);
        let byte = cursor.byte();
        let next = read_term(cursor)?;
        value = match (value, next) {
            (Ok(Value::Text(mut text)), Ok(Value::Text(next))) => {
                text.append(next);
                Ok(Value::Text(text))
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
            _ => {
                let why = "only texts are joined";
                Err(CallError::new(Cause::BadArguments, byte, why))
            }
        };
    }
}

fn read_term(cursor: &mut Cursor<'_>) -> Result<Read, CallError> {
    let byte = cursor.byte();
    match cursor.peek() {
        Some('\'' | '"') => {
            return read_string(cursor).map(|text| Ok(Value::Text(Text::literal(text))));
        }
        Some(first) if first.is_ascii_digit() || "+-.".contains(first) => {
            return read_number(cursor).map(Ok);
        }
        _ => {}
    }
    let Some(name) = cursor.take_name() else {
        return Err(CallError::syntax(byte, "a value is expected here"));
    };
    match name {
        "True" => Ok(Ok(Value::Flag(true))),
        "False" => Ok(Ok(Value::Flag(false))),
        "None" => Ok(Ok(Value::Nothing)),
        "parameters" => read_parameter(cursor).map(|name| Ok(Value::Text(Text::parameter(name)))),
        _ if matches!(cursor.peek(), Some('\'' | '"')) => {
            Err(CallError::syntax(byte, "a string has no prefix here"))
        }
        _ => {
            let why = "this name is no value";
            Ok(Err(CallError::new(Cause::UnknownName, byte, why)))
        }
    }
}

/// Reads `['KEY']`.
fn read_parameter(cursor: &mut Cursor<'_>) -> Result<String, CallError> {
    cursor.skip_blanks(true);
    cursor.expect('[', "the name of a parameter in brackets")?;
    cursor.skip_blanks(true);
    let name = read_string(cursor)?;
    cursor.skip_blanks(true);
    cursor.expect(']', "a closing bracket")?;
    Ok(name)
}
