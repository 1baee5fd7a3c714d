//! The engine's interface: an order and its limits, the actions that the engine requests, and their outcomes.

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

/// The most steps of a run whose order sets no limit.
const STEPS_DEFAULT: u32 = 100_000;
/// The most content blocks of a tool's answer.
const BLOCKS_MAX: usize = 1_000;

/// An accepted order for a workflow run.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The workflow to execute.
    pub workflow: Workflow,
    /// The dialect by which the workflow is interpreted.
    pub dialect: Dialect,
    /// The aliases of the servers that the run may use. The first one serves the nodes that name none.
    pub servers: Vec<String>,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
}

/// How a workflow is interpreted where Clickweave, the original program, differs from the seed, Clickweave's own
/// description of its engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, EnumString)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Dialect {
    /// As the seed says. Where the seed says nothing, like Clickweave of February 2026.
    #[default]
    Seed,
    /// Like Clickweave of February 2026, even where the seed says otherwise.
    Clickweave,
    /// The dialect of stored orders from before 0.18.0 that name it. New orders cannot name it.
    Strict,
}

/// The limits of a workflow run, each for the run as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most visits and attempts of nodes. Without this limit, a valid workflow could run forever.
    #[serde(rename = "steps", deserialize_with = "whole_number")]
    pub steps_max: u32,
    /// The most tool calls.
    #[serde(rename = "toolCalls", deserialize_with = "whole_number")]
    pub tool_calls_max: u32,
    /// The most questions to language models.
    #[serde(rename = "chats", deserialize_with = "whole_number")]
    pub chats_max: u32,
    /// The most child runs that the run may begin.
    #[serde(rename = "investigations", deserialize_with = "whole_number")]
    pub child_runs_max: u32,
    /// The run's longest duration in milliseconds, not counting pauses between processes.
    #[serde(rename = "runtimeMs", deserialize_with = "whole_number")]
    pub runtime_ms_max: u64,
    /// The longest silence of a tool call, in milliseconds. A tool that sends progress may take five times as long in
    /// all.
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
    /// The highest cost of one question to a language model, in billionths of a dollar.
    #[serde(rename = "chatNanoUsd", deserialize_with = "whole_number")]
    pub chat_nano_usd_max: u64,
    /// The most trace events that are emitted, not counting the important ones, which are always emitted. Events beyond
    /// the limit are only counted.
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

/// What a workflow run has spent so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// The number of steps: visits of nodes, further attempts, and long comparisons.
    pub steps: u32,
    /// The number of tool calls.
    pub tool_calls: u32,
    /// The number of questions to language models.
    pub chats: u32,
    /// The number of child runs.
    pub child_runs: u32,
    /// The duration of the run in milliseconds, not counting pauses between processes.
    pub runtime_ms: u64,
    /// The total cost, in billionths of a dollar.
    pub nano_usd: u64,
}

/// An action to execute, with an id that its answer repeats.
pub type Command = kernel::Command<Action>;

/// The actions that a workflow requests.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Call a tool. The executor repeats the call only if it was not executed, or if the operator trusts the server's
    /// hints and these declare the tool safe to repeat. Otherwise only the node's retries repeat it.
    CallTool(ToolCall),
    /// List the tools of a server.
    ListTools {
        /// The server's alias; `None` for the only server.
        server: Option<String>,
    },
    /// Ask a language model a question.
    Chat(ChatQuestion),
    /// Begin an investigation as a child run, and wait for its end.
    Investigate(InvestigateCall),
    /// Begin an automaton as a child run, and wait for its end.
    Automate(AutomateCall),
    /// Wait without doing anything.
    Wait {
        /// The time to wait, in milliseconds.
        ms: u64,
    },
}

/// A call of a server's tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The alias of the tool's server; `None` for the only server.
    pub server: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// The arguments for the tool; `None` to send none.
    pub arguments: Option<Value>,
}

/// An automaton to execute as a child run.
#[derive(Debug, Clone, PartialEq)]
pub struct AutomateCall {
    /// The request for the child run, as in `POST /runs`.
    pub request: Value,
    /// The highest cost of the child run, in billionths of a dollar; `None` for no limit.
    pub nano_usd_max: Option<u64>,
}

/// An investigation to execute as a child run.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigateCall {
    /// The person at the start of the chain.
    pub person_a: String,
    /// The person at the end of the chain.
    pub person_b: String,
    /// The child run's options, as in `POST /runs`.
    pub options: Value,
    /// The highest cost of the child run, in billionths of a dollar; `None` for no limit.
    pub nano_usd_max: Option<u64>,
}

/// An input of the engine: an answer, a stop, or another event from outside.
pub type Input = kernel::Input<Outcome>;

