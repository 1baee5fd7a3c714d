//! The interface of the engine: the order and its limits, the actions that it wants carried out, and the
//! outcomes that it takes in.

use std::fmt;

use domain::Failure;
use domain::chat::{ChatQuestion, ChatReply, ImageRef};
use engine::{optional_whole_number, whole_number};
use json::OkOrFailed;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use strum::EnumString;

use super::graph::Workflow;

/// The most nodes that may be visited, where nothing is said.
const STEPS_DEFAULT: u32 = 100_000;
/// The most blocks of one answer.
const BLOCKS_MAX: usize = 1_000;

/// The order of a workflow run, already accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The graph.
    pub workflow: Workflow,
    /// The dialect in which the graph is read.
    pub dialect: Dialect,
    /// The aliases of the servers that the run may use. The first is the one of every node that
    /// names none.
    pub servers: Vec<String>,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
}

/// The way in which a workflow is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, EnumString)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Dialect {
    /// The workflow is read as the seed's text says, and as Clickweave of February 2026 reads it
    /// where the text says nothing.
    #[default]
    Seed,
    /// The workflow is read as Clickweave of February 2026 reads it, whatever the seed's text says.
    Clickweave,
    /// The reading of stored orders before 0.18.0 that name it, so that they run as they ran. No
    /// new order has it.
    Strict,
}

/// The limits of a workflow run: what it may do and spend. Each is a bound of the whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most visits of nodes and attempts of them; a valid workflow may never end.
    #[serde(rename = "steps", deserialize_with = "whole_number")]
    pub steps_max: u32,
    /// The most calls of tools.
    #[serde(rename = "toolCalls", deserialize_with = "whole_number")]
    pub tool_calls_max: u32,
    /// The most questions to language models.
    #[serde(rename = "chats", deserialize_with = "whole_number")]
    pub chats_max: u32,
    /// The most runs of another engine.
    #[serde(rename = "investigations", deserialize_with = "whole_number")]
    pub child_runs_max: u32,
    /// The run's time, in milliseconds, pauses between processes not counted.
    #[serde(rename = "runtimeMs", deserialize_with = "whole_number")]
    pub runtime_ms_max: u64,
    /// The longest silence of one tool call where its node says nothing, in milliseconds. A tool that tells
    /// its progress is waited for five times as long.
    #[serde(rename = "callMs", deserialize_with = "whole_number")]
    pub call_ms_max: u64,
    /// The most that everything may cost, in billionths of a dollar; `None` where nobody limits it.
    #[serde(
        rename = "nanoUsdMax",
        default,
        deserialize_with = "optional_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub nano_usd_max: Option<u64>,
    /// The most that one question to a language model may cost, in billionths of a dollar.
    #[serde(rename = "chatNanoUsd", deserialize_with = "whole_number")]
    pub chat_nano_usd_max: u64,
    /// The most trace events that are told: the events of a loop that goes on for long are only
    /// counted.
    #[serde(rename = "traceEvents", deserialize_with = "whole_number")]
    pub trace_events_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps_max: STEPS_DEFAULT,
            tool_calls_max: 1_000,
            chats_max: 100,
            child_runs_max: 3,
            runtime_ms_max: 600_000,
            call_ms_max: 60_000,
            nano_usd_max: None,
            chat_nano_usd_max: 0,
            trace_events_max: 5_000,
        }
    }
}

/// The amounts that a workflow run has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The number of visits of nodes, and of further attempts of them.
    pub steps: u32,
    /// The number of calls of tools.
    pub tool_calls: u32,
    /// The number of questions to language models.
    pub chats: u32,
    /// The number of runs of another engine.
    pub child_runs: u32,
    /// The run's time, in milliseconds.
    pub runtime_ms: u64,
    /// The cost of all of it, in billionths of a dollar.
    pub nano_usd: u64,
}

/// An action to be carried out; its answer carries the command's id.
pub type Command = kernel::Command<Action>;

/// The actions of a workflow outside the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Call a tool. The one who carries it out sends it again only where it was not done, or where
    /// the server's operator says that its hints are true; otherwise the node's retries decide.
    CallTool(ToolCall),
    /// Learn which tools a server has.
    ListTools {
        /// The server's alias; `None` for the only one that there is.
        server: Option<String>,
    },
    /// Ask a language model.
    Chat(ChatQuestion),
    /// Find a chain between two people, by a run of another engine.
    Investigate(InvestigateCall),
    /// Execute an automaton, by a run of another engine.
    Automate(AutomateCall),
    /// Let some time pass.
    Wait {
        /// The time to wait, in milliseconds.
        ms: u64,
    },
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The alias of the tool's server; `None` for the only one that there is.
    pub server: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// The call's arguments; `None` where none are sent.
    pub arguments: Option<Value>,
}

/// An automaton to be executed by a run of another engine.
#[derive(Debug, Clone, PartialEq)]
pub struct AutomateCall {
    /// The request for the run, as `POST /runs` takes it.
    pub request: Value,
    /// The most that the run may cost, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
}

/// An investigation to be carried out by a run of another engine.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigateCall {
    /// The person with whom the chain starts.
    pub person_a: String,
    /// The person with whom the chain ends.
    pub person_b: String,
    /// The run's options, as `POST /runs` takes them.
    pub options: Value,
    /// The most that the run may cost, in billionths of a dollar; `None` where nobody limits it.
    pub nano_usd_max: Option<u64>,
}

