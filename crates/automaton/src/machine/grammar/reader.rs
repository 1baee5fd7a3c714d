//! Parses calls: action strings in a file, and the shorter calls that models write with the numbers of elements.

use super::{Call, CallError, Cause, Function, Parameter, Text, TextPart, Value, Written, bound};

/// The longest action string, in bytes.
pub const ACTION_BYTES_MAX: usize = 20_000;
/// The most arguments that are parsed; no function takes more than eleven.
const ARGUMENTS_MAX: usize = 20;
const ELEMENT: &str = "element";

/// Parses an action string: one call of a known function with plain values.
///
/// Errors are reported in Python's order: first a syntax error, then an unknown function, and last arguments that do
/// not fit the function.
pub fn read_call(source: &str) -> Result<Call, CallError> {
    let (name, arguments, unknown) = read_named(source)?;
    let Ok(function) = name.parse() else {
        let why = "no function of this name may be called";
        return Err(CallError::new(Cause::UnknownName, 0, why));
    };
    if let Some(error) = unknown {
        return Err(error);
    }
    Call::bind(function, arguments)
}

/// Parses a call of the one function with this name, which is none that an action may call. Returns the given arguments,
/// in the order of its parameters.
pub fn read_call_of(
    called: &str,
    parameters: &[Parameter],
    source: &str,
) -> Result<Vec<(&'static str, Value)>, CallError> {
    let (name, arguments, unknown) = read_named(source)?;
    if name != called {
        let why = format!("only `{called}` may be called here");
        return Err(CallError::new(Cause::UnknownName, 0, why));
    }
    match unknown {
        Some(error) => Err(error),
        None => bound(called, parameters, arguments),
    }
}

/// A parsed call: its name, its arguments, and the first error that Python would report only after it has parsed the
/// whole string.
type Named<'source> = (&'source str, Vec<Written>, Option<CallError>);

/// Parses a call of any function, known or not.
fn read_named(source: &str) -> Result<Named<'_>, CallError> {
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

/// Parses the arguments up to the closing parenthesis. Also returns the first error that Python would report only after
/// it has parsed the whole string.
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
            Read::Value(value) => arguments.push((byte, name, value)),
            Read::Late(error) => {
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

/// Parses `name =`, if it comes next, and returns the name.
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

/// What was parsed in the place of a value.
enum Read {
    Value(Value),
    /// An error that Python would report only after it has parsed the whole string.
    Late(CallError),
}

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
            (Read::Value(Value::Text(mut text)), Read::Value(Value::Text(next))) => {
                text.append(next);
                Read::Value(Value::Text(text))
            }
            (Read::Late(error), _) | (_, Read::Late(error)) => Read::Late(error),
            _ => {
                let why = "only texts are joined";
                Read::Late(CallError::new(Cause::BadArguments, byte, why))
            }
        };
    }
}

fn read_term(cursor: &mut Cursor<'_>) -> Result<Read, CallError> {
    let byte = cursor.byte();
    match cursor.peek() {
        Some('\'' | '"') => {
            return read_string(cursor).map(|text| Read::Value(Value::Text(Text::literal(text))));
        }
        Some(first) if first.is_ascii_digit() || "+-.".contains(first) => {
            return read_number(cursor).map(Read::Value);
        }
        _ => {}
    }
    let Some(name) = cursor.take_name() else {
        return Err(CallError::syntax(byte, "a value is expected here"));
    };
    match name {
        "True" => Ok(Read::Value(Value::Flag(true))),
        "False" => Ok(Read::Value(Value::Flag(false))),
        "None" => Ok(Read::Value(Value::Nothing)),
        "parameters" => read_reference(cursor, '[', ']', TextPart::Parameter),
        "extracted" => read_reference(cursor, '[', ']', TextPart::Extracted),
        "one_time_code" => read_reference(cursor, '(', ')', TextPart::OneTimeCode),
        _ if matches!(cursor.peek(), Some('\'' | '"')) => {
            Err(CallError::syntax(byte, "a string has no prefix here"))
        }
        _ => {
            let why = "this name is no value";
            Ok(Read::Late(CallError::new(Cause::UnknownName, byte, why)))
        }
    }
}

