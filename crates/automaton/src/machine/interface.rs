//! The engine's interface: the order and its limits, the actions it requests, and their outcomes.

mod notice;

use std::collections::BTreeSet;

use domain::chat::{ChatQuestion, ChatReply};
use domain::page::{ActionFailure, BrowserGone, Done, PageView, Query, Signals};
use domain::{Failure, Sha256Digest};
use engine::{optional_whole_number, whole_number};
use json::OkOrFailed;
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumString};

use super::actions::BrowserAction;
use super::grammar::{Cause, Text};
use super::states::{Automaton, Prompt};

pub use notice::{AskedAbout, Decision, Notice, NoticeKind, Pause, Proof};

/// The name of a child investigation in events and records.
pub const CHAIN_RUN: &str = "investigation";
/// The most texts read from a page.
const TEXTS_MAX: usize = 100;

/// An accepted order for an automaton run.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The states.
    pub automaton: Automaton,
    /// The prompts from which models make more states; empty to make none.
    pub prompts: Vec<Prompt>,
    /// The timings and limits of the loop.
    pub settings: Settings,
    /// The parameters that the states may refer to.
    pub parameters: Parameters,
    /// What to do if it is unknown whether an action was executed.
    pub on_unknown: OnUnknown,
    /// Whether models regenerate a state whose check or action fails.
    pub regenerates: bool,
    /// Whether a picture of each look is stored.
    pub keeps_pictures: bool,
    /// The limits of the run.
    pub limits: Limits,
}

/// The names of the parameters that the states may refer to. Only the executor knows their values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    /// The names of the public parameters.
    pub open: BTreeSet<String>,
    /// The names of the secret parameters.
    pub secret: BTreeSet<String>,
}

impl Parameters {
    /// Returns whether the run has a parameter of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.open.contains(name) || self.secret.contains(name)
    }
}

/// What to do if an action was sent with an unknown outcome and its state still matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, EnumString)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum OnUnknown {
    /// End the run and say what to check, unless the action is repeatable.
    #[default]
    End,
    /// Repeat the action.
    Again,
}

/// The timings and limits of the automaton's loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The time from one look to the next, in milliseconds. There is no wait before the first look and after an
    /// executed state: a look itself waits until the page is quiet.
    #[serde(deserialize_with = "whole_number")]
    pub transition_period_ms: u64,
    /// The delay between two actions, in milliseconds.
    #[serde(deserialize_with = "whole_number")]
    pub action_period_ms: u64,
    /// The most states to execute.
    #[serde(deserialize_with = "whole_number")]
    pub recursion_limit: u32,
    /// Whether to execute the first of several matching states; otherwise they are an error.
    #[serde(rename = "allowMultipleStates")]
    pub allows_multiple_states: bool,
    /// How long the same state may keep matching, in milliseconds; if negative, its first repetition is an error.
    #[serde(deserialize_with = "whole_number")]
    pub state_timeout_ms: i64,
    /// How long no state may match, in milliseconds; if 0 or negative, the first such look is an error.
    #[serde(deserialize_with = "whole_number")]
    pub no_states_timeout_ms: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            transition_period_ms: 250,
            action_period_ms: 0,
            recursion_limit: 50,
            allows_multiple_states: false,
            state_timeout_ms: 30_000,
            no_states_timeout_ms: 60_000,
        }
    }
}

impl Settings {
    /// Returns the defaults if models make states, with a shorter wait on a page without a state.
    #[must_use]
    pub fn with_prompts() -> Self {
        Self {
            no_states_timeout_ms: 10_000,
            ..Self::default()
        }
    }
}

