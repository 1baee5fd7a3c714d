//! The faults of a workflow, in words that name the node and the edge.

use std::fmt;

use serde_json::Value;

/// The reason why a workflow is not executed. Each finding names what it is about by the names that
/// people see.
///
/// //= seed 002, Clickweave's `ValidationError`
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The workflow has no nodes.
    NoNodes,
    /// Every node has an edge that leads to it.
    NoEntryPoint,
    /// More than one node has no edge that leads to it; this is their number.
    MultipleEntryPoints(usize),
    /// A plain node has more than one edge.
    MultipleOutgoingEdges(String),
    /// A way leads back to where it began, and not through the end of a loop.
    CycleDetected,
    /// An If lacks one of its two edges.
    MissingIfBranch(String),
    /// An If has more than its two edges.
    ExtraIfEdges(String),
    /// A Switch has no edge for a case.
    MissingSwitchCase(String, String),
    /// A Switch has two edges for a case.
    DuplicateSwitchCase(String, String),
    /// An edge of a Switch has a label that is none of its cases.
    UnknownSwitchOutput(String, String),
    /// Two cases of a Switch have one name.
    DuplicateSwitchCaseName(String, String),
    /// A Loop has no `LoopBody`.
    MissingLoopEdge(String),
    /// A Loop has edges beside `LoopBody` and `LoopDone`.
    ExtraLoopEdges(String),
    /// An `EndLoop` belongs to a node that is no Loop.
    InvalidEndLoopTarget(String),
    /// A Loop has no `EndLoop`.
    UnpairedLoop(String),
    /// A Loop has more than one `EndLoop`.
    MultipleEndLoops(String),
    /// The one edge of an `EndLoop` does not lead to its Loop.
    EndLoopEdgeMismatch(String),
    /// A surprise that no new run may have: the node, and what is wrong.
    Refused(String, &'static str),
}

impl Finding {
    /// Returns the finding's name, as the original has it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoNodes => "NoNodes",
            Self::NoEntryPoint => "NoEntryPoint",
            Self::MultipleEntryPoints(_) => "MultipleEntryPoints",
            Self::MultipleOutgoingEdges(_) => "MultipleOutgoingEdges",
            Self::CycleDetected => "CycleDetected",
            Self::MissingIfBranch(_) => "MissingIfBranch",
            Self::ExtraIfEdges(_) => "ExtraIfEdges",
            Self::MissingSwitchCase(..) => "MissingSwitchCase",
            Self::DuplicateSwitchCase(..) => "DuplicateSwitchCase",
            Self::UnknownSwitchOutput(..) => "UnknownSwitchOutput",
            Self::DuplicateSwitchCaseName(..) => "DuplicateSwitchCaseName",
            Self::MissingLoopEdge(_) => "MissingLoopEdge",
            Self::ExtraLoopEdges(_) => "ExtraLoopEdges",
            Self::InvalidEndLoopTarget(_) => "InvalidEndLoopTarget",
            Self::UnpairedLoop(_) => "UnpairedLoop",
            Self::MultipleEndLoops(_) => "MultipleEndLoops",
            Self::EndLoopEdgeMismatch(_) => "EndLoopEdgeMismatch",
            Self::Refused(..) => "Refused",
        }
    }

    /// Returns the names, or the number, that the finding is about.
    #[must_use]
    pub fn about(&self) -> Vec<Value> {
        match self {
            Self::NoNodes | Self::NoEntryPoint | Self::CycleDetected => Vec::new(),
            Self::MultipleEntryPoints(count) => vec![Value::from(*count)],
            Self::MultipleOutgoingEdges(node)
            | Self::MissingIfBranch(node)
            | Self::ExtraIfEdges(node)
            | Self::MissingLoopEdge(node)
            | Self::ExtraLoopEdges(node)
            | Self::InvalidEndLoopTarget(node)
            | Self::UnpairedLoop(node)
            | Self::MultipleEndLoops(node)
            | Self::EndLoopEdgeMismatch(node)
            | Self::Refused(node, _) => vec![Value::from(node.as_str())],
            Self::MissingSwitchCase(node, case)
            | Self::DuplicateSwitchCase(node, case)
            | Self::UnknownSwitchOutput(node, case)
            | Self::DuplicateSwitchCaseName(node, case) => {
                vec![Value::from(node.as_str()), Value::from(case.as_str())]
            }
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNodes => formatter.write_str("The workflow has no nodes; add one."),
            Self::NoEntryPoint => formatter.write_str(
                "No node is the first one: an edge leads to each; remove the edge to the first.",
            ),
            Self::MultipleEntryPoints(count) => write!(
                formatter,
                "{count} nodes have no edge that leads to them; only the first one may have none."
            ),
            Self::MultipleOutgoingEdges(node) => write!(
                formatter,
                "Node '{node}' has several edges; a node that does not branch has one at most."
            ),
            Self::CycleDetected => formatter.write_str(
                "The workflow has a circle; only an EndLoop may lead back, to its Loop.",
            ),
            Self::MissingIfBranch(node) => write!(
                formatter,
                "If '{node}' needs an edge for IfTrue and one for IfFalse."
            ),
            Self::ExtraIfEdges(node) => write!(
                formatter,
                "If '{node}' has more edges than IfTrue and IfFalse."
            ),
            Self::MissingSwitchCase(node, case) => {
                write!(formatter, "Switch '{node}' has no edge for case '{case}'.")
            }
            Self::DuplicateSwitchCase(node, case) => write!(
                formatter,
                "Switch '{node}' has several edges for case '{case}'."
            ),
            Self::UnknownSwitchOutput(node, label) => write!(
                formatter,
                "An edge of Switch '{node}' has the label '{label}', which is none of its cases."
            ),
            Self::DuplicateSwitchCaseName(node, case) => write!(
                formatter,
                "Two cases of Switch '{node}' have the name '{case}'."
            ),
            Self::MissingLoopEdge(node) => {
                write!(formatter, "Loop '{node}' needs an edge for LoopBody.")
            }
            Self::ExtraLoopEdges(node) => write!(
                formatter,
                "Loop '{node}' has other edges than one LoopBody and one LoopDone."
            ),
            Self::InvalidEndLoopTarget(node) => write!(
                formatter,
                "EndLoop '{node}' belongs to a node that is no Loop; set its loop_id."
            ),
            Self::UnpairedLoop(node) => {
                write!(
                    formatter,
                    "Loop '{node}' has no EndLoop; add one with its id."
                )
            }
            Self::MultipleEndLoops(node) => {
                write!(
                    formatter,
                    "Loop '{node}' has several EndLoops; one is needed."
                )
            }
            Self::EndLoopEdgeMismatch(node) => write!(
                formatter,
                "EndLoop '{node}' needs exactly one edge, and that must lead to its Loop."
            ),
            Self::Refused(node, why) => write!(formatter, "Node '{node}': {why}"),
        }
    }
}
