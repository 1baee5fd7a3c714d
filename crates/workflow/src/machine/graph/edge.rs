//! Edges and their labels.

use std::fmt;

use super::node_id::NodeId;

/// A way from one node to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The node that the edge leaves.
    pub from: NodeId,
    /// The node that the edge leads to; it may not exist.
    pub to: NodeId,
    /// The way out of a control node that the edge is; `None` for a plain edge.
    pub output: Option<Output>,
}

/// The label of a way out of a control node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// The condition of an If holds.
    IfTrue,
    /// The condition of an If does not hold.
    IfFalse,
    /// The case of this name is the first that holds.
    SwitchCase(String),
    /// No case holds.
    SwitchDefault,
    /// The way leads to the next iteration of a Loop.
    LoopBody,
    /// The way is taken after the last iteration of a Loop.
    LoopDone,
}

/// Writes the label as traces tell it: `SwitchCase(name)`, and the word itself for the others.
impl fmt::Display for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::IfTrue => "IfTrue",
            Self::IfFalse => "IfFalse",
            Self::SwitchCase(name) => return write!(formatter, "SwitchCase({name})"),
            Self::SwitchDefault => "SwitchDefault",
            Self::LoopBody => "LoopBody",
            Self::LoopDone => "LoopDone",
        })
    }
}
