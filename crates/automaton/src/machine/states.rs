//! States, as written in a file in either format, and the prompts from which models make states.
//!
//! //= seed 001, FSM Model

mod reader;
mod writer;

use std::fmt;

use domain::page::Query;
use serde_json::Value;
use strum::{AsRefStr, EnumString};

use super::actions::Step;
use super::grammar::{Call, CallError};
use reader::Members;

pub use reader::{FILE_BYTES_MAX, FILE_WEIGHT_MAX, LINES_MAX, ReadError, STATES_MAX};

/// The most different elements that a look queries.
const QUERIES_MAX: usize = 500;
/// The most prompts.
const PROMPTS_MAX: usize = 200;
/// The most sentences of each kind in a prompt.
const SENTENCES_MAX: usize = 100;

/// A finite-state machine for web pages: states, usually the newest first. It has no transitions; each look finds the
/// current state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Automaton {
    /// The states in file order.
    pub states: Vec<State>,
}

impl Automaton {
    /// Returns the names of the parameters to which the actions refer, in order and with repetitions.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        let lines = self.states.iter().flat_map(|state| &state.lines);
        let calls = lines.filter_map(|line| match line {
            Line::Call { call, .. } => Some(call),
            _ => None,
        });
        calls.flat_map(Call::parameters)
    }

    /// Returns the browser queries of the checks, each once, in order.
    #[must_use]
    pub fn queries(&self) -> Vec<Query> {
        let mut queries: Vec<Query> = Vec::new();
        for check in self.states.iter().flat_map(|state| &state.checks) {
            if let Check::Query(query) = check
                && !queries.contains(query)
            {
                queries.push(query.clone());
                if queries.len() > QUERIES_MAX {
                    break;
                }
            }
        }
        queries
    }
}

/// A state: the checks that recognise it, and the actions to execute in it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The state's name, not necessarily unique.
    pub name: String,
    /// The state's description, for people.
    pub description: String,
    /// The checks, all of which must hold.
    pub checks: Vec<Check>,
    /// The actions, in order.
    pub lines: Vec<Line>,
    /// The message with which the run ends after this state; never empty.
    pub end: Option<String>,
    /// Whether the state runs again as long as it matches.
    pub continuity: Continuity,
    /// Whether a check or an action is written in the later format.
    pub is_later_format: bool,
    /// Whether models made the state and it has not matched again since.
    pub is_unproven: bool,
}

impl State {
    /// Returns whether the state's end is not blank.
    #[must_use]
    pub fn has_words_at_end(&self) -> bool {
        let end = self.end.as_deref();
        end.is_some_and(|end| !end.trim().is_empty())
    }
}

/// A check of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// A signal of the page must equal a text.
    Signal {
        /// The kind of the signal.
        kind: CheckKind,
        /// The text; `None` if the file has none, in which case the check never holds.
        value: Option<String>,
    },
    /// The browser must find an element.
    Query(Query),
}

/// The kind of signal that a check compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckKind {
    /// The page's address.
    Url,
    /// The text of a visible element, without that of its children.
    Text,
    /// The computed selector of a visible element.
    Element,
    /// An unknown kind.
    Unknown,
}

/// An action of a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A call.
    Call {
        /// The call as it is written.
        call: Call,
        /// The step of the call, or why its arguments make no sense.
        step: Result<Step, String>,
    },
    /// The state's actions end here.
    Terminate {
        /// Whether it is written as a call, which the old format does not have.
        is_call: bool,
    },
    /// A known action that is not executed here.
    PassedOver(PassedOver),
    /// An unreadable action.
    Unread(Unread),
}

/// A known action that is not executed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum PassedOver {
    /// Starts writing measurements.
    StartStatsLogging,
    /// Stops writing measurements.
    StopStatsLogging,
}

impl PassedOver {
    /// Returns why the action is not executed, as part of a sentence.
    #[must_use]
    pub fn why(self) -> &'static str {
        "it writes a file of measurements, which nothing here does"
    }
}

/// An unreadable action. It is stored as written, and never displayed.
#[derive(Clone, PartialEq)]
pub struct Unread {
    error: CallError,
    written: Value,
}

