//! The notices that the engine emits, each of which becomes one event, and their bounded queue.

use kernel::Millis;
use serde_json::Value;
use strum::AsRefStr;

use super::graph::{ChildKind, Node, NodeId};
use super::interface::Spent;
use super::values::value_bytes;

/// The most memory of compared values that a run emits in full, in bytes. Once it is used up, only short values are
/// emitted in full.
const COMPARED_BYTES_MAX: usize = 4_000_000;

/// Something that happened in the run, with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that caused the notice.
    pub at: Millis,
    /// The node that the notice concerns, with its name; `None` if it concerns the run.
    pub node: Option<(NodeId, String)>,
    /// What happened, which determines the kind of the event.
    pub kind: NoticeKind,
}

/// What a notice reports.
///
/// //= seed 002, Trace Events
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The walk through the workflow begins.
    Started {
        /// The number of nodes in the workflow.
        nodes: usize,
    },
    /// A warning that something in the workflow does not do what it seems to do.
    Warning(String),
    /// The walk reaches a node.
    Visited {
        /// What the walk does at the node.
        how: Visit,
        /// The node's type, in the form for users.
        kind: &'static str,
    },
    /// A tool is about to be called.
    ToolCall {
        /// The alias of the tool's server; `None` for the only server.
        server: Option<String>,
        /// The tool's name.
        tool: String,
        /// The arguments for the tool; `None` if none are sent.
        arguments: Option<Value>,
        /// The number of the call in an AI step, from 0; `None` outside one.
        index: Option<u32>,
    },
    /// A tool has answered.
    ToolResult {
        /// The tool's name.
        tool: String,
        /// The start of the answer's text, which may be truncated.
        text: String,
        /// The length of the answer's whole text, in bytes.
        text_len: usize,
        /// The number of pictures in the answer, including those that were not stored.
        image_count: usize,
        /// The digests of the pictures that were stored.
        images: Vec<String>,
    },
    /// A click has found the position of its text.
    TargetResolved {
        /// The text to look for.
        target: String,
        /// The horizontal position, in pixels from the left.
        x: f64,
        /// The vertical position, in pixels from the top.
        y: f64,
        /// The text that was found.
        matched_text: String,
        /// The app in which the text was looked for; `None` for the whole screen.
        app_name: Option<String>,
    },
    /// It was found out which app the user's words mean.
    AppResolved {
        /// The user's words for the app.
        user_input: String,
        /// The app's real name.
        name: String,
        /// The app's process id.
        pid: i32,
    },
    /// It was found out which element of the screen the user's words mean.
    ElementResolved {
        /// The user's words for the element.
        target: String,
        /// The element's real name.
        name: String,
        /// The app in which the element was looked for; `None` for the whole screen.
        app_name: Option<String>,
    },
    /// A model has described the pictures of an AI step.
    VisionSummary {
        /// The number of described pictures.
        image_count: usize,
        /// The name of the model.
        model: String,
        /// The model's description.
        summary: String,
    },
    /// A node is tried again after a failure.
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
        /// The two values that an If compared, and whether its condition holds; `None` for other nodes.
        resolved: Option<(Value, Value, bool)>,
        /// The label of the chosen output.
        output: String,
    },
    /// A loop begins an iteration.
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
        /// The kind of the child run.
        kind: ChildKind,
        /// The child run's public token; `None` if it is not known yet.
        run: Option<String>,
        /// What happened, in one sentence.
        message: String,
    },
    /// A node has succeeded.
    NodeCompleted,
    /// A node has failed, and no retry is left.
    NodeFailed {
        /// Why the node failed.
        error: String,
    },
    /// The limit of events is reached. From here on only decisions, failures and the end are emitted, and the others
    /// are counted.
    TraceBounded {
        /// The number of events emitted so far.
        events: u32,
    },
    /// A check of a node was judged after the run.
    CheckEvaluated(Verdict),
    /// A message for viewers about something outside the state machine.
    Remark(String),
    /// The run has ended. This is its last notice.
    Ended {
        /// How the run ended.
        ending: Ending,
        /// The run's total spending.
        spent: Spent,
        /// The number of events that were counted but not emitted.
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

/// What the walk does at a node that it reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// The node is executed.
    Run,
    /// The node is a control node, and is evaluated.
    Control,
    /// The node is disabled, and is skipped.
    Skipped,
}

/// Why a loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum ExitReason {
    /// The loop's exit condition holds.
    ConditionMet,
    /// The loop has made as many iterations as it may.
    MaxIterations,
}

/// The verdict on one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The name of the check.
    pub check: String,
    /// Whether the check holds.
    pub word: VerdictWord,
    /// The reason for the verdict, in the model's words.
    pub reasoning: String,
}

/// Whether a check holds, and what follows if it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum VerdictWord {
    /// The check holds.
    Pass,
    /// The check does not hold, after which no further node is judged.
    Fail,
    /// The check does not hold, which causes only a warning.
    Warn,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The walk came to the end of a route.
    Completed,
    /// The walk could not continue.
    Failed {
        /// The kind of failure.
        why: WhyFailed,
        /// The node at which the run ended; `None` if it ended between nodes.
        node: Option<NodeId>,
        /// What happened, in one sentence. If a node failed, this is the node's error.
        message: String,
    },
    /// The user has stopped the run.
    Stopped,
}

/// The kind of failure that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum WhyFailed {
    /// A node failed, and no retry was left.
    #[strum(serialize = "node_failed")]
    Node,
    /// A call was sent, and it is unknown whether it was executed.
    UnknownOutcome,
    /// A check failed. Only stored orders of the strict dialect end in this way.
    #[strum(serialize = "check_failed")]
    Check,
    /// The run has taken as many steps as it may.
    StepLimit,
    /// The run's time is up.
    TimeLimit,
    /// The run has spent or done all that its limits allow.
    Budget,
}

/// The bounded queue of notices.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    pub(super) notices: kernel::Trace<Notice>,
    /// The memory of the compared values that were emitted so far, in bytes.
    compared_bytes: usize,
}

impl Trace {
    pub(super) fn new(told_max: u32) -> Self {
        Self {
            notices: kernel::Trace::new(told_max),
            compared_bytes: 0,
        }
    }

    /// Emits a notice that concerns the run.
    pub(super) fn tell(&mut self, kind: NoticeKind) {
        self.add(None, kind);
    }

    /// Emits a notice that concerns a node.
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

    /// Returns how much memory of compared values may still be emitted in full, in bytes. There is a limit because a
    /// loop may compare a long value many times before its notices are taken.
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
