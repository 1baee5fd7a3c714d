//! The grammar of action strings: one call of a known function with plain values. It is a whitelist, so that nothing in
//! a string is ever executed as code.
//!
//! ```text
//! call  = name "(" [argument {"," argument} [","]] ")"
//! argument = [name "="] value
//! value = text {"+" text} | number | "True" | "False" | "None"
//! text  = a string in ' or " with Python's escapes | "parameters" "[" string "]" | "extracted" "[" string "]"
//!       | "one_time_code" "(" string ")"
//! ```
//!
//! //= seed 001, Triggers and Actions

mod reader;
use strum::{AsRefStr, EnumString};

use std::fmt::{self, Write as _};

pub use reader::{ACTION_BYTES_MAX, Numbered, read_call, read_call_of, read_numbered};

const NAVIGATE_TO: &[Parameter] = &[required("url")];
const CLICK: &[Parameter] = &[
    required("by"),
    required("selector"),
    optional("button"),
    optional("timeout"),
    optional("percentage"),
    optional("scroll_to"),
    optional("fallback_x"),
    optional("fallback_y"),
    optional("fallback_width"),
    optional("fallback_height"),
    optional("fallback"),
];
/// Parameters of `double_click` and `right_click`, which are those of `click` without its button.
const CLICK_TWICE: &[Parameter] = &[
    required("by"),
    required("selector"),
    optional("timeout"),
    optional("percentage"),
    optional("scroll_to"),
    optional("fallback_x"),
    optional("fallback_y"),
    optional("fallback_width"),
    optional("fallback_height"),
    optional("fallback"),
];
const HOVER: &[Parameter] = CLICK_TWICE;
const DRAG: &[Parameter] = &[
    required("by"),
    required("selector"),
    optional("to_by"),
    optional("to_selector"),
    optional("offset_x"),
    optional("offset_y"),
    optional("timeout"),
    optional("scroll_to"),
];
const SELECT: &[Parameter] = &[
    required("by"),
    required("selector"),
    required("option"),
    optional("timeout"),
    optional("scroll_to"),
];
const CHECK: &[Parameter] = &[
    required("by"),
    required("selector"),
    optional("timeout"),
    optional("scroll_to"),
];
const PRESS: &[Parameter] = &[
    required("key"),
    optional("by"),
    optional("selector"),
    optional("hold"),
    optional("times"),
    optional("timeout"),
];
const SWITCH_TO: &[Parameter] = &[optional("tab"), optional("timeout")];
const UPLOAD: &[Parameter] = &[
    required("by"),
    required("selector"),
    required("file"),
    optional("timeout"),
];
const DOWNLOAD: &[Parameter] = CHECK;
const EXTRACT: &[Parameter] = &[
    required("name"),
    required("by"),
    required("selector"),
    optional("attribute"),
    optional("all"),
    optional("timeout"),
];
const TYPE: &[Parameter] = &[
    required("by"),
    required("selector"),
    required("text"),
    optional("timeout"),
    optional("base_interval"),
    optional("scroll_to"),
    optional("fallback_x"),
    optional("fallback_y"),
    optional("fallback_width"),
    optional("fallback_height"),
    optional("fallback"),
];
const SCROLL: &[Parameter] = &[
    optional("by"),
    optional("selector"),
    optional("direction"),
    optional("scroll_amount"),
    optional("timeout"),
];
const SCROLL_TO: &[Parameter] = &[required("by"), required("selector"), optional("timeout")];
const PRESS_KEY: &[Parameter] = &[required("key")];
const WAIT: &[Parameter] = &[required("seconds")];
const INVESTIGATE: &[Parameter] = &[required("person_a"), required("person_b")];

/// A parsed call, whose arguments have the names of the function's parameters. Their values may still make no sense.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    function: Function,
    /// The given arguments, in the order of the function's parameters.
    arguments: Vec<(&'static str, Value)>,
}

/// An argument as written: its position in bytes, its name if it has one, and its value.
type Written = (usize, Option<String>, Value);

