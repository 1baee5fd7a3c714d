//! Parses files of states. Each check and each action may be in the old or in the later format.

use std::fmt;

use domain::page::{By, PIXELS_A_NOTCH};
use domain::stored_name;
use json::weight;
use serde_json::{Map, Value};

use crate::machine::actions::{Locator, Step};
use crate::machine::grammar::{
    self, ACTION_BYTES_MAX, CallError, Cause, Function, Parameter, Text, optional, read_call,
    read_call_of, required,
};

use super::checks;
use super::{Automaton, Continuity, Each, Line, QUERIES_MAX, State, Unread};

/// The longest file of states, in bytes of JSON.
pub const FILE_BYTES_MAX: usize = 1_000_000;
/// The most memory of a parsed file, in bytes.
pub const FILE_WEIGHT_MAX: usize = 20_000_000;
/// The most states of a file.
pub const STATES_MAX: usize = 1_000;
/// The most actions of a state.
pub const LINES_MAX: usize = 1_000;
/// The most checks of a state.
const CHECKS_MAX: usize = 200;
/// The most checks and actions of all states together. Each takes a few hundred bytes of memory.
const PARTS_MAX: usize = 20_000;
/// The longest text of a file that is not an action, in bytes.
const TEXT_BYTES_MAX: usize = 20_000;
/// The most elements that a state goes through, and how many it does if nothing is said.
const EACH_MAX: u32 = 1_000;
const EACH_DEFAULT: u32 = 100;
/// The parameters of `elements`, which names the elements that a state goes through.
const ELEMENTS: &[Parameter] = &[
    required("by"),
    required("selector"),
    required("parameter"),
    optional("at_most"),
];

impl Automaton {
    /// Parses a file of states, which may come from a stranger.
    pub fn parse(text: &[u8]) -> Result<Self, ReadError> {
        if text.len() > FILE_BYTES_MAX || weight(text) > FILE_WEIGHT_MAX {
            let message = format!("the file is larger than {FILE_BYTES_MAX} bytes");
            return Err(ReadError::new(message));
        }
        let json =
            serde_json::from_slice(text).map_err(|error| ReadError::no_json(text, &error))?;
        Self::from_json(&json)
    }

    /// Reads states from JSON: a list of them, or an object with the list as `state_repository`. Other members, such as
    /// the record of what was executed (`executed`), are ignored.
    ///
    /// An action that cannot be parsed is not an error: see [`Line::Unread`].
    pub fn from_json(json: &Value) -> Result<Self, ReadError> {
        let Some(list) = list_of(json) else {
            return Err(ReadError::new("the states must be a list"));
        };
        if list.len() > STATES_MAX {
            let message = format!("there are more than {STATES_MAX} states");
            return Err(ReadError::new(message));
        }
        let (mut this, mut parts) = (Self::default(), 0usize);
        for (at, json) in list.iter().enumerate() {
            let state = state(json).map_err(|error| error.in_state(at))?;
            parts = parts.saturating_add(state.checks.len());
            parts = parts.saturating_add(state.lines.len());
            if parts > PARTS_MAX {
                let message = format!("there are more than {PARTS_MAX} checks and actions");
                return Err(ReadError::new(message));
            }
            this.states.push(state);
        }
        if this.queries().len() > QUERIES_MAX {
            let message = format!("more than {QUERIES_MAX} elements are looked for");
            return Err(ReadError::new(message));
        }
        Ok(this)
    }

    /// Returns whether a JSON value has the form of a file, whatever its states contain. The form is a list of at most
    /// [`STATES_MAX`] objects, by itself or in an object.
    #[must_use]
    pub fn has_form(json: &Value) -> bool {
        let list = list_of(json).filter(|list| list.len() <= STATES_MAX);
        list.is_some_and(|list| list.iter().all(Value::is_object))
    }
}

/// Returns the list of states, which may be a member of an object.
fn list_of(json: &Value) -> Option<&Vec<Value>> {
    match json {
        Value::Object(wrapper) => wrapper.get("state_repository")?.as_array(),
        _ => json.as_array(),
    }
}

fn state(json: &Value) -> Result<State, ReadError> {
    let members = Members::of(json, "a state")?;
    let checks: Vec<_> = members
        .list("checks", CHECKS_MAX)?
        .iter()
        .map(checks::check)
        .collect::<Result<_, _>>()?;
    let actions = members.list("actions", LINES_MAX)?;
    let has_later_check = checks.iter().any(|(_, is_later)| *is_later);
    let end = end(members)?;
    Ok(State {
        name: members.text("name")?,
        description: members.optional_text("description")?,
        checks: checks.into_iter().map(|(check, _)| check).collect(),
        lines: actions.iter().map(line).collect(),
        end,
        continuity: continuity(members)?,
        is_unproven: is_unproven(members)?,
        each: each(members)?,
        is_later_format: has_later_check || actions.iter().any(Value::is_object),
    })
}

