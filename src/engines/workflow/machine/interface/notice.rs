//! What the engine tells.

use serde_json::Value;

use crate::engines::workflow::machine::graph::NodeId;
use crate::kernel::Millis;

use super::spent::Spent;

/// Something to tell, at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that it comes of.
    pub at: Millis,
    /// The node that it is about, and its name; none where it is about the run.
    pub node: Option<(NodeId, String)>,
    /// One event for the viewers.
    pub kind: NoticeKind,
}

/// What kind of event a notice is.
///
/// //= seed 002, Trace Events
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The walk begins.
    Started {
        /// Nodes of the workflow.
        nodes: usize,
    },
    /// Something in the workflow does not do what it seems to.
    Warning(String),
    /// The walk comes to a node.
    Visited {
        /// What it does there.
        how: Visit,
        /// The node's type as users see it.
        kind: &'static str,
    },
    /// A tool is called.
    ToolCall {
        /// Its server's alias.
        server: Option<String>,
        /// Its name.
        tool: String,
        /// Its arguments, if any are sent.
        arguments: Option<Value>,
        /// Which call of an AI step it is, from 0.
        index: Option<u32>,
    },
    /// It answered.
    ToolResult {
        /// Its name.
        tool: String,
        /// The beginning of its text.
        text: String,
        /// The length of its whole text, in bytes.
        text_len: usize,
        /// How many pictures it gave.
        images: Vec<String>,
    },
    /// A click has found its place.
    TargetResolved {
        /// What was looked for.
        target: String,
        /// Where, in pixels.
        x: f64,
        /// Where, in pixels.
        y: f64,
        /// The text that was found.
        matched_text: String,
        /// The app in which it was looked for.
        app_name: Option<String>,
    },
    /// An app is known.
    AppResolved {
        /// As the user says it.
        user_input: String,
        /// As it is.
        name: String,
        /// Its process.
        pid: i32,
    },
    /// An element of the screen is known.
    ElementResolved {
        /// As the user says it.
        target: String,
        /// As it is.
        name: String,
        /// The app in which it was looked for.
        app_name: Option<String>,
    },
    /// A model has looked at pictures.
    VisionSummary {
        /// How many.
        image_count: usize,
        /// The model.
        model: String,
        /// What it saw.
        summary: String,
    },
    /// A node is tried again.
    Retry {
        /// From 1.
        attempt: u32,
        /// Why the attempt before failed.
        error: String,
    },
    /// A variable has a value.
    VariableSet {
        /// Its whole name.
        variable: String,
        /// Its value.
        value: Value,
    },
    /// A control node has decided.
    BranchEvaluated {
        /// Of an If: what was compared and whether it holds.
        resolved: Option<(Value, Value, bool)>,
        /// The label of the way that is taken.
        output: String,
    },
    /// A loop begins an iteration.
    LoopIteration {
        /// From 0.
        iteration: u32,
    },
    /// A loop is left.
    LoopExited {
        /// Why.
        reason: ExitReason,
        /// How often its body ran.
        iterations_completed: u32,
    },
    /// A run of the other engine begins or has ended.
    Child {
        /// Its public token, once it is known.
        run: Option<String>,
        /// In one sentence.
        message: String,
    },
    /// A node is done.
    NodeCompleted,
    /// A node has failed after its retries.
    NodeFailed {
        /// Why.
        error: String,
    },
    /// From here on only decisions, failures and the end are told; the rest is counted.
    TraceBounded {
        /// Events that were told so far.
        events: u32,
    },
    /// What became of a check.
    CheckEvaluated(Verdict),
    /// Something outside the run that viewers should know.
    Remark(String),
    /// The end. Last.
    Ended {
        /// How it ended.
        ending: Ending,
        /// What was spent.
        spent: Spent,
        /// Events that were counted and not told.
        events_left_out: u64,
    },
}

impl NoticeKind {
    /// Whether nothing comes after it.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }
}

/// What the walk does at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// It executes it.
    Run,
    /// It asks it for the way.
    Control,
    /// It passes it over.
    Skipped,
}

/// Why a loop is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitReason {
    /// Its condition holds.
    ConditionMet,
    /// It ran as often as it may.
    MaxIterations,
}

impl ExitReason {
    /// As it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ConditionMet => "condition_met",
            Self::MaxIterations => "max_iterations",
        }
    }
}

/// What became of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The check's name.
    pub check: String,
    /// What was found.
    pub word: VerdictWord,
    /// Why, in the model's words.
    pub reasoning: String,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictWord {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// It does not, and that is only a warning.
    Warn,
}

impl VerdictWord {
    /// As it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Warn => "warn",
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The walk came to an end.
    Completed,
    /// It could not go on.
    Failed {
        /// What kind of failure it is.
        why: WhyFailed,
        /// The node at which it ended, if it was one.
        node: Option<NodeId>,
        /// In one sentence; of a node, its own error.
        message: String,
    },
    /// The user has ended it.
    Stopped,
}

/// What kind of failure ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyFailed {
    /// A node failed after its retries.
    Node,
    /// A call was sent and nobody knows what came of it.
    UnknownOutcome,
    /// A check failed, in the strict dialect.
    Check,
    /// More nodes were visited than may be.
    StepLimit,
    /// The run's time is over.
    TimeLimit,
    /// The run's budget is spent.
    Budget,
}

impl WhyFailed {
    /// As it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Node => "node_failed",
            Self::UnknownOutcome => "unknown_outcome",
            Self::Check => "check_failed",
            Self::StepLimit => "step_limit",
            Self::TimeLimit => "time_limit",
            Self::Budget => "budget",
        }
    }
}
