//! One state.

use std::fmt;

use serde_json::Value;

use domain::page::Query;

use crate::machine::actions::Step;
use crate::machine::grammar::{Call, CallError};

use super::continuity::Continuity;

/// A state: the checks that say that the page is in it, and what is done then.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The state's name. Two states may have the same.
    pub name: String,
    /// The state's description, for people.
    pub description: String,
    /// The checks. All of them must hold.
    pub checks: Vec<Check>,
    /// The actions, in order.
    pub lines: Vec<Line>,
    /// The words with which the run ends after this state; never empty.
    pub end: Option<String>,
    /// Whether the state runs again as long as it passes.
    pub continuity: Continuity,
    /// Whether a check or an action is written in the later format.
    pub is_later_format: bool,
    /// Whether models made the state and it never passed again since.
    pub is_unproven: bool,
}

/// A check of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// The page's signals have a text.
    Signal {
        /// The kind of the signal.
        kind: CheckKind,
        /// The text; `None` where the file has no text there, so that the check never holds.
        value: Option<String>,
    },
    /// The browser finds an element.
    Query(Query),
}

/// The kind of signal that a check compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckKind {
    /// The page's address.
    Url,
    /// The own text of a visible element.
    Text,
    /// The computed selector of a visible element.
    Element,
    /// A kind that nobody knows.
    Unknown,
}

/// An action of a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A call.
    Call {
        /// The call as it is written.
        call: Call,
        /// The step that the call asks for, or the reason why its arguments make no sense.
        step: Result<Step, String>,
    },
    /// The state's actions end here.
    Terminate {
        /// Whether it is written as a call: the old format has none of this name.
        is_call: bool,
    },
    /// An action that is known and that nobody carries out here.
    PassedOver(PassedOver),
    /// An action that cannot be read.
    Unread(Unread),
}

/// An action that is known and that nobody carries out here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassedOver {
    /// It begins to write measurements.
    StartStatsLogging,
    /// It ends the writing of measurements.
    StopStatsLogging,
}

impl PassedOver {
    const ALL: [Self; 2] = [Self::StartStatsLogging, Self::StopStatsLogging];

    /// Returns the action's type as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StartStatsLogging => "start_stats_logging",
            Self::StopStatsLogging => "stop_stats_logging",
        }
    }

    /// Returns the action of this type. Returns `None` where it is another one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// Returns why nobody carries the action out, as a part of a sentence.
    #[must_use]
    pub fn why(self) -> &'static str {
        "it writes a file of measurements, which nothing here does"
    }
}

/// An action that cannot be read. It is kept as it is written, and nothing shows it.
#[derive(Clone, PartialEq)]
pub struct Unread {
    error: CallError,
    written: Value,
}

impl Unread {
    /// Keeps an action as it is written, and the reason why it cannot be read.
    #[must_use]
    pub fn new(error: CallError, written: Value) -> Self {
        Self { error, written }
    }

    /// Returns the reason why the action cannot be read.
    #[must_use]
    pub fn error(&self) -> &CallError {
        &self.error
    }

    /// Returns the action as it is written.
    #[must_use]
    pub fn written(&self) -> &Value {
        &self.written
    }
}

impl fmt::Debug for Unread {
    /// Shows the error alone: the action may hold what nobody may see.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

impl State {
    /// Returns whether the state has an end that is more than blanks.
    #[must_use]
    pub fn has_words_at_end(&self) -> bool {
        let end = self.end.as_deref();
        end.is_some_and(|end| !end.trim().is_empty())
    }
}
