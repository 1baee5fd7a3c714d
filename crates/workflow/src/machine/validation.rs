//! Validates a workflow: whether it can be executed, and which parts will surprise its author.
//!
//! The rules are those of the original program. They are checked in the original's order, and the first broken one is
//! reported. In addition there are surprises, which cause warnings. Some of them also cause new runs to be refused.

mod surprises;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use strum::IntoStaticStr;
use thiserror::Error;

use super::graph::{Case, Edge, Node, NodeId, NodeKind, Output, Routes};
use super::interface::Dialect;

pub use surprises::{Surprise, Validated};

/// Validates a workflow, and returns its first node and its surprises. Fails with the first broken rule.
pub fn validate(routes: &Routes, dialect: Dialect) -> Result<Validated, Finding> {
    if routes.workflow().nodes.is_empty() {
        return Err(Finding::NoNodes);
    }
    let entry = match routes.entries().as_slice() {
        [] => return Err(Finding::NoEntryPoint),
        [entry] => *entry,
        several => return Err(Finding::MultipleEntryPoints(several.len())),
    };
    check_edges(routes)?;
    check_loops(routes)?;
    check_circles(routes)?;
    Ok(surprises::look(routes, entry, dialect))
}

/// Why a workflow cannot be executed. A finding refers to nodes by their names, which people see.
///
/// //= seed 002, Clickweave's `ValidationError`
#[derive(Debug, Clone, PartialEq, Eq, Error, IntoStaticStr)]
pub enum Finding {
    /// The workflow has no nodes.
    #[error("The workflow has no nodes; add one.")]
    NoNodes,
    /// Every node has an incoming edge, so there is no node to begin with.
    #[error("No node is the first one: an edge leads to each; remove the edge to the first.")]
    NoEntryPoint,
    /// More than one node has no incoming edge. The number says how many.
    #[error("{0} nodes have no edge that leads to them; only the first one may have none.")]
    MultipleEntryPoints(usize),
    /// A node that is no control node has more than one outgoing edge. The name is the node's.
    #[error("Node '{0}' has several edges; a node that does not branch has one at most.")]
    MultipleOutgoingEdges(String),
    /// There is a cycle of edges that does not pass through an `EndLoop`.
    #[error("The workflow has a circle; only an EndLoop may lead back, to its Loop.")]
    CycleDetected,
    /// An If lacks one of its two edges. The name is the If's.
    #[error("If '{0}' needs an edge for IfTrue and one for IfFalse.")]
    MissingIfBranch(String),
    /// An If has other edges than its two. The name is the If's.
    #[error("If '{0}' has more edges than IfTrue and IfFalse.")]
    ExtraIfEdges(String),
    /// A Switch lacks the edge for a case. The names are the Switch's and the case's.
    #[error("Switch '{0}' has no edge for case '{1}'.")]
    MissingSwitchCase(String, String),
    /// A Switch has two edges for the same case. The names are the Switch's and the case's.
    #[error("Switch '{0}' has several edges for case '{1}'.")]
    DuplicateSwitchCase(String, String),
    /// An edge of a Switch is labelled with none of the cases. The names are the Switch's and the label.
    #[error("An edge of Switch '{0}' has the label '{1}', which is none of its cases.")]
    UnknownSwitchOutput(String, String),
    /// Two cases of a Switch have the same name. The names are the Switch's and the case's.
    #[error("Two cases of Switch '{0}' have the name '{1}'.")]
    DuplicateSwitchCaseName(String, String),
    /// A Loop lacks its edge `LoopBody`. The name is the Loop's.
    #[error("Loop '{0}' needs an edge for LoopBody.")]
    MissingLoopEdge(String),
    /// A Loop has other edges than `LoopBody` and `LoopDone`. The name is the Loop's.
    #[error("Loop '{0}' has other edges than one LoopBody and one LoopDone.")]
    ExtraLoopEdges(String),
    /// An `EndLoop` belongs to a node that is not a Loop. The name is the `EndLoop`'s.
    #[error("EndLoop '{0}' belongs to a node that is no Loop; set its loop_id.")]
    InvalidEndLoopTarget(String),
    /// A Loop has no `EndLoop`. The name is the Loop's.
    #[error("Loop '{0}' has no EndLoop; add one with its id.")]
    UnpairedLoop(String),
    /// A Loop has more than one `EndLoop`. The name is the Loop's.
    #[error("Loop '{0}' has several EndLoops; one is needed.")]
    MultipleEndLoops(String),
    /// An `EndLoop` must have exactly one edge, to its Loop, but does not. The name is the `EndLoop`'s.
    #[error("EndLoop '{0}' needs exactly one edge, and that must lead to its Loop.")]
    EndLoopEdgeMismatch(String),
    /// A surprise because of which new runs are refused: the name of the node, and what is wrong with the node.
    #[error("Node '{0}': {1}")]
    Refused(String, &'static str),
}

impl Finding {
    /// Returns the names in the finding, or its number, as JSON.
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

/// Checks the edges of every node. Fails with the first wrong one.
fn check_edges(routes: &Routes) -> Result<(), Finding> {
    for node in &routes.workflow().nodes {
        let edges: Vec<&Edge> = routes.leaving(node.id).collect();
        match &node.kind {
            NodeKind::If { .. } => check_if(node, &edges)?,
            NodeKind::Switch { cases } => check_switch(node, cases, &edges)?,
            NodeKind::Loop { .. } => check_loop(node, &edges)?,
            // The edges of an `EndLoop` are checked together with its Loop, and there is no rule for an unknown type.
            NodeKind::EndLoop { .. } | NodeKind::Unknown => {}
            _ if edges.len() > 1 => {
                return Err(Finding::MultipleOutgoingEdges(node.name.clone()));
            }
            _ => {}
        }
    }
    Ok(())
}

fn count(edges: &[&Edge], output: &Output) -> usize {
    let labelled = edges
        .iter()
        .filter(|edge| edge.output.as_ref() == Some(output));
    labelled.count()
}

fn check_if(node: &Node, edges: &[&Edge]) -> Result<(), Finding> {
    if count(edges, &Output::IfTrue) == 0 || count(edges, &Output::IfFalse) == 0 {
        return Err(Finding::MissingIfBranch(node.name.clone()));
    }
    if edges.len() != 2 {
        return Err(Finding::ExtraIfEdges(node.name.clone()));
    }
    Ok(())
}

fn check_switch(node: &Node, cases: &[Case], edges: &[&Edge]) -> Result<(), Finding> {
    let (name, mut names) = (|| node.name.clone(), BTreeSet::new());
    for case in cases {
        if !names.insert(case.name.as_str()) {
            return Err(Finding::DuplicateSwitchCaseName(name(), case.name.clone()));
        }
    }
    for case in cases {
        match count(edges, &Output::SwitchCase(case.name.clone())) {
            0 => return Err(Finding::MissingSwitchCase(name(), case.name.clone())),
            1 => {}
            _ => return Err(Finding::DuplicateSwitchCase(name(), case.name.clone())),
        }
    }
    for edge in edges {
        let label = match &edge.output {
            Some(Output::SwitchDefault) => continue,
            Some(Output::SwitchCase(case)) if names.contains(case.as_str()) => continue,
            Some(Output::SwitchCase(case)) => case.clone(),
            Some(other) => other.to_string(),
            None => "unlabeled".to_owned(),
        };
        return Err(Finding::UnknownSwitchOutput(name(), label));
    }
    Ok(())
}

fn check_loop(node: &Node, edges: &[&Edge]) -> Result<(), Finding> {
    if count(edges, &Output::LoopBody) == 0 {
        return Err(Finding::MissingLoopEdge(node.name.clone()));
    }
    let is_left = count(edges, &Output::LoopDone) > 0;
    if edges.len() != 1 + usize::from(is_left) {
        return Err(Finding::ExtraLoopEdges(node.name.clone()));
    }
    Ok(())
}

/// Checks that each Loop has exactly one `EndLoop`, which leads back to it.
fn check_loops(routes: &Routes) -> Result<(), Finding> {
    let nodes = &routes.workflow().nodes;
    let mut ends: BTreeMap<NodeId, u32> = nodes
        .iter()
        .filter(|node| matches!(node.kind, NodeKind::Loop { .. }))
        .map(|node| (node.id, 0))
        .collect();
    for node in nodes {
        let NodeKind::EndLoop { loop_id } = node.kind else {
            continue;
        };
        match ends.get_mut(&loop_id) {
            Some(count) => *count += 1,
            None => return Err(Finding::InvalidEndLoopTarget(node.name.clone())),
        }
        let mut edges = routes.leaving(node.id);
        let leads_back = edges.next().is_some_and(|edge| edge.to == loop_id);
        if !leads_back || edges.next().is_some() {
            return Err(Finding::EndLoopEdgeMismatch(node.name.clone()));
        }
    }
    for node in nodes {
        if !matches!(node.kind, NodeKind::Loop { .. }) {
            continue;
        }
        match ends.get(&node.id) {
            Some(0) => return Err(Finding::UnpairedLoop(node.name.clone())),
            Some(1) | None => {}
            Some(_) => return Err(Finding::MultipleEndLoops(node.name.clone())),
        }
    }
    Ok(())
}

/// How far a node was examined in the depth-first search for cycles.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Never,
    /// The node is on the path that is being examined. An edge to it closes a cycle.
    OnTheWay,
    /// The node was examined with everything behind it, and is on no cycle.
    Done,
}

/// Checks that every cycle passes through an `EndLoop`. The depth-first search is iterative, so that a long path does
/// not exhaust the stack.
fn check_circles(routes: &Routes) -> Result<(), Finding> {
    let behind = behind(routes);
    let mut seen = vec![Seen::Never; behind.len()];
    for first in 0..behind.len() {
        if seen.get(first) != Some(&Seen::Never) {
            continue;
        }
        // The path that is being examined: each node's position, and how many of its edges were followed so far.
        let mut way = vec![(first, 0)];
        note(&mut seen, first, Seen::OnTheWay);
        while let Some((at, followed)) = way.last_mut() {
            let next = behind.get(*at).and_then(|next| next.get(*followed));
            *followed += 1;
            match next {
                None => {
                    note(&mut seen, *at, Seen::Done);
                    way.pop();
                }
                Some(next) => match seen.get(*next) {
                    Some(Seen::OnTheWay) => return Err(Finding::CycleDetected),
                    Some(Seen::Never) => {
                        note(&mut seen, *next, Seen::OnTheWay);
                        way.push((*next, 0));
                    }
                    Some(Seen::Done) | None => {}
                },
            }
        }
    }
    Ok(())
}

fn note(seen: &mut [Seen], at: usize, how: Seen) {
    if let Some(seen) = seen.get_mut(at) {
        *seen = how;
    }
}

/// Returns the positions of the nodes to which edges lead, for each node by position.
fn behind(routes: &Routes) -> Vec<Vec<usize>> {
    let nodes = routes.workflow().nodes.iter().enumerate();
    let behind = nodes.map(|(at, node)| {
        let is_first = routes.position(node.id) == Some(at);
        if !is_first || matches!(node.kind, NodeKind::EndLoop { .. }) {
            return Vec::new();
        }
        let next = routes.leaving(node.id);
        next.filter_map(|edge| routes.position(edge.to)).collect()
    });
    behind.collect()
}
