//! Workflows: nodes, edges, conditions, their parser, and the routes between nodes, computed once.
//!
//! //= seed 002, Clickweave's `Workflow`

mod node;
mod reader;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use json::weight;
use serde_json::Value;
use uuid::Uuid;

use reader::{Members, Place, node};

pub use node::{
    AiStep, Case, Check, CheckKind, Click, Condition, FocusMethod, MouseButton, Node, NodeKind,
    OnCheckFail, Operator, Position, ScreenshotMode, TraceLevel, ValueRef,
};
pub use reader::ReadError;

/// The longest workflow in bytes of JSON, which may include pictures.
pub const WORKFLOW_BYTES_MAX: usize = 4_000_000;
/// The most memory of a parsed workflow, in bytes: ten thousand nodes take 54 MB.
pub const WORKFLOW_WEIGHT_MAX: usize = 60_000_000;
/// The most nodes of a workflow.
pub const NODES_MAX: usize = 20_000;
/// The most edges of a workflow: two per node on average.
const EDGES_MAX: usize = 2 * NODES_MAX;
/// The type of a node that begins an investigation.
pub const CHAIN_NODE: &str = "Investigation";
/// The type of a node that begins an automaton.
pub const AUTOMATE_NODE: &str = "Automaton";
/// The noun for messages, and the request member with an automaton's states or name.
pub const AUTOMATE_NOUN: &str = "automaton";

/// The members of an automaton node that become those of its request. Secrets are not among them: they do not belong
/// into a workflow, and the operator's are found by name.
const AUTOMATE_MEMBERS: [&str; 6] = [
    AUTOMATE_NOUN,
    "prompts",
    "parameters",
    "origins",
    "browser",
    "options",
];
/// The name of child runs of all kinds in limits and totals.
pub const CHILD_RUNS: &str = "investigations";

/// A graph of nodes, which may be invalid: see [`super::validation`].
#[derive(Debug, Clone, PartialEq)]
pub struct Workflow {
    /// The workflow's id.
    pub id: NodeId,
    /// The workflow's name, for people.
    pub name: String,
    /// The nodes, in the order in which they are written.
    pub nodes: Vec<Node>,
    /// The edges in file order: the first that matches is taken.
    pub edges: Vec<Edge>,
}

impl Workflow {
    /// Parses a workflow, which may come from a stranger.
    pub fn parse(text: &[u8]) -> Result<Self, ReadError> {
        if text.len() > WORKFLOW_BYTES_MAX || weight(text) > WORKFLOW_WEIGHT_MAX {
            let sentence = format!("the workflow is larger than {WORKFLOW_BYTES_MAX} bytes");
            return Err(ReadError(sentence));
        }
        let no_json = |error: &dyn Display| ReadError(format!("the workflow is no JSON: {error}"));
        let text = std::str::from_utf8(text).map_err(|error| no_json(&error))?;
        let json = serde_json::from_str(text).map_err(|error| no_json(&error))?;
        Self::from_json(&json)
    }

    /// Reads a workflow from JSON. Nullable members may be absent; unknown members are ignored.
    pub fn from_json(json: &Value) -> Result<Self, ReadError> {
        let members = Members::of(json, Place::Workflow)?;
        let (nodes, edges) = (members.list("nodes")?, members.list("edges")?);
        for (what, count, count_max) in [
            ("nodes", nodes.len(), NODES_MAX),
            ("edges", edges.len(), EDGES_MAX),
        ] {
            if count > count_max {
                let sentence = format!("the workflow has {count} {what}; {count_max} may be");
                return Err(ReadError(sentence));
            }
        }
        let nodes = nodes.iter().enumerate();
        let edges = edges.iter().enumerate();
        Ok(Self {
            id: members.id("id")?,
            name: members.text("name")?.to_owned(),
            nodes: nodes
                .map(|(at, json)| node(json, at))
                .collect::<Result<_, _>>()?,
            edges: edges
                .map(|(at, json)| edge(json, at))
                .collect::<Result<_, _>>()?,
        })
    }
}

fn edge(json: &Value, at: usize) -> Result<Edge, ReadError> {
    let members = Members::of(json, Place::Item("edge", at))?;
    let output = members.optional("output").map(|json| {
        let output = Members::of(json, Place::Member(members.place(), "output"))?;
        let label = output.word("type", &LABELS)?;
        Ok(match label {
            Label::IfTrue => Output::IfTrue,
            Label::IfFalse => Output::IfFalse,
            Label::SwitchCase => Output::SwitchCase(output.text("name")?.to_owned()),
            Label::SwitchDefault => Output::SwitchDefault,
            Label::LoopBody => Output::LoopBody,
            Label::LoopDone => Output::LoopDone,
        })
    });
    Ok(Edge {
        from: members.id("from")?,
        to: members.id("to")?,
        output: output.transpose()?,
    })
}

#[derive(Clone, Copy)]
enum Label {
    IfTrue,
    IfFalse,
    SwitchCase,
    SwitchDefault,
    LoopBody,
    LoopDone,
}

const LABELS: [(&str, Label); 6] = [
    ("IfTrue", Label::IfTrue),
    ("IfFalse", Label::IfFalse),
    ("SwitchCase", Label::SwitchCase),
    ("SwitchDefault", Label::SwitchDefault),
    ("LoopBody", Label::LoopBody),
    ("LoopDone", Label::LoopDone),
];

/// A way from one node to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The node at which the edge starts.
    pub from: NodeId,
    /// The node to which the edge leads, which may not exist.
    pub to: NodeId,
    /// The output of a control node to which the edge belongs; `None` for a plain edge.
    pub output: Option<Output>,
}