/// One input of the engine.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The result of calling a tool.
    Called(#[serde(with = "OkOrFailed")] Result<ToolResult, ToolFailure>),
    /// The result of asking for the list of tools.
    Listed(#[serde(with = "OkOrFailed")] Result<Vec<ToolDescription>, ToolFailure>),
    /// The result of asking a language model.
    Chatted(#[serde(with = "OkOrFailed")] Result<ChatReply, Failure>),
    /// The result of a run of another engine.
    Investigated(#[serde(with = "OkOrFailed")] Result<ChildEnd, ChildFailure>),
    /// The result of an automaton.
    Automated(#[serde(with = "OkOrFailed")] Result<AutomateEnd, ChildFailure>),
    /// The time has passed.
    Waited,
}

impl Outcome {
    /// Returns whether the outcome is what was asked for. A tool that says that it failed may do
    /// better another time.
    #[must_use]
    pub fn is_success(&self) -> bool {
        match self {
            Self::Called(result) => result.is_ok(),
            Self::Listed(result) => result.is_ok(),
            Self::Chatted(result) => result.is_ok(),
            Self::Investigated(result) => result.is_ok(),
            Self::Automated(result) => result.is_ok(),
            Self::Waited => true,
        }
    }
}

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The content, in order.
    #[serde(deserialize_with = "blocks")]
    pub blocks: Vec<Block>,
    /// The content as a value, where the tool gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// Whether the tool says that it failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}

fn blocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Block>, D::Error> {
    let blocks = Vec::deserialize(deserializer)?;
    if blocks.len() > BLOCKS_MAX {
        return Err(D::Error::custom("an answer has too many blocks"));
    }
    Ok(blocks)
}

impl ToolResult {
    /// Returns the blocks of text, joined by line feeds, or else the value in JSON where the tool gives
    /// nothing but one.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.texts().collect();
        let text = texts.join("\n");
        match &self.structured {
            Some(value) if text.is_empty() => value.to_string(),
            _ => text,
        }
    }

    /// Returns the blocks of text.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the number of pictures, with those that are left out.
    #[must_use]
    pub fn image_count(&self) -> usize {
        let left_out = self.left_out().filter(|media| media.is_picture);
        self.images().count() + left_out.count()
    }

    /// Returns the pictures and sounds that are left out.
    pub fn left_out(&self) -> impl Iterator<Item = &LeftOut> {
        self.blocks.iter().filter_map(|block| match block {
            Block::LeftOut(media) => Some(media),
            _ => None,
        })
    }

    /// Returns the pictures that are kept.
    pub fn images(&self) -> impl Iterator<Item = &ImageRef> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Image(image) => Some(image),
            _ => None,
        })
    }
}

/// A block of a tool's content. The bytes of pictures and sounds are kept beside the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Block {
    /// A text.
    Text(String),
    /// A picture.
    Image(ImageRef),
    /// A sound.
    Audio(ImageRef),
    /// A picture or a sound that is not kept.
    LeftOut(LeftOut),
    /// Any other block, as its server sent it.
    Other(Value),
}

/// A picture or a sound of a tool's answer that is not kept beside the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Whether it is a picture, and no sound.
    #[serde(rename = "picture")]
    pub is_picture: bool,
    /// The length of it, in bytes.
    pub bytes: usize,
    /// The reason why it is not kept, in words that begin small.
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_picture { "picture" } else { "sound" };
        let Self { bytes, why, .. } = self;
        write!(formatter, "a {what} of {bytes} bytes is not kept: {why}.")
    }
}

/// The reason why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToolFailure {
    /// The server refused the call, in its own words.
    Refused(String),
    /// The call was not sent, for this reason.
    NotSent(String),
    /// The call was sent, and nobody knows what came of it; the words say what happened.
    #[serde(rename = "unknown")]
    UnknownOutcome(String),
}

impl ToolFailure {
    /// Returns what happened, in words.
    #[must_use]
    pub fn says(&self) -> &str {
        match self {
            Self::Refused(says) | Self::NotSent(says) | Self::UnknownOutcome(says) => says,
        }
    }
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDescription {
    /// The tool's name.
    pub name: String,
    /// What the tool does, in its server's words.
    pub description: String,
    /// The JSON schema of the tool's arguments.
    pub schema: Value,
}

/// The end of a run that this run began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildEnd {
    /// The run's public token.
    pub run: String,
    /// The names along the chain; empty where no chain was found.
    pub path: Vec<String>,
    /// What came of the run, in one sentence.
    pub message: String,
}

/// The end of an automaton that this run began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AutomateEnd {
    /// The run's public token.
    pub run: String,
    /// The result, as its engine documents it.
    pub value: Value,
    /// What came of the run, in one sentence.
    pub message: String,
}

/// The reason why a run that this run began came to no end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildFailure {
    /// The run's public token, where it was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What happened, in one sentence.
    pub message: String,
    /// Whether something was done and nobody knows what came of it.
    #[serde(
        rename = "unknown",
        default,
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub is_unknown: bool,
}
