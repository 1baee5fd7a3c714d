//! The check that each Loop has one `EndLoop`, which leads back to it.

use std::collections::BTreeMap;

use crate::machine::graph::{NodeId, NodeKind, Routes};

use super::finding::Finding;

/// Checks every `EndLoop`, then every Loop.
pub(super) fn check_loops(routes: &Routes) -> Result<(), Finding> {
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
