//! The ways through a workflow, found once, so that no step searches for them.

use std::collections::{BTreeMap, BTreeSet};

use super::edge::{Edge, Output};
use super::node::Node;
use super::node_id::NodeId;
use super::node_kind::NodeKind;
use super::reader::Workflow;

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
        let leaving = self.position(id).and_then(|at| self.leaving.get(at));
        let leaving = leaving.map(Vec::as_slice).unwrap_or_default();
        leaving.iter().filter_map(|at| self.workflow.edges.get(*at))
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
        let ways_in = self.workflow.edges.iter();
        let ways_in = ways_in.filter(|edge| !self.is_way_back(edge));
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