impl Unread {
    /// Stores an action as written, with the reason why it is unreadable.
    #[must_use]
    pub fn new(error: CallError, written: Value) -> Self {
        Self { error, written }
    }

    /// Returns why the action is unreadable.
    #[must_use]
    pub fn error(&self) -> &CallError {
        &self.error
    }

    /// Returns the action as written.
    #[must_use]
    pub fn written(&self) -> &Value {
        &self.written
    }
}

impl fmt::Debug for Unread {
    /// Only shows the error: the action may hold a secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

/// The description from which a model makes a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The name of the state.
    pub name: String,
    /// The description of the state.
    pub description: String,
    /// The sentences about when the page is in the state.
    pub triggers: Vec<String>,
    /// The sentences about what to do in the state.
    pub actions: Vec<String>,
    /// The message with which the run ends after the state; empty to continue.
    pub end_state: String,
}

impl Prompt {
    /// Returns whether the state's end is not blank.
    #[must_use]
    pub fn has_words_at_end(&self) -> bool {
        !self.end_state.trim().is_empty()
    }

    /// Returns whether a sentence names a parameter, by its bare name or as `parameters['NAME']`.
    #[must_use]
    pub fn names(&self, parameter: &str) -> bool {
        let mut sentences = self
            .triggers
            .iter()
            .chain(&self.actions)
            .chain([&self.name, &self.description]);
        sentences.any(|sentence| has_word(sentence, parameter))
    }

    /// Reads a list of prompts.
    pub fn read_all(json: &Value) -> Result<Vec<Self>, ReadError> {
        let Value::Array(list) = json else {
            return Err(ReadError::new("the prompts must be a list"));
        };
        if list.len() > PROMPTS_MAX {
            let message = format!("there are more than {PROMPTS_MAX} prompts");
            return Err(ReadError::new(message));
        }
        let prompts = list.iter().enumerate();
        prompts
            .map(|(at, json)| Self::read(json).map_err(|error| error.in_state(at)))
            .collect()
    }

    fn read(json: &Value) -> Result<Self, ReadError> {
        let members = Members::of(json, "a prompt")?;
        Ok(Self {
            name: members.text("name")?,
            description: members.optional_text("description")?,
            triggers: members.texts("triggers", SENTENCES_MAX)?,
            actions: members.texts("actions", SENTENCES_MAX)?,
            end_state: members.optional_text("end_state")?,
        })
    }
}

/// Returns whether a sentence contains a name, and not as part of a longer one.
fn has_word(sentence: &str, name: &str) -> bool {
    let is_of_name = |one: char| one.is_alphanumeric() || matches!(one, '-' | '_');
    sentence.match_indices(name).any(|(at, _)| {
        let (before, rest) = sentence.split_at(at);
        let behind = rest.get(name.len()..).unwrap_or_default();
        // A dot between letters belongs to a name; one after a name ends the sentence.
        let goes_on = match behind.strip_prefix('.') {
            Some(behind) => behind.starts_with(is_of_name),
            None => behind.starts_with(is_of_name),
        };
        let began = match before.strip_suffix('.') {
            Some(before) => before.ends_with(is_of_name),
            None => before.ends_with(is_of_name),
        };
        !goes_on && !began
    })
}

/// Whether a state runs again as long as it matches, in either spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Continuity {
    /// The value of `continous`, as older files spell it.
    pub misspelt: Option<bool>,
    /// The value of `continuous`.
    pub spelt: Option<bool>,
}

impl Continuity {
    /// Returns whether the state runs again.
    #[must_use]
    pub fn holds(self) -> bool {
        self.spelt.or(self.misspelt).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_part_of_a_longer_one() {
        for (sentence, is_named) in [
            ("type parameters['PIN'] into the field", true),
            ("Type %PIN%.", true),
            ("the PIN. Then go on", true),
            ("the PIN.2", false),
            ("the MY_PIN", false),
            ("the PINS, PIN-2 and A.PIN", false),
            ("pin", false),
            ("", false),
        ] {
            assert_eq!(has_word(sentence, "PIN"), is_named, "{sentence}");
        }
    }
}