/// Parses the quoted name in brackets that follows a word like `parameters`.
fn read_reference(
    cursor: &mut Cursor<'_>,
    opening: char,
    closing: char,
    part: impl Fn(String) -> TextPart,
) -> Result<Read, CallError> {
    let brackets = |bracket| {
        if bracket == '[' {
            "brackets"
        } else {
            "parentheses"
        }
    };
    cursor.skip_blanks(true);
    cursor.expect(opening, &format!("a name in {}", brackets(opening)))?;
    cursor.skip_blanks(true);
    let name = read_string(cursor)?;
    cursor.skip_blanks(true);
    cursor.expect(closing, &format!("the end of the {}", brackets(opening)))?;
    let mut text = Text::default();
    text.add(part(name));
    Ok(Read::Value(Value::Text(text)))
}

/// A position in a string, which only moves forward.
#[derive(Debug, Clone)]
struct Cursor<'source> {
    source: &'source str,
    byte: usize,
}

impl<'source> Cursor<'source> {
    fn new(source: &'source str) -> Self {
        Self { source, byte: 0 }
    }

    /// Returns the position in the string, in bytes from 0.
    fn byte(&self) -> usize {
        self.byte
    }

    /// Returns the part of the string from the position on.
    fn rest(&self) -> &'source str {
        self.source.get(self.byte..).unwrap_or_default()
    }

    /// Returns the next character without consuming it.
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes and returns the next character.
    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.byte += next.len_utf8();
        Some(next)
    }

    /// Consumes the next character if it is `wanted`. Returns whether it was.
    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.byte += wanted.len_utf8();
        }
        is_next
    }

    /// Consumes and returns characters as long as `fits` holds for them.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'source str {
        let rest = self.rest();
        let length = rest.find(|character| !fits(character));
        let taken = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        self.byte += taken.len();
        taken
    }

    /// Skips blanks, tabs and form feeds, and inside brackets also line breaks.
    fn skip_blanks(&mut self, is_in_brackets: bool) {
        self.take_while(|character| match character {
            ' ' | '\t' | '\u{c}' => true,
            '\n' | '\r' => is_in_brackets,
            _ => false,
        });
    }

    /// Consumes a name of ASCII letters, digits and underscores, if one comes next.
    fn take_name(&mut self) -> Option<&'source str> {
        let first = self.peek()?;
        let begins = first.is_ascii_alphabetic() || first == '_';
        begins.then(|| self.take_while(|next| next.is_ascii_alphanumeric() || next == '_'))
    }

    /// Consumes the next character if it is `wanted`, and otherwise fails with `what` as the expectation.
    fn expect(&mut self, wanted: char, what: &str) -> Result<(), CallError> {
        if self.take(wanted) {
            return Ok(());
        }
        Err(CallError::syntax(
            self.byte,
            format!("{what} is expected here"),
        ))
    }
}

/// Parses a number with its sign.
fn read_number(cursor: &mut Cursor<'_>) -> Result<Value, CallError> {
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

/// Consumes everything that Python's tokenizer would take for one number, whether or not it is valid.
fn take_number<'source>(cursor: &mut Cursor<'source>) -> &'source str {
    let rest = cursor.rest();
    let begin = cursor.byte();
    let is_based = ["0x", "0X", "0o", "0O", "0b", "0B"]
        .iter()
        .any(|prefix| rest.starts_with(prefix));
    loop {
        let part = cursor.take_while(|next| next.is_ascii_alphanumeric() || "._".contains(next));
        // After an exponent's `e`, a sign is still part of the number.
        let is_exponent = !is_based && part.ends_with(['e', 'E']);
        if !(is_exponent && (cursor.take('+') || cursor.take('-'))) {
            break;
        }
    }
    rest.get(..cursor.byte() - begin).unwrap_or_default()
}

/// Returns the value of a number with the prefix of base 2, 8 or 16; `None` for other numbers.
fn based(written: &str) -> Option<Value> {
    let base = match written.get(..2)? {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    let digits = written.get(2..)?;
    // Python allows an underscore between the prefix and the digits.
    let digits = digits.strip_prefix('_').unwrap_or(digits);
    whole(digits, base)
}

fn decimal(written: &str) -> Option<Value> {
    if written
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'_')
    {
        let is_zero = written.bytes().all(|byte| matches!(byte, b'0' | b'_'));
        // Python refuses numbers such as 05, which were octal in Python 2.
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

/// Removes the underscores between digits; `None` if they stand elsewhere.
fn plain_digits(digits: &str, base: u32) -> Option<String> {
    let are_groups = digits
        .split('_')
        .all(|group| !group.is_empty() && group.chars().all(|character| character.is_digit(base)));
    are_groups.then(|| digits.replace('_', ""))
}

/// Parses a string, from its opening quote.
fn read_string(cursor: &mut Cursor<'_>) -> Result<String, CallError> {
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

/// Parses an escape after its backslash, whose position is given in bytes.
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
        // A backslash at the end of a line continues the string on the next line.
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
            // Python keeps the backslash of an unknown escape in the text.
            text.push('\\');
            kind
        }),
    };
    text.push(character);
    Ok(())
}

