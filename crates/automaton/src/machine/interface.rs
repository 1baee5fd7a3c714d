//! The engine's interface: an order and its limits, the actions that the engine requests, and their outcomes.

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

/// The name of a child investigation, as events and records show it.
pub const CHAIN_RUN: &str = "investigation";
/// The most texts of the last page that the result of a run contains.
const TEXTS_MAX: usize = 100;

/// An accepted order for an automaton run.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The states of the automaton.
    pub automaton: Automaton,
    /// The prompts from which models make further states; empty if models make none.
    pub prompts: Vec<Prompt>,
    /// The timings and limits of the loop.
    pub settings: Settings,
    /// The parameters that the states may refer to.
    pub parameters: Parameters,
    /// What to do if an action was sent and its outcome is unknown.
    pub on_unknown: OnUnknown,
    /// Whether models regenerate a state whose check or action fails.
    pub regenerates: bool,
    /// Whether a picture of the page is stored at each look.
    pub keeps_pictures: bool,
    /// The limits of what the run may do and spend.
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

/// What to do if an action was sent, its outcome is unknown, and its state still matches the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, EnumString)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum OnUnknown {
    /// End the run and report what to check. A repeatable action is repeated all the same.
    #[default]
    End,
    /// Repeat the action, even if this executes it twice.
    Again,
}

/// The timings and limits of the automaton's loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The time from one look to the next, in milliseconds. There is no wait before the first look or after an executed
    /// state, because a look itself waits until the page is quiet.
    #[serde(deserialize_with = "whole_number")]
    pub transition_period_ms: u64,
    /// The delay between two actions, in milliseconds.
    #[serde(deserialize_with = "whole_number")]
    pub action_period_ms: u64,
    /// The most states that the run executes.
    #[serde(deserialize_with = "whole_number")]
    pub recursion_limit: u32,
    /// Whether to execute the first of several matching states. Otherwise several matching states are an error.
    #[serde(rename = "allowMultipleStates")]
    pub allows_multiple_states: bool,
    /// How long the last executed state may keep matching, in milliseconds. If negative, the first look at which it
    /// still matches is an error.
    #[serde(deserialize_with = "whole_number")]
    pub state_timeout_ms: i64,
    /// How long no state may match, in milliseconds. If 0 or negative, the first look without a matching state is an
    /// error.
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
    /// Returns the defaults for automata with prompts. The wait on a page without a matching state is shorter, since
    /// models then make a state.
    #[must_use]
    pub fn with_prompts() -> Self {
        Self {
            no_states_timeout_ms: 10_000,
            ..Self::default()
        }
    }
}

/// The limits of an automaton run, each for the run as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most browser actions that the run may execute.
    #[serde(rename = "actions", deserialize_with = "whole_number")]
    pub actions_max: u32,
    /// The most looks at the page that the run may make.
    #[serde(rename = "looks", deserialize_with = "whole_number")]
    pub looks_max: u32,
    /// The most questions to models that the run may ask.
    #[serde(rename = "asks", deserialize_with = "whole_number")]
    pub asks_max: u32,
    /// The most states that models may make.
    #[serde(rename = "statesMade", deserialize_with = "whole_number")]
    pub states_made_max: u32,
    /// The run's longest duration in milliseconds, not counting pauses between processes.
    #[serde(rename = "runtimeMs", deserialize_with = "whole_number")]
    pub runtime_ms_max: u64,
    /// The longest duration of a command, in milliseconds, not counting the time that it waits for elements.
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
    /// The most notices that are emitted. After that, only important ones are emitted, and the others are counted.
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

/// An action to execute, with an id that its answer repeats.
pub type Command = kernel::Command<Action>;

/// The actions that an automaton requests.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Look at the page, once it is loaded and quiet. Looking changes nothing.
    Look {
        /// The queries for the browser to answer. They come in addition to what the page's script returns.
        queries: Vec<Query>,
        /// Whether to list the elements that can be acted on, which models need.
        wants_elements: bool,
        /// Whether to store a picture.
        wants_picture: bool,
    },
    /// Execute a browser action. The action is journaled before it is sent, and it is sent only once.
    Act {
        /// The action's place in the automaton.
        place: Place,
        /// The action, whose texts may refer to parameters.
        action: BrowserAction,
    },
    /// Reload the page. This is only requested if all actions sent so far are repeatable.
    Reload,
    /// Ask a model about the page.
    Ask(ChatQuestion),
    /// Begin an investigation, and wait for its end.
    Investigate(InvestigateCall),
    /// Wait without doing anything.
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
    /// The highest cost of the child run, in billionths of a dollar; `None` for no limit.
    pub nano_usd_max: Option<u64>,
}

