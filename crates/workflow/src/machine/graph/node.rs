//! Nodes: what all of them have, whatever their type.

use serde_json::Value;

use super::node_id::NodeId;
use super::node_kind::NodeKind;

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The node's id, by which edges name it.
    pub id: NodeId,
    /// The node's type and its parameters.
    pub kind: NodeKind,
    /// The place where the editor draws the node.
    pub position: Position,
    /// The node's name. Its folded form is the prefix of the node's variables.
    pub name: String,
    /// Whether the node is executed; a disabled one is passed over.
    pub is_enabled: bool,
    /// The time that the node may take, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The wait after the node has succeeded, in milliseconds.
    pub settle_ms: Option<u64>,
    /// The number of times that the node is tried again after it has failed.
    pub retries: u32,
    /// The part of the node's execution that is kept in the trace.
    pub trace_level: TraceLevel,
    /// The words that say what should be seen after the node: one more check.
    pub expected_outcome: Option<String>,
    /// The checks after the run.
    pub checks: Vec<Check>,
    /// The alias of the server whose tools the node calls; `None` for the run's first one.
    pub server: Option<String>,
}

/// A place on the editor's canvas, in its own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// The distance to the right.
    pub x: f64,
    /// The distance down.
    pub y: f64,
}

/// The part of a node's execution that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLevel {
    /// Neither events of the node's own nor artifacts are kept.
    Off,
    /// Events and artifacts are kept.
    Minimal,
    /// Events and artifacts are kept, as with `Minimal`.
    Full,
}

/// A check that is evaluated after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The check's name, which the verdict carries.
    pub name: String,
    /// The kind of thing that the check looks for.
    pub kind: CheckKind,
    /// The check's parameters, as they are written.
    pub parameters: Value,
    /// The meaning of a negative verdict.
    pub on_fail: OnCheckFail,
}

/// The kind of thing that a check looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckKind {
    /// A text is to be seen.
    TextPresent,
    /// A text is not to be seen.
    TextAbsent,
    /// A picture is to be seen.
    TemplateFound,
    /// A window has this title.
    WindowTitleMatches,
}

/// The meaning of a negative verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnCheckFail {
    /// The check has failed.
    FailNode,
    /// The negative verdict is only a warning.
    WarnOnly,
}