/// The limits of an automaton run, each for the whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most browser actions.
    #[serde(rename = "actions", deserialize_with = "whole_number")]
    pub actions_max: u32,
    /// The most looks at the page.
    #[serde(rename = "looks", deserialize_with = "whole_number")]
    pub looks_max: u32,
    /// The most questions to models.
    #[serde(rename = "asks", deserialize_with = "whole_number")]
    pub asks_max: u32,
    /// The most states made by models.
    #[serde(rename = "statesMade", deserialize_with = "whole_number")]
    pub states_made_max: u32,
    /// The run's longest duration in milliseconds, not counting pauses between processes.
    #[serde(rename = "runtimeMs", deserialize_with = "whole_number")]
    pub runtime_ms_max: u64,
    /// The longest duration of a command beyond its own waiting, in milliseconds.
    #[serde(rename = "callMs", deserialize_with = "whole_number")]
    pub call_ms_max: u64,
    /// The highest total cost, in billionths of a dollar; `None` for no limit.
    #[serde(
        rename = "nanoUsdMax",
        default,
        deserialize_with = "optional_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub nano_usd_max: Option<u64>,
    /// The highest cost of a browser per second, in billionths of a dollar.
    #[serde(rename = "secondNanoUsd", deserialize_with = "whole_number")]
    pub second_nano_usd_max: u64,
    /// The highest cost of one question to a model, in billionths of a dollar.
    #[serde(rename = "askNanoUsd", deserialize_with = "whole_number")]
    pub ask_nano_usd_max: u64,
    /// The most notices that are emitted: further ones of a long run are only counted.
    #[serde(rename = "notices", deserialize_with = "whole_number")]
    pub notices_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            actions_max: 1_000,
            looks_max: 5_000,
            asks_max: 300,
            states_made_max: 20,
            runtime_ms_max: 600_000,
            call_ms_max: 30_000,
            nano_usd_max: None,
            second_nano_usd_max: 0,
            ask_nano_usd_max: 0,
            notices_max: 5_000,
        }
    }
}

/// An action to execute; its answer carries the command's id.
pub type Command = kernel::Command<Action>;

/// The actions that an automaton requests.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Look at the page, once it is loaded and quiet. Looking changes nothing.
    Look {
        /// The queries for the browser, beside the page's script.
        queries: Vec<Query>,
        /// Whether to list the elements that can be acted on, for a model.
        wants_elements: bool,
        /// Whether to store a picture.
        wants_picture: bool,
    },
    /// Execute a browser action. The intent is journaled before it is sent, and it is sent once.
    Act {
        /// The action's place in the automaton.
        place: Place,
        /// The action.
        action: BrowserAction,
    },
    /// Reload the page, on which only repeatable actions were executed.
    Reload,
    /// Ask a model.
    Ask(ChatQuestion),
    /// Begin an investigation.
    Investigate(InvestigateCall),
    /// Wait.
    Wait {
        /// The time to wait, in milliseconds.
        ms: u64,
    },
}

/// An investigation begun by a state. Its texts may refer to public parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigateCall {
    /// The action's place in the automaton.
    pub place: Place,
    /// The person at the start of the chain.
    pub person_a: Text,
    /// The person at the end of the chain.
    pub person_b: Text,
    /// The run's highest cost, in billionths of a dollar; `None` for no limit.
    pub nano_usd_max: Option<u64>,
}

/// The place of an action in an automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The number of the action in its state, from 1.
    pub line: u32,
}

