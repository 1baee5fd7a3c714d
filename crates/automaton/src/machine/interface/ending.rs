//! How a run ends.

use domain::page::PageView;

use crate::machine::grammar::Cause;

use super::action::Place;

/// The ending of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// A state with an end was executed.
    Completed {
        /// The words of the state's end.
        message: String,
        /// The page as it was seen last, if it was.
        read: Option<PageRead>,
    },
    /// The run could not go on.
    Failed {
        /// The kind of the failure.
        why: WhyFailed,
        /// The sentence that says what happened.
        message: String,
        /// The first check that did not hold of each state at the last look, where no state passed.
        unmet: Vec<Unmet>,
    },
    /// The user has ended the run.
    Stopped,
}

/// What was read of a page, without the values of secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRead {
    /// The page's address; `None` where it cannot be read.
    pub url: Option<String>,
    /// The page's title.
    pub title: String,
    /// The first visible texts, in the order of the page.
    pub texts: Vec<String>,
}

/// The most texts that are read of a page.
const TEXTS_MAX: usize = 100;

impl PageRead {
    /// Returns what is read of a page as it was seen.
    pub fn of(view: &PageView) -> Self {
        let items = view.signals.items.iter().flatten();
        let texts = items.map(|item| &item.text).filter(|text| !text.is_empty());
        Self {
            url: view.signals.url.clone(),
            title: view.title.clone(),
            texts: texts.take(TEXTS_MAX).cloned().collect(),
        }
    }
}

/// A check that did not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unmet {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The position of the check in its state, from 0; `None` where the state has no check at all.
    pub check: Option<usize>,
}

/// The kind of failure that ended a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyFailed {
    /// The automaton has no state.
    NoStatesProvided,
    /// No state passed for longer than the run waits for one.
    NoStatesTimeout,
    /// Several states passed at once.
    MultipleStates {
        /// The positions of the states.
        states: Vec<usize>,
    },
    /// One state passed for longer than it may.
    StateTimeout {
        /// The position of the state.
        state: usize,
    },
    /// As many states were executed as may be.
    RecursionLimit,
    /// An action failed.
    Action {
        /// The action's place.
        place: Place,
        /// The kind of the action's failure.
        cause: Cause,
    },
    /// An action was forbidden.
    Refused {
        /// The action's place.
        place: Place,
    },
    /// An action was sent, and nobody knows what came of it.
    UnknownOutcome {
        /// The action's place.
        place: Place,
    },
    /// No state could be made.
    Synthesis,
    /// The browser is gone.
    Browser,
    /// The run's time is over.
    TimeLimit,
    /// The run's budget is spent.
    Budget,
}

impl WhyFailed {
    /// Returns the kind as it is sent.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::NoStatesProvided => "no_states_provided",
            Self::NoStatesTimeout => "no_states_timeout",
            Self::MultipleStates { .. } => "multiple_states",
            Self::StateTimeout { .. } => "state_timeout",
            Self::RecursionLimit => "recursion_limit",
            Self::Action { .. } => "action",
            Self::Refused { .. } => "refused",
            Self::UnknownOutcome { .. } => "unknown_outcome",
            Self::Synthesis => "synthesis",
            Self::Browser => "browser",
            Self::TimeLimit => "time_limit",
            Self::Budget => "budget",
        }
    }
}