/// Returns the character for the letter of an escape such as `\n`; `None` for other escapes.
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

/// Parses up to three octal digits. Their value is at most 0o777, which is a valid character.
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

/// A call as models write it. It refers to the page's elements by numbers instead of selectors.
///
/// ```text
/// click(3)   type(5, "text")   type(5, parameters['NAME'])   press_key("Enter")   scroll("down")
/// scroll_to(3)   navigate_to("https://...")   wait(1)   terminate("why")
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Numbered {
    /// An action to execute.
    Do {
        /// The function to call.
        function: Function,
        /// The element's number, from 1, if the function takes one.
        element: Option<usize>,
        /// The other arguments, with the names of their parameters.
        arguments: Vec<(String, Value)>,
    },
    /// The model chooses to stop acting.
    Terminate,
}

/// Returns the function with this name, the parameters that a model may set, and how many of them are required. Returns
/// `None` for a name that models may not call.
fn signature(name: &str) -> Option<(Option<Function>, &'static [&'static str], usize)> {
    let function = name.parse().ok();
    Some(match function {
        None if name == "terminate" => (None, &["reason"], 0),
        // A model may not begin an investigation, since that costs money. It has one way to press a key, and what is
        // extracted, uploaded or downloaded is for those who write a file.
        None
        | Some(
            Function::Investigate
            | Function::Press
            | Function::Drag
            | Function::Extract
            | Function::Upload
            | Function::Download,
        ) => {
            return None;
        }
        Some(Function::NavigateTo) => (function, &["url"], 1),
        Some(
            Function::Click
            | Function::DoubleClick
            | Function::RightClick
            | Function::Hover
            | Function::Check
            | Function::Uncheck
            | Function::ScrollTo,
        ) => (function, &[ELEMENT], 1),
        Some(Function::Type) => (function, &[ELEMENT, "text"], 2),
        Some(Function::Select) => (function, &[ELEMENT, "option"], 2),
        Some(Function::GoBack) => (function, &[], 0),
        Some(Function::SwitchTo) => (function, &["tab"], 0),
        Some(Function::Scroll) => (function, &["direction"], 1),
        Some(Function::PressKey) => (function, &["key"], 1),
        Some(Function::Wait) => (function, &["seconds"], 1),
    })
}

/// Parses a call as models write it. The string must contain nothing else.
pub fn read_numbered(source: &str) -> Result<Numbered, CallError> {
    let (name, written, unknown) = read_named(source)?;
    let bad = |byte, why: String| CallError::new(Cause::BadArguments, byte, why);
    let Some((function, parameters, needed)) = signature(name) else {
        let why = "no function of this name may be called";
        return Err(CallError::new(Cause::UnknownName, 0, why));
    };
    if let Some(error) = unknown {
        return Err(error);
    }
    let mut arguments: Vec<(String, Value)> = Vec::new();
    for (position, (byte, given, value)) in written.into_iter().enumerate() {
        let known = match &given {
            None => parameters.get(position),
            Some(given) => parameters.iter().find(|known| *known == given),
        };
        let Some(known) = known else {
            return Err(bad(byte, format!("`{name}` takes {}", takes(parameters))));
        };
        if arguments.iter().any(|(taken, _)| taken == known) {
            return Err(bad(byte, "this argument is given twice".to_owned()));
        }
        arguments.push(((*known).to_owned(), value));
    }
    if arguments.len() < needed {
        return Err(bad(0, format!("`{name}` takes {}", takes(parameters))));
    }
    let Some(function) = function else {
        return Ok(Numbered::Terminate);
    };
    let place = arguments.iter().position(|(name, _)| name == ELEMENT);
    let element = match place.map(|at| arguments.remove(at).1) {
        None => None,
        Some(Value::Whole(number)) => match usize::try_from(number) {
            Ok(number) => Some(number),
            Err(_) => return Err(bad(0, "the number of an element is from 1".to_owned())),
        },
        Some(_) => return Err(bad(0, "an element is given by its number".to_owned())),
    };
    Ok(Numbered::Do {
        function,
        element,
        arguments,
    })
}

fn takes(parameters: &[&str]) -> String {
    parameters.join(" and ")
}