/// Returns the message of a state's end. Returns `None` for a value that is falsy in Python.
fn end(state: Members<'_>) -> Result<Option<String>, ReadError> {
    let is_nothing = match state.get("end_state") {
        None | Some(Value::Null | Value::Bool(false)) => true,
        Some(Value::Number(number)) => number.as_f64() == Some(0.0),
        Some(Value::Array(list)) => list.is_empty(),
        Some(Value::Object(members)) => members.is_empty(),
        Some(_) => false,
    };
    if is_nothing {
        return Ok(None);
    }
    let end = state.text("end_state")?;
    Ok(Some(end).filter(|end| !end.is_empty()))
}

fn continuity(state: Members<'_>) -> Result<Continuity, ReadError> {
    let Some(config) = state.optional("config") else {
        return Ok(Continuity::default());
    };
    let config = Members::of(config, "`config`")?;
    let flag = |name: &str| config.get(name).map(is_not_false);
    Ok(Continuity {
        misspelt: flag("continous"),
        spelt: flag("continuous"),
    })
}

/// Returns whether a state is marked as made by models and not yet proven by another match.
fn is_unproven(state: Members<'_>) -> Result<bool, ReadError> {
    let Some(config) = state.optional("config") else {
        return Ok(false);
    };
    let flag = Members::of(config, "`config`")?.get("unproven");
    Ok(flag == Some(&Value::Bool(true)))
}

/// Returns the elements that a state goes through: `{"by", "selector", "parameter", "at_most"?}`, or a call
/// `elements(by, selector, parameter, at_most)`, whose selector may refer to parameters.
fn each(state: Members<'_>) -> Result<Option<Each>, ReadError> {
    let Some(config) = state.optional("config") else {
        return Ok(None);
    };
    let Some(each) = Members::of(config, "`config`")?.optional("for_each") else {
        return Ok(None);
    };
    let arguments = match each {
        Value::String(call) => read_call_of("elements", ELEMENTS, call)
            .map_err(|error| ReadError::new(format!("`for_each` cannot be read at {error}")))?,
        each => {
            let each = Members::of(each, "`for_each`")?;
            let given = |parameter: &Parameter| match each.optional(parameter.name) {
                None if parameter.is_required => {
                    let message = format!("`{}` of `for_each` is missing", parameter.name);
                    Some(Err(ReadError::new(message)))
                }
                None => None,
                Some(value) => {
                    let no_value =
                        || ReadError::new("a member of `for_each` is a text or a number");
                    let value = argument(value).ok_or_else(no_value);
                    Some(value.map(|value| (parameter.name, value)))
                }
            };
            ELEMENTS
                .iter()
                .filter_map(given)
                .collect::<Result<_, _>>()?
        }
    };
    let text = |name: &str| {
        let given = arguments.iter().find(|(known, _)| *known == name);
        given.and_then(|(_, value)| value.as_text())
    };
    let by = text("by").and_then(Text::as_literal).and_then(By::named);
    let parameter = text("parameter")
        .and_then(Text::as_literal)
        .filter(|name| stored_name(name).is_some());
    let count_max = arguments
        .iter()
        .find(|(known, _)| *known == "at_most")
        .map(|(_, value)| match value {
            grammar::Value::Whole(whole) => u32::try_from(*whole).ok(),
            _ => None,
        });
    let wrong = |what: &str| ReadError::new(format!("`for_each`: {what}"));
    Ok(Some(Each {
        locator: Locator {
            by: by.ok_or_else(|| {
                wrong("`by` must be a way to find an element, such as css selector")
            })?,
            selector: text("selector")
                .cloned()
                .ok_or_else(|| wrong("`selector` must be a text"))?,
        },
        parameter: parameter
            .ok_or_else(|| wrong("`parameter` must be 1 to 64 letters, digits, -, _ and ."))?
            .to_owned(),
        count_max: count_max
            .unwrap_or(Some(EACH_DEFAULT))
            .filter(|count| (1..=EACH_MAX).contains(count))
            .ok_or_else(|| {
                wrong(&format!(
                    "`at_most` must be a whole number from 1 to {EACH_MAX}"
                ))
            })?,
    }))
}