impl Call {
    /// Makes a call from named arguments. Fails if they do not fit the function.
    pub fn with_names(
        function: Function,
        arguments: Vec<(String, Value)>,
    ) -> Result<Self, CallError> {
        let written = arguments
            .into_iter()
            .map(|(name, value)| (0, Some(name), value))
            .collect();
        Self::bind(function, written)
    }

    /// Assigns arguments to the parameters of a function, by position or name as Python does. Fails if they do not fit.
    fn bind(function: Function, written: Vec<Written>) -> Result<Self, CallError> {
        let arguments = bound(function.as_ref(), function.parameters(), written)?;
        Ok(Self {
            function,
            arguments,
        })
    }

    /// Returns the function that is called.
    #[must_use]
    pub fn function(&self) -> Function {
        self.function
    }

    /// Returns the given arguments, in the order of the function's parameters.
    #[must_use]
    pub fn arguments(&self) -> &[(&'static str, Value)] {
        &self.arguments
    }

    /// Returns the value of an argument, or `None` if it was not given.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&Value> {
        let mut arguments = self.arguments.iter();
        arguments
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Returns the call with texts in place of the references for which `value_of` returns one.
    #[must_use]
    pub fn filled<'value>(mut self, value_of: impl Fn(&TextPart) -> Option<&'value str>) -> Self {
        for (_, argument) in &mut self.arguments {
            if let Value::Text(text) = argument {
                *text = text.filled(&value_of);
            }
        }
        self
    }

    /// Returns the names of the run's parameters to which the call refers, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.texts().flat_map(Text::parameters)
    }

    /// Returns the names of the secrets whose codes the call uses, in order.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.texts().flat_map(Text::codes)
    }

    /// Returns the names of the extracted texts to which the call refers, in order.
    pub fn extracted(&self) -> impl Iterator<Item = &str> {
        self.texts().flat_map(Text::extracted)
    }

    /// Returns the bytes of the literal parts of all texts.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let parts = self.texts().flat_map(|text| &text.parts);
        let bytes = parts.map(|part| match part {
            TextPart::Literal(text) => text.len(),
            _ => 0,
        });
        bytes.sum()
    }

    fn texts(&self) -> impl Iterator<Item = &Text> {
        let mut arguments = self.arguments.iter();
        std::iter::from_fn(move || arguments.find_map(|(_, value)| value.as_text()))
    }
}

impl fmt::Display for Call {
    /// Writes the call as an action string.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.function.as_ref())?;
        for (at, (name, value)) in self.arguments.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(formatter, "{comma}{name}={value}")?;
        }
        formatter.write_str(")")
    }
}

/// Assigns arguments to the parameters of what is called `called`, by position or name as Python does. Fails if they do
/// not fit. Returns those given, in the order of the parameters.
fn bound(
    called: &str,
    parameters: &[Parameter],
    written: Vec<Written>,
) -> Result<Vec<(&'static str, Value)>, CallError> {
    let mut given: Vec<Option<Value>> = vec![None; parameters.len()];
    let bad = |byte, message: String| CallError::new(Cause::BadArguments, byte, message);
    for (position, (byte, name, value)) in written.into_iter().enumerate() {
        let at = match &name {
            None => Some(position),
            Some(name) => parameters.iter().position(|known| known.name == name),
        };
        let Some(place) = at.and_then(|at| given.get_mut(at)) else {
            let message = match name {
                None => format!("`{called}` takes fewer arguments"),
                Some(_) => format!("`{called}` has no parameter of this name"),
            };
            return Err(bad(byte, message));
        };
        if place.is_some() {
            return Err(bad(byte, "this argument is given twice".to_owned()));
        }
        *place = Some(value);
    }
    let mut arguments = Vec::new();
    for (parameter, value) in parameters.iter().zip(given) {
        match value {
            Some(value) => arguments.push((parameter.name, value)),
            None if parameter.is_required => {
                let message = format!("`{called}` needs `{}`", parameter.name);
                return Err(bad(0, message));
            }
            None => {}
        }
    }
    Ok(arguments)
}

/// The value of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text, which may refer to parameters.
    Text(Text),
    /// A whole number.
    Whole(i64),
    /// A number with a point or an exponent. It is finite.
    Float(f64),
    /// `True` or `False`.
    Flag(bool),
    /// `None`.
    Nothing,
}