/// The answer to a command: its outcome and what it cost.
pub type Answer = kernel::Answer<Outcome>;

/// The outcome of a command: one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The answer of a tool, or why there is none.
    Called(#[serde(with = "OkOrFailed")] Result<ToolResult, ToolFailure>),
    /// The tools of a server, or why they are unknown.
    Listed(#[serde(with = "OkOrFailed")] Result<Vec<ToolDescription>, ToolFailure>),
    /// The reply of a language model, or why there is none.
    Chatted(#[serde(with = "OkOrFailed")] Result<ChatReply, Failure>),
    /// The end of an investigation, or why it has no result.
    Investigated(#[serde(with = "OkOrFailed")] Result<ChildEnd, ChildFailure>),
    /// The end of an automaton, or why it has no result.
    Automated(#[serde(with = "OkOrFailed")] Result<AutomateEnd, ChildFailure>),
    /// The wait has ended.
    Waited,
}

impl Outcome {
    /// Returns whether the action has a result, which forks may reuse. An answer in which the tool reports an error is
    /// a result, too.
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
    /// The content blocks, in order.
    #[serde(deserialize_with = "blocks")]
    pub blocks: Vec<Block>,
    /// The structured content; `None` if the tool returned none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// Whether the tool reported an error.
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
    /// Returns the text blocks, joined by line feeds. If there is no content, returns the structured content as JSON.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.texts().collect();
        let text = texts.join("\n");
        match &self.structured {
            Some(value) if text.is_empty() => value.to_string(),
            _ => text,
        }
    }

    /// Returns the texts of the text blocks, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the number of pictures, including those that were not stored.
    #[must_use]
    pub fn image_count(&self) -> usize {
        let left_out = self.left_out().filter(|media| media.is_picture);
        self.images().count() + left_out.count()
    }

    /// Returns the pictures and sounds that were not stored.
    pub fn left_out(&self) -> impl Iterator<Item = &LeftOut> {
        self.blocks.iter().filter_map(|block| match block {
            Block::LeftOut(media) => Some(media),
            _ => None,
        })
    }

    /// Returns the stored pictures.
    pub fn images(&self) -> impl Iterator<Item = &ImageRef> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Image(image) => Some(image),
            _ => None,
        })
    }
}

/// A block of a tool's content. Pictures and sounds are stored separately, and blocks only refer to them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Block {
    /// A text.
    Text(String),
    /// A stored picture.
    Image(ImageRef),
    /// A stored sound.
    Audio(ImageRef),
    /// A picture or a sound that was not stored.
    LeftOut(LeftOut),
    /// A block of any other kind, as the server sent it.
    Other(Value),
}

/// A picture or a sound in a tool's answer that was not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Whether it is a picture rather than a sound.
    #[serde(rename = "picture")]
    pub is_picture: bool,
    /// The length of the picture or the sound, in bytes.
    pub bytes: usize,
    /// Why it was not stored, as part of a sentence.
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_picture { "picture" } else { "sound" };
        let Self { bytes, why, .. } = self;
        write!(formatter, "a {what} of {bytes} bytes is not kept: {why}.")
    }
}

/// Why a tool call has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToolFailure {
    /// The server answered that it refuses the call. The text is the server's message.
    Refused(String),
    /// The call was not sent, or the server did not accept it. The text is the reason.
    NotSent(String),
    /// The call was sent, and it is unknown whether it was executed. The text says what happened.
    #[serde(rename = "unknown")]
    UnknownOutcome(String),
}

impl ToolFailure {
    /// Returns what happened, in words for viewers.
    #[must_use]
    pub fn says(&self) -> &str {
        match self {
            Self::Refused(says) | Self::NotSent(says) | Self::UnknownOutcome(says) => says,
        }
    }
}

/// A tool of a server, as a model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDescription {
    /// The tool's name.
    pub name: String,
    /// What the tool does, in the words of its server.
    pub description: String,
    /// The JSON schema of the tool's arguments.
    pub schema: Value,
}

/// How a child investigation ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildEnd {
    /// The child run's public token.
    pub run: String,
    /// The names of the people along the chain; empty if no chain was found.
    pub path: Vec<String>,
    /// How the child run ended, in one sentence.
    pub message: String,
}

/// How a child automaton ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AutomateEnd {
    /// The child run's public token.
    pub run: String,
    /// The result of the run, in the form that the automaton engine documents.
    pub value: Value,
    /// How the child run ended, in one sentence.
    pub message: String,
}

/// Why a child run has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildFailure {
    /// The child run's public token; `None` if it was not begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What happened, in one sentence.
    pub message: String,
    /// Whether the child run sent an action whose outcome is unknown.
    #[serde(
        rename = "unknown",
        default,
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub is_unknown: bool,
}