/// Returns whether a value is neither false nor 0. Older files write flags in both ways.
fn is_not_false(value: &Value) -> bool {
    *value != Value::Bool(false) && value.as_f64() != Some(0.0)
}

/// Reads an action in either format. An action that cannot be parsed is stored, so that validation can report its
/// position.
fn line(json: &Value) -> Line {
    let Value::String(source) = json else {
        return structured_line(json);
    };
    match read_call(source) {
        Ok(call) => {
            let step = Step::of(&call);
            Line::Call { call, step }
        }
        Err(error) if is_terminate(source, &error) => Line::Terminate { is_call: true },
        Err(error) => Line::Unread(Unread::new(error, json.clone())),
    }
}

/// Returns whether a string is a call of `terminate`, with which older files end a state.
fn is_terminate(source: &str, error: &CallError) -> bool {
    let name = source.split('(').next().unwrap_or_default();
    error.cause == Cause::UnknownName && error.byte == 0 && name.trim_end() == "terminate"
}

/// A JSON object, read member by member. Errors name the member.
#[derive(Clone, Copy)]
pub(super) struct Members<'json> {
    members: &'json Map<String, Value>,
}

impl<'json> Members<'json> {
    /// Returns the members of a value. Fails if it is not an object.
    pub(super) fn of(json: &'json Value, what: &str) -> Result<Self, ReadError> {
        match json {
            Value::Object(members) => Ok(Self { members }),
            _ => Err(ReadError::new(format!("{what} must be an object"))),
        }
    }

    /// Returns a member; `None` if it is absent. A null counts as present.
    pub(super) fn get(self, name: &str) -> Option<&'json Value> {
        self.members.get(name)
    }

    /// Returns a required member.
    pub(super) fn any(self, name: &str) -> Result<&'json Value, ReadError> {
        let value = self.members.get(name);
        value.ok_or_else(|| ReadError::new(format!("`{name}` is missing")))
    }

    /// Returns a member, or `None` if it is absent or null.
    pub(super) fn optional(self, name: &str) -> Option<&'json Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Returns a required text.
    pub(super) fn text(self, name: &str) -> Result<String, ReadError> {
        text(self.any(name)?, name)
    }

    /// Returns a text; an empty one if the member is absent or null.
    pub(super) fn optional_text(self, name: &str) -> Result<String, ReadError> {
        let value = self.optional(name);
        value.map_or_else(|| Ok(String::new()), |value| text(value, name))
    }

    /// Returns the elements of a list; none if the member is absent.
    fn list(self, name: &str, count_max: usize) -> Result<&'json [Value], ReadError> {
        match self.members.get(name) {
            None => Ok(&[]),
            Some(Value::Array(list)) if list.len() <= count_max => Ok(list),
            Some(Value::Array(_)) => {
                let message = format!("`{name}` has more than {count_max} entries");
                Err(ReadError::new(message))
            }
            Some(_) => Err(ReadError::new(format!("`{name}` must be a list"))),
        }
    }

    /// Returns the elements of a list of texts; none if the member is absent or null.
    pub(super) fn texts(self, name: &str, count_max: usize) -> Result<Vec<String>, ReadError> {
        if self.optional(name).is_none() {
            return Ok(Vec::new());
        }
        let list = self.list(name, count_max)?.iter();
        list.map(|entry| text(entry, name)).collect()
    }

    /// Returns a boolean, or the default if the member is absent or null.
    pub(super) fn flag(self, name: &str, default: bool) -> Result<bool, ReadError> {
        let Some(value) = self.optional(name) else {
            return Ok(default);
        };
        let flag = value.as_bool();
        flag.ok_or_else(|| ReadError::new(format!("`{name}` must be true or false")))
    }

    /// Returns all members with their names, in order.
    fn all(self) -> impl Iterator<Item = (&'json String, &'json Value)> {
        self.members.iter()
    }
}

fn text(value: &Value, name: &str) -> Result<String, ReadError> {
    let Some(text) = value.as_str() else {
        return Err(ReadError::new(format!("`{name}` must be a text")));
    };
    if text.len() > TEXT_BYTES_MAX {
        let message = format!("`{name}` is longer than {TEXT_BYTES_MAX} bytes");
        return Err(ReadError::new(message));
    }
    Ok(text.to_owned())
}

/// Reads an action in the later format.
fn structured_line(json: &Value) -> Line {
    read(json).unwrap_or_else(|error| Line::Unread(Unread::new(error, json.clone())))
}