/// An output of a control node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// The condition of an If holds.
    IfTrue,
    /// The condition of an If does not hold.
    IfFalse,
    /// The case of this name is the first that matches.
    SwitchCase(String),
    /// No case matches.
    SwitchDefault,
    /// The next iteration of a Loop.
    LoopBody,
    /// The exit of a Loop.
    LoopDone,
}

/// Writes the label as in traces: `SwitchCase(name)`, and the bare word for the others.
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

/// The id of a node, a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(Uuid);

impl NodeId {
    /// Parses any spelling of a UUID: with or without hyphens, in braces, as a URN, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

/// Writes the id in lower case, with hyphens.
impl fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(formatter)
    }
}

/// A workflow indexed by node id, with the edges that leave each node.
#[derive(Debug, Clone)]
pub struct Routes {
    workflow: Workflow,
    /// The position of the first node with each id.
    by_id: BTreeMap<NodeId, usize>,
    /// The positions of the edges leaving the first node with an id, in file order.
    leaving: Vec<Vec<usize>>,
}

impl Routes {
    /// Indexes a workflow, valid or not.
    #[must_use]
    pub fn new(workflow: Workflow) -> Self {
        // In reverse, so that the first of several nodes with one id wins.
        let nodes = workflow.nodes.iter().enumerate().rev();
        let by_id: BTreeMap<NodeId, usize> = nodes.map(|(at, node)| (node.id, at)).collect();
        let mut leaving = vec![Vec::new(); workflow.nodes.len()];
        for (at, edge) in workflow.edges.iter().enumerate() {
            if let Some(from) = by_id
                .get(&edge.from)
                .and_then(|from| leaving.get_mut(*from))
            {
                from.push(at);
            }
        }
        Self {
            workflow,
            by_id,
            leaving,
        }
    }

    /// Returns the workflow.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// Returns the position of the first node with this id.
    #[must_use]
    pub fn position(&self, id: NodeId) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// Returns the node at this position.
    #[must_use]
    pub fn node(&self, at: usize) -> Option<&Node> {
        self.workflow.nodes.get(at)
    }

    /// Returns the first node with this id.
    #[must_use]
    pub fn node_of(&self, id: NodeId) -> Option<&Node> {
        self.node(self.position(id)?)
    }

    /// Returns the edges that leave a node, in file order.
    pub fn leaving(&self, id: NodeId) -> impl Iterator<Item = &Edge> {
        let edges = self.position(id).and_then(|at| self.leaving.get(at));
        edges
            .into_iter()
            .flatten()
            .filter_map(|at| self.workflow.edges.get(*at))
    }

    /// Returns whether an edge leads from an `EndLoop` back to its loop.
    #[must_use]
    pub fn is_way_back(&self, edge: &Edge) -> bool {
        self.node_of(edge.from).is_some_and(
            |node| matches!(node.kind, NodeKind::EndLoop { loop_id } if loop_id == edge.to),
        )
    }

    /// Returns the positions of the nodes without incoming edges, not counting those back to a loop.
    #[must_use]
    pub fn entries(&self) -> Vec<usize> {
        let edges = self.workflow.edges.iter();
        let ways_in = edges.filter(|edge| !self.is_way_back(edge));
        let entered: BTreeSet<NodeId> = ways_in.map(|edge| edge.to).collect();
        let nodes = self.workflow.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| !entered.contains(&node.id))
            .map(|(at, _)| at)
            .collect()
    }

    /// Returns the target of the first edge with this label.
    #[must_use]
    pub fn next(&self, from: NodeId, output: Option<&Output>) -> Option<NodeId> {
        let mut edges = self.leaving(from);
        edges
            .find(|edge| edge.output.as_ref() == output)
            .map(|edge| edge.to)
    }

    /// Returns the node that follows a disabled one.
    #[must_use]
    pub fn next_of_disabled(&self, node: &Node) -> Option<NodeId> {
        match node.kind {
            NodeKind::If { .. } => self.next(node.id, Some(&Output::IfFalse)),
            NodeKind::Loop { .. } => self.next(node.id, Some(&Output::LoopDone)),
            NodeKind::Switch { .. } => {
                let default = self.next(node.id, Some(&Output::SwitchDefault));
                default.or_else(|| {
                    let mut edges = self.leaving(node.id);
                    edges.find(|edge| edge.output.is_some()).map(|edge| edge.to)
                })
            }
            // For an unknown type, any edge is as good as the first.
            NodeKind::Unknown => self.leaving(node.id).next().map(|edge| edge.to),
            _ => self.next(node.id, None),
        }
    }
}

/// A kind of child run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildKind {
    /// An investigation.
    Chain,
    /// A finite-state machine that drives a browser.
    Automate,
}

impl ChildKind {
    /// Returns the kind's name in events and records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chain => "investigation",
            Self::Automate => AUTOMATE_NOUN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_id_are_equal() {
        let id = NodeId::parse("00000000-0000-4000-8000-00000000000a").unwrap();
        for spelling in [
            "0000000000004000800000000000000A",
            "{00000000-0000-4000-8000-00000000000a}",
            "urn:uuid:00000000-0000-4000-8000-00000000000a",
        ] {
            assert_eq!(NodeId::parse(spelling), Some(id), "{spelling}");
        }
        assert_eq!(id.to_string(), "00000000-0000-4000-8000-00000000000a");
        assert_eq!(NodeId::parse("node 1"), None);
    }
}