/// The place of an action in an automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The position of the state in the automaton, from 0.
    pub state: usize,
    /// The number of the action in its state, from 1.
    pub line: u32,
}

/// An input of the engine: an answer, a stop, or another event from outside.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command: its outcome and what it cost.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command: one variant for each [`Action`], and one for an unchanged page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The view of the page, or why the browser is lost.
    Looked(#[serde(with = "OkOrFailed")] Result<Looked, BrowserGone>),
    /// The page and its picture are unchanged since the last look.
    Unchanged,
    /// How a browser action was executed, or why it failed.
    Acted(#[serde(with = "OkOrFailed")] Result<Done, ActionFailure>),
    /// Whether the page was reloaded, or why the browser is lost.
    Reloaded(#[serde(with = "OkOrFailed")] Result<(), BrowserGone>),
    /// The reply of a model, or why there is none.
    Asked(#[serde(with = "OkOrFailed")] Result<ChatReply, Failure>),
    /// The end of an investigation, or why it has no result.
    Investigated(#[serde(with = "OkOrFailed")] Result<ChainEnd, ChainFailure>),
    /// The wait has ended.
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

/// How a child investigation ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEnd {
    /// The child run's public token.
    pub run: String,
    /// How the investigation ended, in one sentence.
    pub message: String,
}

/// Why a child investigation has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainFailure {
    /// The child run's public token; `None` if it was not begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What happened, in one sentence.
    pub message: String,
}

/// What a look at a page returned.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Looked {
    /// The page's view.
    #[serde(flatten)]
    pub view: PageView,
    /// SHA-256 of the stored picture; `None` if none is stored.
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
    /// A state with an end was executed, which completes the run.
    Completed {
        /// The message of the state's end.
        message: String,
        /// What was read at the last look; `None` if the run never looked.
        read: Option<PageRead>,
    },
    /// The run failed and could not continue.
    Failed {
        /// The kind of failure.
        why: WhyFailed,
        /// What happened, in one sentence.
        message: String,
        /// The first unmet check of each state at the last look, if no state matched.
        unmet: Vec<Unmet>,
    },
    /// The user has stopped the run.
    Stopped,
}

/// What was read from the last page, without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRead {
    /// The page's address; `None` if it could not be read.
    pub url: Option<String>,
    /// The page's title.
    pub title: String,
    /// The first visible texts, in page order.
    pub texts: Vec<String>,
}

impl PageRead {
    /// Returns the part of a page's view that the result of a run contains.
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

/// The first check of a state that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unmet {
    /// The position of the state in the automaton, from 0.
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
    /// The last executed state kept matching for longer than the limit.
    StateTimeout {
        /// The position of the state.
        state: usize,
    },
    /// The run has executed as many states as its limit allows.
    RecursionLimit,
    /// An action failed.
    Action {
        /// The place of the action in the automaton.
        place: Place,
        /// The kind of failure.
        cause: Cause,
    },
    /// An action was forbidden, because its address or secret does not belong to the page's origin.
    Refused {
        /// The place of the action in the automaton.
        place: Place,
    },
    /// An action was sent, its outcome is unknown, and it must not be repeated.
    UnknownOutcome {
        /// The place of the action in the automaton.
        place: Place,
    },
    /// Models could not make a state for the page.
    Synthesis,
    /// The browser was lost and could not be replaced.
    Browser,
    /// The run's time is up.
    TimeLimit,
    /// The run has spent or done all that its limits allow.
    Budget,
}

/// What an automaton run has spent so far.
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
    /// The duration of the run in milliseconds, not counting pauses between processes.
    pub runtime_ms: u64,
    /// The total cost, in billionths of a dollar.
    pub nano_usd: u64,
}
