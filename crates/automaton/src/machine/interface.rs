//! The interface of the engine: the values that go in and out.

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

/// The name of an investigation that a state begins, in events and records.
pub const CHAIN_RUN: &str = "investigation";
/// The most texts that are read of a page.
const TEXTS_MAX: usize = 100;

/// The order of an automaton's run, already accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The states.
    pub automaton: Automaton,
    /// The prompts by which models make further states; empty where none is made.
    pub prompts: Vec<Prompt>,
    /// The periods and limits of the loop.
    pub settings: Settings,
    /// The parameters that the states may refer to.
    pub parameters: Parameters,
    /// The reaction where it is unknown whether an action was carried out.
    pub on_unknown: OnUnknown,
    /// Whether models regenerate a state whose check or action fails.
    pub regenerates: bool,
    /// Whether a picture of each page that was looked at is kept beside the run.
    pub keeps_pictures: bool,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
}

/// The names of the parameters that the states may refer to. Their values are known only to whoever
/// carries an action out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    /// The names of the parameters whose values are public.
    pub open: BTreeSet<String>,
    /// The names of the parameters whose values are secret.
    pub secret: BTreeSet<String>,
}

impl Parameters {
    /// Returns whether the run has a parameter of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.open.contains(name) || self.secret.contains(name)
    }
}

/// The reaction where an action was sent, nobody knows what came of it, and its state still passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, EnumString)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum OnUnknown {
    /// The run ends and says what to look at, unless the action may be repeated.
    #[default]
    End,
    /// The action is carried out again.
    Again,
}

/// The periods and limits of the automaton's own loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The time from one look to the next, in milliseconds. Nothing is waited for before the
    /// first look, nor after a state that ran: a look itself waits until the page is quiet.
    #[serde(deserialize_with = "whole_number")]
    pub transition_period_ms: u64,
    /// The time between two actions, in milliseconds.
    #[serde(deserialize_with = "whole_number")]
    pub action_period_ms: u64,
    /// The most states that are executed.
    #[serde(deserialize_with = "whole_number")]
    pub recursion_limit: u32,
    /// Whether the first of several states that pass is executed; otherwise they are an error.
    #[serde(rename = "allowMultipleStates")]
    pub allows_multiple_states: bool,
    /// The longest time for which one state may go on passing, in milliseconds; below 0 where its first
    /// repeat is an error.
    #[serde(deserialize_with = "whole_number")]
    pub state_timeout_ms: i64,
    /// The longest time for which no state may pass, in milliseconds; 0 or below where the first
    /// such look is an error.
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
    /// Returns what counts where nothing is said and models make states: a page without a state is not
    /// waited for as long.
    #[must_use]
    pub fn with_prompts() -> Self {
        Self {
            no_states_timeout_ms: 10_000,
            ..Self::default()
        }
    }
}

/// The limits of an automaton's run: what it may do and spend. Each is a bound of the whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most actions of the browser.
    #[serde(rename = "actions", deserialize_with = "whole_number")]
    pub actions_max: u32,
    /// The most looks at the page.
    #[serde(rename = "looks", deserialize_with = "whole_number")]
    pub looks_max: u32,
    /// The most questions to models.
    #[serde(rename = "asks", deserialize_with = "whole_number")]
    pub asks_max: u32,
    /// The most states that models make.
    #[serde(rename = "statesMade", deserialize_with = "whole_number")]
    pub states_made_max: u32,
    /// The run's time, in milliseconds, pauses between processes not counted.
    #[serde(rename = "runtimeMs", deserialize_with = "whole_number")]
    pub runtime_ms_max: u64,
    /// The longest time of one command beside what its own waiting takes, in milliseconds.
    #[serde(rename = "callMs", deserialize_with = "whole_number")]
    pub call_ms_max: u64,
    /// The most that everything may cost, in billionths of a dollar; `None` where there is no limit.
    #[serde(
        rename = "nanoUsdMax",
        default,
        deserialize_with = "optional_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub nano_usd_max: Option<u64>,
    /// The most that one second of a browser may cost, in billionths of a dollar.
    #[serde(rename = "secondNanoUsd", deserialize_with = "whole_number")]
    pub second_nano_usd_max: u64,
    /// The most that one question to a model may cost, in billionths of a dollar.
    #[serde(rename = "askNanoUsd", deserialize_with = "whole_number")]
    pub ask_nano_usd_max: u64,
    /// The most notices that are told: those of a run that goes on for long are only counted.
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

