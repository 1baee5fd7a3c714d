//! States, as a file in either format describes them, and the prompts from which models make states.
//!
//! //= seed 001, FSM Model

mod checks;
mod reader;
mod writer;

use std::fmt;

use domain::page::Query;
use serde_json::Value;
use strum::{AsRefStr, EnumString};

use super::actions::{Locator, Step};
use super::grammar::{Call, CallError};
use reader::Members;

pub use reader::{FILE_BYTES_MAX, FILE_WEIGHT_MAX, LINES_MAX, ReadError, STATES_MAX};

/// The largest number of distinct elements for which the checks may query the browser.
const QUERIES_MAX: usize = 500;
/// The most prompts of an automaton.
const PROMPTS_MAX: usize = 200;
/// The most sentences of each kind in a prompt.
const SENTENCES_MAX: usize = 100;

/// A finite-state machine for web pages. Its states are usually listed newest first. It has no transitions, since each
/// look finds the current state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Automaton {
    /// The states, in the order of the file.
    pub states: Vec<State>,
}

impl Automaton {
    /// Returns the names of the parameters to which the actions refer, but for those that a state itself gives a value.
    /// They are in order, and a name may occur several times.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.states.iter().flat_map(|state| {
            let own = state.each.as_ref().map(|each| each.parameter.as_str());
            let each = state.each.iter();
            let each = each.flat_map(|each| each.locator.selector.parameters());
            let calls = state.lines.iter().filter_map(|line| match line {
                Line::Call { call, .. } => Some(call),
                _ => None,
            });
            let of_calls = calls.flat_map(Call::parameters);
            each.chain(of_calls.filter(move |name| own != Some(*name)))
        })
    }

    /// Returns the queries that the checks make to the browser, in order and without repetitions.
    #[must_use]
    pub fn queries(&self) -> Vec<Query> {
        let mut queries: Vec<Query> = Vec::new();
        for check in self.states.iter().flat_map(|state| &state.checks) {
            if let Check::Query(query) = check.without_not()
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

/// A state: the checks by which it is recognised, and the actions to execute in it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The state's name. Several states may have the same one.
    pub name: String,
    /// The state's description, for people.
    pub description: String,
    /// The checks. The state matches a page if all of them hold.
    pub checks: Vec<Check>,
    /// The actions, in order.
    pub lines: Vec<Line>,
    /// The message with which the run ends after this state, never empty; `None` if the run continues.
    pub end: Option<String>,
    /// Whether the state is executed again as long as it matches.
    pub continuity: Continuity,
    /// Whether a check or an action of the state is written in the later format.
    pub is_later_format: bool,
    /// Whether models made the state and it has not matched again since.
    pub is_unproven: bool,
    /// The elements for each of which the actions are executed once; `None` to execute them once.
    pub each: Option<Each>,
}

/// Elements of a page that a state goes through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Each {
    /// What finds the elements.
    pub locator: Locator,
    /// The name of the parameter whose value is the position of the element, from 0.
    pub parameter: String,
    /// The most elements to go through.
    pub count_max: u32,
}

impl State {
    /// Returns whether the state has an end with a message that is not blank.
    #[must_use]
    pub fn has_words_at_end(&self) -> bool {
        let end = self.end.as_deref();
        end.is_some_and(|end| !end.trim().is_empty())
    }
}

/// A check of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// A signal of the page must be equal to a text.
    Signal {
        /// The kind of signal to compare.
        kind: CheckKind,
        /// The text to compare with; `None` if the file has none. The check then never holds.
        value: Option<String>,
    },
    /// The browser must find an element.
    Query(Query),
    /// The page's address must fit a pattern.
    UrlPattern(UrlPattern),
    /// The other check must not hold.
    Not(Box<Self>),
}

impl Check {
    /// Returns the check that must hold, or must not.
    #[must_use]
    pub fn without_not(&self) -> &Self {
        match self {
            Self::Not(check) => check.without_not(),
            check => check,
        }
    }
}

/// A pattern of addresses: `*` stands for any text without a `/`, `**` for any text. Without a `?` in the pattern, the
/// query and the fragment of an address are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern(String);

impl UrlPattern {
    /// Makes a pattern.
    #[must_use]
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// Returns the pattern as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether an address fits the pattern.
    #[must_use]
    pub fn fits(&self, address: &str) -> bool {
        let whole = self.0.contains('?') || self.0.contains('#');
        let end = address.find(['?', '#']).filter(|_| !whole);
        let address = end.and_then(|end| address.get(..end)).unwrap_or(address);
        fits(self.0.as_bytes(), address.as_bytes())
    }
}

