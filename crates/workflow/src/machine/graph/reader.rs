//! Reads a whole workflow.

use std::fmt::Display;

use serde_json::Value;

use json::weight;

use super::edge::{Edge, Output};
use super::members::{Members, Place, ReadError};
use super::node::Node;
use super::node_id::NodeId;
use super::node_reader::node;

/// The length of the longest workflow, in bytes of JSON: a picture to find may be part of it.
pub const WORKFLOW_BYTES_MAX: usize = 4_000_000;
/// The most memory that the values of a workflow take, in bytes: ten thousand nodes have 54 MB.
pub const WORKFLOW_WEIGHT_MAX: usize = 60_000_000;
/// The most nodes of a workflow.
pub const NODES_MAX: usize = 20_000;
/// The most edges of a workflow: two for each node on the average.
const EDGES_MAX: usize = 2 * NODES_MAX;

/// A graph of nodes. It may make no sense: see [`crate::machine::validation`].
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
