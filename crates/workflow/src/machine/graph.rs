//! A workflow as it is written: nodes, edges, conditions, the reader of its JSON, and the ways through it,
//! found once, so that no step searches for them.
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

/// The length of the longest workflow, in bytes of JSON: a picture to find may be part of it.
pub const WORKFLOW_BYTES_MAX: usize = 4_000_000;
/// The most memory that the values of a workflow take, in bytes: ten thousand nodes have 54 MB.
pub const WORKFLOW_WEIGHT_MAX: usize = 60_000_000;
/// The most nodes of a workflow.
pub const NODES_MAX: usize = 20_000;
/// The most edges of a workflow: two for each node on the average.
const EDGES_MAX: usize = 2 * NODES_MAX;
/// The type of a node that begins the search for a chain.
pub const CHAIN_NODE: &str = "Investigation";
/// The type of a node that begins an automaton.
pub const AUTOMATE_NODE: &str = "Automaton";
/// The noun for one in sentences, and the member of a request that has its states or its name.
pub const AUTOMATE_NOUN: &str = "automaton";

/// The members of a node that are those of the request for its automaton. Secrets are not among them: a workflow is
/// no place for them, and the operator's own are found by their names.
const AUTOMATE_MEMBERS: [&str; 6] = [
    AUTOMATE_NOUN,
    "prompts",
    "parameters",
    "origins",
    "browser",
    "options",
];
/// The name of all of them in limits and sums.
pub const CHILD_RUNS: &str = "investigations";

/// A graph of nodes. It may make no sense: see [`super::validation`].
#[derive(Debug, Clone, PartialEq)]
pub struct Workflow {
    /// The workflow's id.
    pub id: NodeId,
    /// The workflow's name, for people.
    pub name: String,
    /// The nodes, in the order in which they are written.
    pub nodes: Vec<Node>,
    /// The edges, in the order in which they are written: the first that fits is taken.
    pub edges: Vec<Edge>,
}

impl Workflow {
    /// Reads the text of a workflow, which anybody may have sent.
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

    /// Reads the JSON of a workflow. Members that may be null may be absent, unknown ones are
    /// ignored.
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

/// The id of a node. Spellings of one UUID are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(Uuid);

impl NodeId {
    /// Reads any spelling of a UUID: with hyphens or without, in braces, as a URN, in any case.
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

/// A workflow with its nodes by their ids, and its edges by the node that they leave.
#[derive(Debug, Clone)]
pub struct Routes {
    workflow: Workflow,
    /// The first node of each id.
    by_id: BTreeMap<NodeId, usize>,
    /// The positions of the edges that leave the first node of an id, in their order.
    leaving: Vec<Vec<usize>>,
}

impl Routes {
    /// Finds the routes of a workflow, whether it makes sense or not.
    #[must_use]
    pub fn new(workflow: Workflow) -> Self {
        // The nodes are taken backwards, so that of nodes that share an id the first one stays.
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

    /// Returns the workflow as it is written.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// Returns the position of the first node of this id.
    #[must_use]
    pub fn position(&self, id: NodeId) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// Returns the node at this position.
    #[must_use]
    pub fn node(&self, at: usize) -> Option<&Node> {
        self.workflow.nodes.get(at)
    }

    /// Returns the first node of this id.
    #[must_use]
    pub fn node_of(&self, id: NodeId) -> Option<&Node> {
        self.node(self.position(id)?)
    }

    /// Returns the edges that leave a node, in their order.
    pub fn leaving(&self, id: NodeId) -> impl Iterator<Item = &Edge> {
        let edges = self.position(id).and_then(|at| self.leaving.get(at));
        edges
            .into_iter()
            .flatten()
            .filter_map(|at| self.workflow.edges.get(*at))
    }

    /// Returns whether an edge is the way back from the end of a loop to its beginning.
    #[must_use]
    pub fn is_way_back(&self, edge: &Edge) -> bool {
        self.node_of(edge.from).is_some_and(
            |node| matches!(node.kind, NodeKind::EndLoop { loop_id } if loop_id == edge.to),
        )
    }

    /// Returns the positions of the nodes to which only ways back lead.
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

    /// Returns the node to which the first edge with this label leads.
    #[must_use]
    pub fn next(&self, from: NodeId, output: Option<&Output>) -> Option<NodeId> {
        let mut edges = self.leaving(from);
        edges
            .find(|edge| edge.output.as_ref() == output)
            .map(|edge| edge.to)
    }

    /// Returns the node with which the walk goes on after a disabled one.
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
            // Whatever the type is, its first edge is as good as any.
            NodeKind::Unknown => self.leaving(node.id).next().map(|edge| edge.to),
            _ => self.next(node.id, None),
        }
    }
}

/// A kind of run that a workflow begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildKind {
    /// The search for a chain between two people.
    Chain,
    /// A finite-state machine that drives a browser.
    Automate,
}

impl ChildKind {
    /// Returns the name of one in events and records.
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
