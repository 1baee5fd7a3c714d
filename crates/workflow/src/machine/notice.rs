//! The notices that the engine tells, and the trace in which they wait, in order and bounded.

use kernel::Millis;
use serde_json::Value;
use strum::AsRefStr;

use super::graph::{ChildKind, Node, NodeId};
use super::interface::Spent;
use super::values::value_bytes;

/// The most memory of what conditions compared that is told whole, in bytes; after that a value is told
/// whole only where it is short.
const COMPARED_BYTES_MAX: usize = 4_000_000;

/// A notice: something that is told, at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that the notice comes of.
    pub at: Millis,
    /// The node that the notice is about, and its name; `None` where it is about the run.
    pub node: Option<(NodeId, String)>,
    /// The kind of the notice, which becomes one event for the viewers.
    pub kind: NoticeKind,
}

/// The kind of event that a notice is.
///
/// //= seed 002, Trace Events
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The walk begins.
    Started {
        /// The number of nodes of the workflow.
        nodes: usize,
    },
    /// Something in the workflow does not do what it seems to.
    Warning(String),
    /// The walk comes to a node.
    Visited {
        /// What the walk does at the node.
        how: Visit,
        /// The node's type as users see it.
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
        /// The number of the call in an AI step, from 0.
        index: Option<u32>,
    },
    /// A tool answered.
    ToolResult {
        /// The tool's name.
        tool: String,
        /// The beginning of the answer's text.
        text: String,
        /// The length of the answer's whole text, in bytes.
        text_len: usize,
        /// The number of pictures of the answer, with those that are not kept.
        image_count: usize,
        /// The digests of the pictures that are kept.
        images: Vec<String>,
    },
    /// A click has found its place.
    TargetResolved {
        /// The text that was looked for.
        target: String,
        /// The place from the left, in pixels.
        x: f64,
        /// The place from the top, in pixels.
        y: f64,
        /// The text that was found.
        matched_text: String,
        /// The app in which it was looked for.
        app_name: Option<String>,
    },
    /// An app was found that the user named.
    AppResolved {
        /// The app as the user says it.
        user_input: String,
        /// The app's real name.
        name: String,
        /// The app's process.
        pid: i32,
    },
    /// An element of the screen was found that the user named.
    ElementResolved {
        /// The element as the user says it.
        target: String,
        /// The element's real name.
        name: String,
        /// The app in which it was looked for.
        app_name: Option<String>,
    },
    /// A model has looked at pictures.
    VisionSummary {
        /// The number of pictures.
        image_count: usize,
        /// The model's name.
        model: String,
        /// What the model saw.
        summary: String,
    },
    /// A node is tried again.
    Retry {
        /// The number of the further attempt, from 1.
        attempt: u32,
        /// The reason why the attempt before failed.
        error: String,
    },
    /// A variable has a value.
    VariableSet {
        /// The variable's whole name.
        variable: String,
        /// The variable's value.
        value: Value,
    },
    /// A control node has decided.
    BranchEvaluated {
        /// The two values that an If compared, and whether its condition holds; `None` for other
        /// nodes.
        resolved: Option<(Value, Value, bool)>,
        /// The label of the way that is taken.
        output: String,
    },
    /// A loop begins an iteration.
    LoopIteration {
        /// The number of the iteration, from 0.
        iteration: u32,
    },
    /// A loop is left.
    LoopExited {
        /// The reason why the loop is left.
        reason: ExitReason,
        /// The number of times that the loop's body ran.
        iterations_completed: u32,
    },
    /// A run of another engine begins or has ended.
    Child {
        /// The kind of the run.
        kind: ChildKind,
        /// The run's public token, once it is known.
        run: Option<String>,
        /// What happened, in one sentence.
        message: String,
    },
    /// A node is done.
    NodeCompleted,
    /// A node has failed after its retries.
    NodeFailed {
        /// The reason why the node has failed.
        error: String,
    },
    /// From here on only decisions, failures and the end are told; the rest is counted.
    TraceBounded {
        /// The number of events that were told so far.
        events: u32,
    },
    /// A check was judged.
    CheckEvaluated(Verdict),
    /// Something happened outside the run that viewers should know.
    Remark(String),
    /// The run has ended. This is its last notice.
    Ended {
        /// The ending of the run.
        ending: Ending,
        /// The amounts that were spent.
        spent: Spent,
        /// The number of events that were counted and not told.
        events_left_out: u64,
    },
}

impl NoticeKind {
    /// Returns whether no notice comes after this one.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }
}

/// The walk's action at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// The walk executes the node.
    Run,
    /// The walk asks the node for the way.
    Control,
    /// The walk passes the node over.
    Skipped,
}

/// The reason why a loop is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum ExitReason {
    /// The loop's condition holds.
    ConditionMet,
    /// The loop ran as often as it may.
    MaxIterations,
}

/// The verdict on one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The check's name.
    pub check: String,
    /// The word of the verdict.
    pub word: VerdictWord,
    /// The reason for the verdict, in the model's words.
    pub reasoning: String,
}

/// The word of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum VerdictWord {
    /// The check holds.
    Pass,
    /// The check does not hold.
    Fail,
    /// The check does not hold, and that is only a warning.
    Warn,
}

/// The ending of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The walk came to an end.
    Completed,
    /// The walk could not go on.
    Failed {
        /// The kind of the failure.
        why: WhyFailed,
        /// The node at which the run ended, if it was one.
        node: Option<NodeId>,
        /// What happened, in one sentence; for a node, its own error.
        message: String,
    },
    /// The user has ended the run.
    Stopped,
}

/// The kind of failure that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum WhyFailed {
    /// A node failed after its retries.
    #[strum(serialize = "node_failed")]
    Node,
    /// A call was sent and nobody knows what came of it.
    UnknownOutcome,
    /// A check failed, in a stored order of the strict dialect.
    #[strum(serialize = "check_failed")]
    Check,
    /// More nodes were visited than may be visited.
    StepLimit,
    /// The run's time is over.
    TimeLimit,
    /// The run's budget is spent.
    Budget,
}

/// The notices until somebody takes them.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    pub(super) notices: kernel::Trace<Notice>,
    /// The size of the values that conditions compared, as they were told, in bytes of memory.
    compared_bytes: usize,
}

impl Trace {
    pub(super) fn new(told_max: u32) -> Self {
        Self {
            notices: kernel::Trace::new(told_max),
            compared_bytes: 0,
        }
    }

    /// Tells something of the whole run.
    pub(super) fn tell(&mut self, kind: NoticeKind) {
        self.add(None, kind);
    }

    /// Tells something of a node.
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

    /// Returns how much more of what conditions compare is told whole, in bytes of memory. A loop may
    /// compare a long value very often before anybody takes what is told.
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
