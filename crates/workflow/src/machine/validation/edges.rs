//! The edges of each node, by its type.

use std::collections::BTreeSet;

use crate::machine::graph::{Case, Edge, Node, NodeKind, Output, Routes};

use super::finding::Finding;

/// Checks the edges of every node. The first edge that is wrong is told.
pub(super) fn check_edges(routes: &Routes) -> Result<(), Finding> {
    for node in &routes.workflow().nodes {
        let edges: Vec<&Edge> = routes.leaving(node.id).collect();
        match &node.kind {
            NodeKind::If { .. } => check_if(node, &edges)?,
            NodeKind::Switch { cases } => check_switch(node, cases, &edges)?,
            NodeKind::Loop { .. } => check_loop(node, &edges)?,
            // The edges of an `EndLoop` are checked with its Loop; which ones a node of an unknown type may
            // have, nobody knows.
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