/// Returns whether a text fits a pattern with `*` and `**`. If the text after a star does not fit, the last star takes
/// one more byte, so that the time is at most the product of both lengths.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut position) = (0, 0);
    // The last `*` and the last `**` passed, each with the place in the text up to which it reaches.
    let (mut short, mut long) = (None::<(usize, usize)>, None::<(usize, usize)>);
    loop {
        match (pattern.get(at), text.get(position)) {
            (None, None) => return true,
            (Some(b'*'), _) => {
                let is_long = pattern.get(at.saturating_add(1)) == Some(&b'*');
                at = at.saturating_add(if is_long { 2 } else { 1 });
                if is_long {
                    long = Some((at, position));
                    short = None;
                } else {
                    short = Some((at, position));
                }
                continue;
            }
            (Some(wanted), Some(byte)) if wanted == byte => {
                at = at.saturating_add(1);
                position = position.saturating_add(1);
                continue;
            }
            _ => {}
        }
        let is_slash = |(_, reached): &(usize, usize)| text.get(*reached) == Some(&b'/');
        let again = short.filter(|star| !is_slash(star) && star.1 < text.len());
        if let Some((after, reached)) = again {
            at = after;
            position = reached.saturating_add(1);
            short = Some((after, position));
        } else if let Some((after, reached)) = long.filter(|star| star.1 < text.len()) {
            at = after;
            position = reached.saturating_add(1);
            long = Some((after, position));
            short = None;
        } else {
            return false;
        }
    }
}

/// The kind of signal that a check compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckKind {
    /// The address of the page.
    Url,
    /// The text of a visible element, without the text of its children.
    Text,
    /// The selector of a visible element, as the page's script computes it.
    Element,
    /// A kind that the file names but this program does not know. Such a check never holds.
    Unknown,
}

/// An action of a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A call of a known function.
    Call {
        /// The call as it is written.
        call: Call,
        /// The step of the call, or why its arguments make no sense.
        step: Result<Step, String>,
    },
    /// The marker at which the state's actions end.
    Terminate {
        /// Whether the marker is written as a call, which the old format does not have.
        is_call: bool,
    },
    /// An action that is known but skipped.
    PassedOver(PassedOver),
    /// An action that could not be parsed.
    Unread(Unread),
}

/// An action that is known but skipped, since this program has nothing to execute it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum PassedOver {
    /// Starts to write measurements to a file.
    StartStatsLogging,
    /// Stops writing measurements to a file.
    StopStatsLogging,
}

impl PassedOver {
    /// Returns why the action is skipped, as part of a sentence.
    #[must_use]
    pub fn why(self) -> &'static str {
        "it writes a file of measurements, which nothing here does"
    }
}

/// An action that could not be parsed. It is stored as written, but never displayed, since it may contain a secret.
#[derive(Clone, PartialEq)]
pub struct Unread {
    error: CallError,
    written: Value,
}

impl Unread {
    /// Stores an action as written, with the error of the parser.
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
    /// Writes only the error, since the action may contain a secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

/// A description from which a model makes a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The name of the state to make.
    pub name: String,
    /// The description of the state to make.
    pub description: String,
    /// Sentences by which to recognise that a page is in the state.
    pub triggers: Vec<String>,
    /// Sentences on what to do in the state.
    pub actions: Vec<String>,
    /// The message with which the run ends after the state; empty if the run continues.
    pub end_state: String,
}

impl Prompt {
    /// Returns whether the message at the state's end is not blank.
    #[must_use]
    pub fn has_words_at_end(&self) -> bool {
        !self.end_state.trim().is_empty()
    }

    /// Returns whether a sentence of the prompt names the parameter, by its bare name or as `parameters['NAME']`.
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

/// Returns whether a sentence contains a name as a whole word.
fn has_word(sentence: &str, name: &str) -> bool {
    let is_of_name = |one: char| one.is_alphanumeric() || matches!(one, '-' | '_');
    sentence.match_indices(name).any(|(at, _)| {
        let (before, rest) = sentence.split_at(at);
        let behind = rest.get(name.len()..).unwrap_or_default();
        // A dot between letters is part of a longer name, whereas a dot after the name only ends the sentence.
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

/// Whether a state is executed again as long as it matches, as written in either spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Continuity {
    /// The value of `continous`, the spelling of older files.
    pub misspelt: Option<bool>,
    /// The value of `continuous`.
    pub spelt: Option<bool>,
}

impl Continuity {
    /// Returns whether the state is executed again; `continuous` takes precedence.
    #[must_use]
    pub fn holds(self) -> bool {
        self.spelt.or(self.misspelt).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_fit_patterns() {
        for (pattern, address, expected) in [
            (
                "https://a.example/orders/*",
                "https://a.example/orders/17",
                true,
            ),
            (
                "https://a.example/orders/*",
                "https://a.example/orders/17/edit",
                false,
            ),
            (
                "https://a.example/orders/*",
                "https://a.example/orders/17?x=/y#z",
                true,
            ),
            (
                "https://a.example/**",
                "https://a.example/orders/17/edit",
                true,
            ),
            ("**/edit", "https://a.example/orders/17/edit", true),
            (
                "**/orders/*/edit",
                "https://a.example/orders/1/x/orders/2/edit",
                true,
            ),
            (
                "**/orders/*/edit",
                "https://a.example/orders/1/2/edit",
                false,
            ),
            ("*/edit", "https://a.example/edit", false),
            (
                "https://a.example/?page=*",
                "https://a.example/?page=2",
                true,
            ),
            ("https://a.example/?page=*", "https://a.example/", false),
            ("https://a.example/", "https://a.example/", true),
            ("https://a.example/", "https://a.example/x", false),
            ("", "", true),
            ("*", "", true),
        ] {
            let fits = UrlPattern::new(pattern).fits(address);
            assert_eq!(fits, expected, "{pattern} {address}");
        }
        let long = "a".repeat(20_000);
        assert!(!UrlPattern::new("**a*a*a*b").fits(&long));
    }

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
