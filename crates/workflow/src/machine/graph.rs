//! Workflows: their nodes, edges and conditions, the parser for these, and the routes between nodes, computed once.
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

/// The longest workflow, in bytes of JSON. It may include pictures.
pub const WORKFLOW_BYTES_MAX: usize = 4_000_000;
/// The most memory of a parsed workflow, in bytes. Ten thousand nodes take about 54 MB.
pub const WORKFLOW_WEIGHT_MAX: usize = 60_000_000;
/// The most nodes of a workflow.
pub const NODES_MAX: usize = 20_000;
/// The most edges of a workflow: two per node if it has the most nodes.
const EDGES_MAX: usize = 2 * NODES_MAX;
/// The type of a node that begins an investigation, in files and for users.
pub const CHAIN_NODE: &str = "Investigation";
/// The type of a node that begins an automaton, in files and for users.
pub const AUTOMATE_NODE: &str = "Automaton";
/// The word for an automaton in messages, and the member of a request that holds the automaton's states or name.
pub const AUTOMATE_NOUN: &str = "automaton";

/// The members of an automaton node that become members of its request. Secrets are not among them, since they do not
/// belong in a workflow; the operator's secrets are found by name.
const AUTOMATE_MEMBERS: [&str; 6] = [
    AUTOMATE_NOUN,
    "prompts",
    "parameters",
    "origins",
    "browser",
    "options",
];
/// The name under which limits and totals count child runs of all kinds.
pub const CHILD_RUNS: &str = "investigations";

/// A graph of nodes, which may be invalid: see [`super::validation`].
#[derive(Debug, Clone, PartialEq)]
pub struct Workflow {
    /// The workflow's id.
    pub id: NodeId,
    /// The workflow's name, for people.
    pub name: String,
    /// The nodes, in the order of the file.
    pub nodes: Vec<Node>,
    /// The edges, in the order of the file. If several edges match at a node, the first is taken.
    pub edges: Vec<Edge>,
}

impl Workflow {
    /// Parses a workflow, which may come from a stranger. The result may still be invalid.
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

    /// Reads a workflow from JSON. Members that may be null may also be absent, and unknown ones are ignored.
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

/// A way from one node to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The node at which the edge starts.
    pub from: NodeId,
    /// The node to which the edge leads. There may be no node with this id.
    pub to: NodeId,
    /// The output of a control node from which the edge leads; `None` for an edge from any other node.
    pub output: Option<Output>,
}

/// An output of a control node, from which an edge leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// The way from an If whose condition holds.
    IfTrue,
    /// The way from an If whose condition does not hold.
    IfFalse,
    /// The way from a Switch whose first matching case has this name.
    SwitchCase(String),
    /// The way from a Switch of which no case matches.
    SwitchDefault,
    /// The way from a Loop into the next iteration of its body.
    LoopBody,
    /// The way from a Loop to what follows it.
    LoopDone,
}

/// Writes the label as in traces: `SwitchCase(name)` for a case, and only the word for other outputs.
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

/// The id of a node or a workflow, which is a UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(Uuid);

impl NodeId {
    /// Parses any spelling of a UUID: with or without hyphens, in braces, or as a URN, in upper or lower case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

/// Writes the UUID in lower case, with hyphens.
impl fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(formatter)
    }
}

/// A workflow, indexed by node id, with the edges that leave each node.
#[derive(Debug, Clone)]
pub struct Routes {
    workflow: Workflow,
    /// The position of the first node with each id. Ids may repeat in an invalid workflow.
    by_id: BTreeMap<NodeId, usize>,
    /// The positions of the edges that leave each node, in file order; empty for a node whose id an earlier node has.
    leaving: Vec<Vec<usize>>,
}

impl Routes {
    /// Indexes a workflow, whether or not it is valid.
    #[must_use]
    pub fn new(workflow: Workflow) -> Self {
        // The nodes are inserted in reverse, so that the first of several nodes with the same id wins.
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

    /// Returns the workflow that is indexed.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// Returns the position of the first node with this id.
    #[must_use]
    pub fn position(&self, id: NodeId) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// Returns the node at this position in the workflow.
    #[must_use]
    pub fn node(&self, at: usize) -> Option<&Node> {
        self.workflow.nodes.get(at)
    }

    /// Returns the first node with this id.
    #[must_use]
    pub fn node_of(&self, id: NodeId) -> Option<&Node> {
        self.node(self.position(id)?)
    }

    /// Returns the edges that leave the node with this id, in file order.
    pub fn leaving(&self, id: NodeId) -> impl Iterator<Item = &Edge> {
        let edges = self.position(id).and_then(|at| self.leaving.get(at));
        edges
            .into_iter()
            .flatten()
            .filter_map(|at| self.workflow.edges.get(*at))
    }

    /// Returns whether an edge leads from an `EndLoop` back to the Loop to which it belongs.
    #[must_use]
    pub fn is_way_back(&self, edge: &Edge) -> bool {
        self.node_of(edge.from).is_some_and(
            |node| matches!(node.kind, NodeKind::EndLoop { loop_id } if loop_id == edge.to),
        )
    }

    /// Returns the positions of the nodes at which a walk can begin: those to which no edge leads, except back to a
    /// Loop.
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

    /// Returns the target of the first edge from a node with this output; `None` if there is no such edge.
    #[must_use]
    pub fn next(&self, from: NodeId, output: Option<&Output>) -> Option<NodeId> {
        let mut edges = self.leaving(from);
        edges
            .find(|edge| edge.output.as_ref() == output)
            .map(|edge| edge.to)
    }

    /// Returns the node that follows a disabled node, which is skipped.
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
            // Nothing is known about the outputs of an unknown type, so the first edge is taken.
            NodeKind::Unknown => self.leaving(node.id).next().map(|edge| edge.to),
            _ => self.next(node.id, None),
        }
    }
}

/// A kind of child run that a node can begin.
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
