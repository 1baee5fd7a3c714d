//! The notices that the engine emits, and their bounded queue.

use kernel::Millis;
use serde_json::Value;
use strum::AsRefStr;

use super::graph::{ChildKind, Node, NodeId};
use super::interface::Spent;
use super::values::value_bytes;

/// The most memory of compared values that are emitted in full, in bytes; beyond that only short values are.
const COMPARED_BYTES_MAX: usize = 4_000_000;

/// Something to emit, with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that caused the notice.
    pub at: Millis,
    /// The node that the notice is about, with its name; `None` for the run.
    pub node: Option<(NodeId, String)>,
    /// The kind of the notice, which becomes one event.
    pub kind: NoticeKind,
}

/// The kinds of notices.
///
/// //= seed 002, Trace Events
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The walk begins.
    Started {
        /// The number of nodes of the workflow.
        nodes: usize,
    },
    /// A warning: something in the workflow does not do what it seems to.
    Warning(String),
    /// The walk reaches a node.
    Visited {
        /// What the walk does at the node.
        how: Visit,
        /// The node's type, as shown to users.
        kind: &'static str,
    },
    /// A tool is called.
    ToolCall {
        /// The server's alias.
        server: Option<String>,
        /// The tool's name.
        tool: String,
        /// The call's arguments, if any are sent.
        arguments: Option<Value>,
        /// The number of the call within an AI step, from 0.
        index: Option<u32>,
    },
    /// A tool has answered.
    ToolResult {
        /// The tool's name.
        tool: String,
        /// The start of the answer's text.
        text: String,
        /// The length of the whole text, in bytes.
        text_len: usize,
        /// The number of pictures, including those not stored.
        image_count: usize,
        /// The digests of the stored pictures.
        images: Vec<String>,
    },
    /// A click has found its position.
    TargetResolved {
        /// The text that was looked for.
        target: String,
        /// The horizontal position, in pixels from the left.
        x: f64,
        /// The vertical position, in pixels from the top.
        y: f64,
        /// The text that was found.
        matched_text: String,
        /// The app that was searched.
        app_name: Option<String>,
    },
    /// An app was resolved from the user's words.
    AppResolved {
        /// The user's words.
        user_input: String,
        /// The app's real name.
        name: String,
        /// The app's process id.
        pid: i32,
    },
    /// An element of the screen was resolved from the user's words.
    ElementResolved {
        /// The user's words.
        target: String,
        /// The element's real name.
        name: String,
        /// The app that was searched.
        app_name: Option<String>,
    },
    /// A model has described pictures.
    VisionSummary {
        /// The number of pictures.
        image_count: usize,
        /// The model's name.
        model: String,
        /// The description.
        summary: String,
    },
    /// A node is retried.
    Retry {
        /// The number of the retry, from 1.
        attempt: u32,
        /// Why the previous attempt failed.
        error: String,
    },
    /// A variable was set.
    VariableSet {
        /// The variable's full name.
        variable: String,
        /// The variable's value.
        value: Value,
    },
    /// A control node has decided where to continue.
    BranchEvaluated {
        /// The two values that an If compared, and the result; `None` for other nodes.
        resolved: Option<(Value, Value, bool)>,
        /// The label of the chosen output.
        output: String,
    },
    /// A loop starts an iteration.
    LoopIteration {
        /// The number of the iteration, from 0.
        iteration: u32,
    },
    /// A loop ends.
    LoopExited {
        /// Why the loop ends.
        reason: ExitReason,
        /// The number of completed iterations.
        iterations_completed: u32,
    },
    /// A child run begins or has ended.
    Child {
        /// The kind of the run.
        kind: ChildKind,
        /// The run's public token, if known.
        run: Option<String>,
        /// What happened, in one sentence.
        message: String,
    },
    /// A node is done.
    NodeCompleted,
    /// A node has failed after its retries.
    NodeFailed {
        /// Why the node failed.
        error: String,
    },
    /// From here on only decisions, failures and the end are emitted; the rest is counted.
    TraceBounded {
        /// The number of events emitted so far.
        events: u32,
    },
    /// A check was judged.
    CheckEvaluated(Verdict),
    /// A message for viewers about something outside the run.
    Remark(String),
    /// The run has ended: the last notice.
    Ended {
        /// How the run ended.
        ending: Ending,
        /// The run's total spending.
        spent: Spent,
        /// The number of events counted but not emitted.
        events_left_out: u64,
    },
}

