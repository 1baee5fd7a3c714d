//! Reads a whole file of states.

use serde_json::Value;

use json::weight;

use super::automaton::{Automaton, QUERIES_MAX};
use super::check_reader::check;
use super::continuity::Continuity;
use super::line_reader::line;
use super::members::Members;
use super::read_error::ReadError;
use super::state::State;

/// The length of the longest file, in bytes of JSON.
pub const FILE_BYTES_MAX: usize = 1_000_000;
/// The most memory that the values of a file take, in bytes.
pub const FILE_WEIGHT_MAX: usize = 20_000_000;
/// The most states of a file.
pub const STATES_MAX: usize = 1_000;
/// The most actions of a state.
pub const LINES_MAX: usize = 1_000;
/// The most checks of a state.
const CHECKS_MAX: usize = 200;
/// The most checks and actions of all states: each takes some hundred bytes.
const PARTS_MAX: usize = 20_000;

impl Automaton {
    /// Reads the text of a file, which anybody may have sent.
    pub fn parse(text: &[u8]) -> Result<Self, ReadError> {
        if text.len() > FILE_BYTES_MAX || weight(text) > FILE_WEIGHT_MAX {
            let message = format!("the file is larger than {FILE_BYTES_MAX} bytes");
            return Err(ReadError::new(message));
        }
        let json = serde_json::from_slice(text);
        let json = json.map_err(|error| ReadError::no_json(text, &error))?;
        Self::from_json(&json)
    }

    /// Reads the JSON of a file: a list of states, or an object with the list `state_repository`. What
    /// was executed (`executed`) and other unknown members are ignored.
    ///
    /// An action that cannot be read is no error here: see [`super::state::Line::Unread`].
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

    /// Returns whether a JSON has the form of a file of states, whatever the states say: a list of at most
    /// [`STATES_MAX`] objects, by itself or in an object.
    #[must_use]
    pub fn has_form(json: &Value) -> bool {
        let list = list_of(json).filter(|list| list.len() <= STATES_MAX);
        list.is_some_and(|list| list.iter().all(Value::is_object))
    }
}

/// Returns the list of the states, which may stand in an object.
fn list_of(json: &Value) -> Option<&Vec<Value>> {
    match json {
        Value::Object(wrapper) => wrapper.get("state_repository")?.as_array(),
        _ => json.as_array(),
    }
}

fn state(json: &Value) -> Result<State, ReadError> {
    let members = Members::of(json, "a state")?;
    let checks = members.list("checks", CHECKS_MAX)?.iter().map(check);
    let checks: Vec<_> = checks.collect::<Result<_, _>>()?;
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
        is_later_format: has_later_check || actions.iter().any(Value::is_object),
    })
}

/// Returns the words of a state's end. What Python takes for false is none.
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

/// Returns whether a state is marked as one that models made and that never passed again.
fn is_unproven(state: Members<'_>) -> Result<bool, ReadError> {
    let Some(config) = state.optional("config") else {
        return Ok(false);
    };
    let flag = Members::of(config, "`config`")?.get("unproven");
    Ok(flag == Some(&Value::Bool(true)))
}

/// Returns whether a value is other than false and 0, which is how older files mean it.
fn is_not_false(value: &Value) -> bool {
    *value != Value::Bool(false) && value.as_f64() != Some(0.0)
}