impl Value {
    /// Returns a number; `None` for any other value, including `True` and `False`.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            // The number is a duration, a share or a coordinate, so a loss of its last bits does not matter.
            Self::Whole(whole) => Some(*whole as f64),
            Self::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// Returns a text; `None` for any other value.
    #[must_use]
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    /// Writes the value as in an action string.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(formatter),
            Self::Whole(whole) => whole.fmt(formatter),
            Self::Float(float) => fmt::Debug::fmt(float, formatter),
            Self::Flag(true) => formatter.write_str("True"),
            Self::Flag(false) => formatter.write_str("False"),
            Self::Nothing => formatter.write_str("None"),
        }
    }
}

/// A text made of literal parts and references to parameters.
///
/// The values of parameters are unknown here, because the executor fills them in. So displaying a text cannot reveal a
/// secret.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    parts: Vec<TextPart>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPart {
    /// A literal part.
    Literal(String),
    /// The value of the parameter with this name.
    Parameter(String),
    /// The code of this moment by the secret with this name.
    OneTimeCode(String),
    /// The text that the run has extracted under this name.
    Extracted(String),
}

impl Text {
    /// Makes a text without references to parameters.
    #[must_use]
    pub fn literal(text: impl Into<String>) -> Self {
        let mut this = Self::default();
        this.add(TextPart::Literal(text.into()));
        this
    }

    /// Makes a text that consists of the value of one parameter.
    #[must_use]
    pub fn parameter(name: impl Into<String>) -> Self {
        Self {
            parts: vec![TextPart::Parameter(name.into())],
        }
    }

    /// Appends a part. A literal part after another is merged with it.
    pub fn add(&mut self, part: TextPart) {
        match (self.parts.last_mut(), part) {
            (_, TextPart::Literal(text)) if text.is_empty() => {}
            (Some(TextPart::Literal(last)), TextPart::Literal(text)) => last.push_str(&text),
            (_, part) => self.parts.push(part),
        }
    }

    /// Appends the parts of another text.
    pub fn append(&mut self, other: Self) {
        for part in other.parts {
            self.add(part);
        }
    }

    /// Returns the text with others in place of the references for which `value_of` returns one.
    #[must_use]
    pub fn filled<'value>(&self, value_of: impl Fn(&TextPart) -> Option<&'value str>) -> Self {
        let mut this = Self::default();
        for part in &self.parts {
            let value = value_of(part).map(|value| TextPart::Literal(value.to_owned()));
            this.add(value.unwrap_or_else(|| part.clone()));
        }
        this
    }

    /// Returns the parts in order; an empty text has none.
    #[must_use]
    pub fn parts(&self) -> &[TextPart] {
        &self.parts
    }

    /// Returns the text itself; `None` if it refers to a parameter.
    #[must_use]
    pub fn as_literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TextPart::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the names of the secrets whose codes the text has, in order.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TextPart::OneTimeCode(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the names of the extracted texts to which the text refers, in order.
    pub fn extracted(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TextPart::Extracted(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the names of the parameters to which the text refers, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TextPart::Parameter(name) | TextPart::OneTimeCode(name) => Some(name.as_str()),
            TextPart::Literal(_) | TextPart::Extracted(_) => None,
        })
    }
}

impl fmt::Display for Text {
    /// Writes the text as in an action string: `'Dear ' + parameters['NAME']`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return formatter.write_str("''");
        }
        for (at, part) in self.parts.iter().enumerate() {
            if at > 0 {
                formatter.write_str(" + ")?;
            }
            match part {
                TextPart::Literal(text) => write_quoted(text, formatter)?,
                TextPart::Parameter(name) => write_reference("parameters[", name, ']', formatter)?,
                TextPart::Extracted(name) => write_reference("extracted[", name, ']', formatter)?,
                TextPart::OneTimeCode(name) => {
                    write_reference("one_time_code(", name, ')', formatter)?;
                }
            }
        }
        Ok(())
    }
}

fn write_reference(
    before: &str,
    name: &str,
    after: char,
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    formatter.write_str(before)?;
    write_quoted(name, formatter)?;
    formatter.write_char(after)
}