fn read(json: &Value) -> Result<Line, CallError> {
    let bad = |cause: Cause, message: &str| CallError {
        cause,
        byte: 0,
        message: message.to_owned(),
    };
    let members =
        Members::of(json, "an action").map_err(|error| bad(Cause::Syntax, &error.message))?;
    let Some(kind) = members.get("type").and_then(Value::as_str) else {
        return Err(bad(
            Cause::Syntax,
            "an action has a `type`, which is a text",
        ));
    };
    let function = match kind {
        "terminate" => return Ok(Line::Terminate { is_call: false }),
        "navigate" => Function::NavigateTo,
        "move" => Function::Hover,
        _ => {
            if let Ok(known) = kind.parse() {
                return Ok(Line::PassedOver(known));
            }
            kind.parse()
                .map_err(|_| bad(Cause::UnknownName, "nobody knows an action of this type"))?
        }
    };
    let mut arguments = Vec::new();
    if let Some(params) = members.optional("params") {
        let params =
            Members::of(params, "`params`").map_err(|error| bad(Cause::Syntax, &error.message))?;
        for (name, value) in params.all() {
            let value = argument(value)
                .ok_or_else(|| bad(Cause::BadArguments, "a parameter is a plain value"))?;
            arguments.extend(named(name, value));
        }
    }
    let call = grammar::Call::with_names(function, arguments)?;
    let step = Step::of(&call);
    Ok(Line::Call { call, step })
}

/// Converts a parameter of the later format to the named arguments of a call. The coordinates `x` and `y` become the
/// place of a fallback box whose size is 0.
fn named(name: &str, value: grammar::Value) -> Vec<(String, grammar::Value)> {
    let with_size = |place: &str, size: &str| {
        let nothing = grammar::Value::Whole(0);
        vec![
            (place.to_owned(), value.clone()),
            (size.to_owned(), nothing),
        ]
    };
    match name {
        "x" => with_size("fallback_x", "fallback_width"),
        "y" => with_size("fallback_y", "fallback_height"),
        "pixels" => {
            let notches = value
                .as_number()
                .map(|pixels| pixels / PIXELS_A_NOTCH)
                .map_or(value, grammar::Value::Float);
            vec![("scroll_amount".to_owned(), notches)]
        }
        _ => vec![(name.to_owned(), value)],
    }
}

fn argument(value: &Value) -> Option<grammar::Value> {
    Some(match value {
        Value::Null => grammar::Value::Nothing,
        Value::Bool(flag) => grammar::Value::Flag(*flag),
        Value::String(text) if text.len() > ACTION_BYTES_MAX => return None,
        Value::String(text) => grammar::Value::Text(Text::literal(text.as_str())),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => grammar::Value::Whole(whole),
            None => grammar::Value::Float(number.as_f64().filter(|float| float.is_finite())?),
        },
        Value::Array(_) | Value::Object(_) => return None,
    })
}

/// Why a file is not an automaton, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The position of the state in its list, from 0; `None` if the error concerns no single state.
    pub state: Option<usize>,
    /// The number of the action in its state, from 1; `None` if the error concerns no action.
    pub line: Option<u32>,
    /// The position of the error, in bytes from 0: in the action's string if `line` is given, else in the file.
    pub byte: Option<usize>,
    /// What is wrong, as part of a sentence that quotes no value of the file.
    pub message: String,
}

impl ReadError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            state: None,
            line: None,
            byte: None,
            message: message.into(),
        }
    }

    /// Adds the position of the state in which the error is.
    pub(super) fn in_state(self, state: usize) -> Self {
        Self {
            state: Some(state),
            ..self
        }
    }

    /// Makes the error for a text that is not JSON, with the position at which parsing failed.
    fn no_json(text: &[u8], error: &serde_json::Error) -> Self {
        let before = text
            .split_inclusive(|byte| *byte == b'\n')
            .take(error.line().saturating_sub(1))
            .map(<[u8]>::len)
            .sum::<usize>();
        let byte = before.saturating_add(error.column().saturating_sub(1));
        Self {
            byte: Some(byte.min(text.len())),
            ..Self::new("the text is no JSON that this program reads")
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(state) = self.state {
            write!(formatter, "state {}: ", state.saturating_add(1))?;
        }
        if let Some(line) = self.line {
            write!(formatter, "line {line}: ")?;
        }
        if let Some(byte) = self.byte {
            write!(formatter, "byte {byte}: ")?;
        }
        formatter.write_str(&self.message)
    }
}