/// An input of the engine.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command, one variant for each [`Action`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The page's view.
    Looked(#[serde(with = "OkOrFailed")] Result<Looked, BrowserGone>),
    /// The page is unchanged since the last look, with its picture.
    Unchanged,
    /// The result of an action.
    Acted(#[serde(with = "OkOrFailed")] Result<Done, ActionFailure>),
    /// Whether the page was reloaded.
    Reloaded(#[serde(with = "OkOrFailed")] Result<(), BrowserGone>),
    /// The answer of a model.
    Asked(#[serde(with = "OkOrFailed")] Result<ChatReply, Failure>),
    /// The end of an investigation, or why it has none.
    Investigated(#[serde(with = "OkOrFailed")] Result<ChainEnd, ChainFailure>),
    /// The wait is over.
    Waited,
}

impl Outcome {
    /// Returns whether the action succeeded.
    #[must_use]
    pub fn is_success(&self) -> bool {
        match self {
            Self::Looked(result) => result.is_ok(),
            Self::Acted(result) => result.is_ok(),
            Self::Reloaded(result) => result.is_ok(),
            Self::Asked(result) => result.is_ok(),
            Self::Investigated(result) => result.is_ok(),
            Self::Unchanged | Self::Waited => true,
        }
    }
}

/// The end of a child investigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEnd {
    /// The run's public token.
    pub run: String,
    /// The outcome in one sentence.
    pub message: String,
}

/// Why a child investigation has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainFailure {
    /// The run's public token, if it was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What happened, in one sentence.
    pub message: String,
}

/// A look at a page.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Looked {
    /// The page's view.
    #[serde(flatten)]
    pub view: PageView,
    /// SHA-256 of the stored picture, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Sha256Digest>,
}

impl From<Signals> for Looked {
    fn from(signals: Signals) -> Self {
        Self {
            view: signals.into(),
            picture: None,
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// A state with an end was executed.
    Completed {
        /// The message of the state's end.
        message: String,
        /// What was read at the last look, if any.
        read: Option<PageRead>,
    },
    /// The run could not continue.
    Failed {
        /// The kind of failure.
        why: WhyFailed,
        /// What happened, in one sentence.
        message: String,
        /// The first unmet check of each state at the last look, if no state matched.
        unmet: Vec<Unmet>,
    },
    /// The user stopped the run.
    Stopped,
}

/// What was read from a page, without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRead {
    /// The page's address; `None` if unreadable.
    pub url: Option<String>,
    /// The page's title.
    pub title: String,
    /// The first visible texts, in page order.
    pub texts: Vec<String>,
}

impl PageRead {
    /// Returns what is read from a page's view.
    pub fn of(view: &PageView) -> Self {
        let items = view.signals.items.iter().flatten();
        let texts = items.map(|item| &item.text).filter(|text| !text.is_empty());
        Self {
            url: view.signals.url.clone(),
            title: view.signals.title.clone(),
            texts: texts.take(TEXTS_MAX).cloned().collect(),
        }
    }
}

/// A check that is not met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unmet {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The position of the check in its state, from 0; `None` if the state has no checks.
    pub check: Option<usize>,
}

/// The kind of failure that ended a run.
#[derive(Debug, Clone, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum WhyFailed {
    /// The automaton has no state.
    NoStatesProvided,
    /// No state matched for longer than the limit.
    NoStatesTimeout,
    /// Several states matched at once.
    MultipleStates {
        /// The positions of the states.
        states: Vec<usize>,
    },
    /// A state kept matching for longer than the limit.
    StateTimeout {
        /// The position of the state.
        state: usize,
    },
    /// The limit of executed states is reached.
    RecursionLimit,
    /// An action failed.
    Action {
        /// The action's place.
        place: Place,
        /// The kind of failure.
        cause: Cause,
    },
    /// An action was forbidden.
    Refused {
        /// The action's place.
        place: Place,
    },
    /// An action was sent, and its outcome is unknown.
    UnknownOutcome {
        /// The action's place.
        place: Place,
    },
    /// No state could be made.
    Synthesis,
    /// The browser is lost.
    Browser,
    /// The run's time is up.
    TimeLimit,
    /// The run's budget is spent.
    Budget,
}

/// What an automaton run has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The number of executed states.
    pub states: u32,
    /// The number of browser actions.
    pub actions: u32,
    /// The number of looks at the page.
    pub looks: u32,
    /// The number of questions to models.
    pub asks: u32,
    /// The number of times that models began to make a state.
    pub states_made: u32,
    /// The run's time, in milliseconds.
    pub runtime_ms: u64,
    /// The total cost, in billionths of a dollar.
    pub nano_usd: u64,
}