/// Writes a string in single quotes, with the escapes that the grammar knows.
fn write_quoted(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_char('\'')?;
    for character in text.chars() {
        match character {
            '\'' => formatter.write_str("\\'")?,
            '\\' => formatter.write_str("\\\\")?,
            '\n' => formatter.write_str("\\n")?,
            '\r' => formatter.write_str("\\r")?,
            '\t' => formatter.write_str("\\t")?,
            control if control < ' ' || control == '\u{7f}' => {
                write!(formatter, "\\x{:02x}", u32::from(control))?;
            }
            character => formatter.write_char(character)?,
        }
    }
    formatter.write_char('\'')
}

/// A function that an action may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Function {
    /// Opens an address.
    NavigateTo,
    /// Clicks an element.
    Click,
    /// Clicks an element twice in quick succession.
    DoubleClick,
    /// Clicks an element with the right mouse button.
    RightClick,
    /// Moves the mouse over an element.
    Hover,
    /// Drags an element onto another one, or by a distance.
    Drag,
    /// Chooses options of a list.
    Select,
    /// Checks a box.
    Check,
    /// Unchecks a box.
    Uncheck,
    /// Types a text into an element.
    Type,
    /// Turns the mouse wheel over the page or an element.
    Scroll,
    /// Scrolls until an element is visible.
    ScrollTo,
    /// Presses a key.
    PressKey,
    /// Presses a key on an element, several times or for some time.
    Press,
    /// Goes back to the page before.
    GoBack,
    /// Makes another tab the page.
    SwitchTo,
    /// Reads texts of the page under a name.
    Extract,
    /// Gives files of the request to a field.
    Upload,
    /// Clicks an element that downloads a file.
    Download,
    /// Waits.
    Wait,
    /// Begins an investigation.
    Investigate,
}

impl Function {
    /// Returns the function's parameters, in the order in which unnamed arguments are assigned to them.
    #[must_use]
    pub fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::NavigateTo => NAVIGATE_TO,
            Self::Click => CLICK,
            Self::DoubleClick | Self::RightClick => CLICK_TWICE,
            Self::Hover => HOVER,
            Self::Drag => DRAG,
            Self::Select => SELECT,
            Self::Check | Self::Uncheck => CHECK,
            Self::Type => TYPE,
            Self::Scroll => SCROLL,
            Self::ScrollTo => SCROLL_TO,
            Self::PressKey => PRESS_KEY,
            Self::Press => PRESS,
            Self::GoBack => &[],
            Self::SwitchTo => SWITCH_TO,
            Self::Extract => EXTRACT,
            Self::Upload => UPLOAD,
            Self::Download => DOWNLOAD,
            Self::Wait => WAIT,
            Self::Investigate => INVESTIGATE,
        }
    }
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name, as arguments use it.
    pub name: &'static str,
    /// Whether a call must have an argument for it.
    pub is_required: bool,
}

/// Returns a parameter for which a call must have an argument.
pub(super) const fn required(name: &'static str) -> Parameter {
    Parameter {
        name,
        is_required: true,
    }
}

/// Returns a parameter that a call may leave out.
pub(super) const fn optional(name: &'static str) -> Parameter {
    Parameter {
        name,
        is_required: false,
    }
}

/// The kind of an action's failure. Recorded test cases use its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Cause {
    /// The string is something other than one call with plain values.
    Syntax,
    /// The string names an unknown function or variable.
    UnknownName,
    /// The arguments do not fit the function's parameters.
    BadArguments,
    /// The run has no parameter with the referenced name.
    MissingParameter,
    /// The call was parsed, but could not be executed.
    Failed,
}

/// Why a string is not a valid call, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// The kind of the error.
    pub cause: Cause,
    /// The position of the error in the string, in bytes from 0.
    pub byte: usize,
    /// The fault as part of a sentence. It quotes nothing of the string.
    pub message: String,
}

impl CallError {
    fn new(cause: Cause, byte: usize, message: impl Into<String>) -> Self {
        Self {
            cause,
            byte,
            message: message.into(),
        }
    }

    fn syntax(byte: usize, message: impl Into<String>) -> Self {
        Self::new(Cause::Syntax, byte, message)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "byte {}: {}", self.byte, self.message)
    }
}
