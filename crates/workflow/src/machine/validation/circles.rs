//! The check that no way leads back to where it began, other than from the end of a loop.

use crate::machine::graph::{NodeKind, Routes};

use super::finding::Finding;

/// The state of a node in the search.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Never,
    /// The node is on the way that is looked at.
    OnTheWay,
    /// No way from the node leads back.
    Done,
}

/// Checks every edge but those of `EndLoop` nodes, with no more of the stack than one call.
pub(super) fn check_circles(routes: &Routes) -> Result<(), Finding> {
    let behind = behind(routes);
    let mut seen = vec![Seen::Never; behind.len()];
    for first in 0..behind.len() {
        if seen.get(first) != Some(&Seen::Never) {
            continue;
        }
        // Each node stands with the number of its edges that were followed.
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

/// Returns the nodes behind each node, by their positions.
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