impl NoticeKind {
    /// Returns whether this is the last notice.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }
}

/// What the walk does at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// It executes the node.
    Run,
    /// It evaluates a control node.
    Control,
    /// It skips the node.
    Skipped,
}

/// Why a loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum ExitReason {
    /// The exit condition holds.
    ConditionMet,
    /// The limit of iterations is reached.
    MaxIterations,
}

/// The verdict on one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The check's name.
    pub check: String,
    /// The outcome.
    pub word: VerdictWord,
    /// The reason for the verdict, in the model's words.
    pub reasoning: String,
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum VerdictWord {
    /// The check holds.
    Pass,
    /// The check does not hold.
    Fail,
    /// The check does not hold, which is only a warning.
    Warn,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The walk came to an end.
    Completed,
    /// The walk could not continue.
    Failed {
        /// The kind of failure.
        why: WhyFailed,
        /// The node at which the run ended, if any.
        node: Option<NodeId>,
        /// What happened, in one sentence; the node's error if a node failed.
        message: String,
    },
    /// The user stopped the run.
    Stopped,
}

/// The kind of failure that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum WhyFailed {
    /// A node failed after its retries.
    #[strum(serialize = "node_failed")]
    Node,
    /// A call was sent, and its outcome is unknown.
    UnknownOutcome,
    /// A check failed, in a stored order of the strict dialect.
    #[strum(serialize = "check_failed")]
    Check,
    /// The limit of steps is reached.
    StepLimit,
    /// The run's time is up.
    TimeLimit,
    /// The run's budget is spent.
    Budget,
}

/// The queue of notices.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    pub(super) notices: kernel::Trace<Notice>,
    /// The memory of the compared values emitted so far, in bytes.
    compared_bytes: usize,
}

impl Trace {
    pub(super) fn new(told_max: u32) -> Self {
        Self {
            notices: kernel::Trace::new(told_max),
            compared_bytes: 0,
        }
    }

    /// Emits a notice about the whole run.
    pub(super) fn tell(&mut self, kind: NoticeKind) {
        self.add(None, kind);
    }

    /// Emits a notice about a node.
    pub(super) fn tell_of(&mut self, node: &Node, kind: NoticeKind) {
        self.add(Some(node), kind);
    }

    fn add(&mut self, node: Option<&Node>, kind: NoticeKind) {
        let bytes = match &kind {
            NoticeKind::BranchEvaluated {
                resolved: Some((left, right, _)),
                ..
            } => value_bytes(left).saturating_add(value_bytes(right)),
            _ => 0,
        };
        let at = self.notices.now();
        let is_always_told = is_always_told(&kind);
        let notice = Notice {
            at,
            node: node.map(|node| (node.id, node.name.clone())),
            kind,
        };
        let bounded = |events| Notice {
            at,
            node: None,
            kind: NoticeKind::TraceBounded { events },
        };
        if self.notices.tell(is_always_told, notice, bounded) {
            self.compared_bytes = self.compared_bytes.saturating_add(bytes);
        }
    }

    /// Returns how much more memory of compared values may be emitted in full, in bytes. A loop may compare a long
    /// value many times before the notices are consumed.
    pub(super) fn compared_bytes_left(&self) -> usize {
        COMPARED_BYTES_MAX.saturating_sub(self.compared_bytes)
    }
}

fn is_always_told(kind: &NoticeKind) -> bool {
    matches!(
        kind,
        NoticeKind::Started { .. }
            | NoticeKind::NodeFailed { .. }
            | NoticeKind::Child { .. }
            | NoticeKind::CheckEvaluated(_)
            | NoticeKind::Remark(_)
            | NoticeKind::TraceBounded { .. }
            | NoticeKind::Ended { .. }
    )
}