/// An action to be carried out; its answer carries the command's id.
pub type Command = kernel::Command<Action>;

/// The actions of an automaton outside the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Look at the page, after navigation and quiet. Looking changes nothing.
    Look {
        /// The questions that the browser answers, beside the page's script.
        queries: Vec<Query>,
        /// Whether the elements that can be acted on are listed, for a model.
        wants_elements: bool,
        /// Whether a picture is kept beside the run.
        wants_picture: bool,
    },
    /// Let the browser do something. The intent is written down before it is sent, and it is sent once.
    Act {
        /// The action's place in the automaton.
        place: Place,
        /// The action.
        action: BrowserAction,
    },
    /// Reload the page. Nothing that may not be repeated was done on it.
    Reload,
    /// Ask a model.
    Ask(ChatQuestion),
    /// Look for a chain between two people, by a run of another engine.
    Investigate(InvestigateCall),
    /// Let some time pass.
    Wait {
        /// The time to wait, in milliseconds.
        ms: u64,
    },
}

/// An investigation that a state begins. Its texts may refer to public parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigateCall {
    /// The action's place in the automaton.
    pub place: Place,
    /// The person with whom the chain starts.
    pub person_a: Text,
    /// The person with whom the chain ends.
    pub person_b: Text,
    /// The most that the run may cost, in billionths of a dollar; `None` where there is no limit.
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

/// One input of the engine.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command, one variant for each [`Action`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The page as it was seen.
    Looked(#[serde(with = "OkOrFailed")] Result<Looked, BrowserGone>),
    /// The page is as it was at the last look, with its picture.
    Unchanged,
    /// The result of an action.
    Acted(#[serde(with = "OkOrFailed")] Result<Done, ActionFailure>),
    /// Whether the page was reloaded.
    Reloaded(#[serde(with = "OkOrFailed")] Result<(), BrowserGone>),
    /// The answer of a model.
    Asked(#[serde(with = "OkOrFailed")] Result<ChatReply, Failure>),
    /// The end of an investigation, or why it has none.
    Investigated(#[serde(with = "OkOrFailed")] Result<ChainEnd, ChainFailure>),
    /// The time has passed.
    Waited,
}

impl Outcome {
    /// Returns whether the outcome is what was asked for.
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

/// The end of an investigation that a state began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEnd {
    /// The run's public token.
    pub run: String,
    /// What came of the run, in one sentence.
    pub message: String,
}

/// The reason why an investigation that a state began has no end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainFailure {
    /// The run's public token, where it was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What happened, in one sentence.
    pub message: String,
}

/// A page as it was seen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Looked {
    /// The page as it was seen.
    #[serde(flatten)]
    pub view: PageView,
    /// SHA-256 of the picture that is kept beside the run, if one is.
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

impl PageRead {
    /// Returns what is read of a page as it was seen.
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

/// A check that did not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unmet {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// The position of the check in its state, from 0; `None` where the state has no check at all.
    pub check: Option<usize>,
}

/// The kind of failure that ended a run.
#[derive(Debug, Clone, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
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
    /// An action was sent, and its outcome is unknown.
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

/// The amounts that an automaton's run has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The number of states that were executed.
    pub states: u32,
    /// The number of actions of the browser.
    pub actions: u32,
    /// The number of looks at the page.
    pub looks: u32,
    /// The number of questions to models.
    pub asks: u32,
    /// The number of times that models were asked to make a state.
    pub states_made: u32,
    /// The run's time, in milliseconds.
    pub runtime_ms: u64,
    /// The cost of all of it, in billionths of a dollar.
    pub nano_usd: u64,
}
