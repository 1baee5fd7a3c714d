//! The surprises: what the original accepts and nobody expects.

use std::collections::BTreeSet;

use crate::machine::graph::{Condition, Node, NodeId, NodeKind, Output, Routes, ValueRef};
use crate::machine::values::fold;

use super::finding::Finding;

/// The most surprises of a workflow that are told.
const SURPRISES_MAX: usize = 200;
/// The most retries that the editor offers.
const RETRIES_MAX: u32 = 10;

/// Something in a workflow that does not do what it seems to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surprise {
    /// The node that it is about.
    pub node: NodeId,
    /// The node's name.
    pub name: String,
    /// What happens, in words.
    pub says: &'static str,
    is_refused: bool,
}

impl Surprise {
    /// Returns whether the strict dialect refuses the workflow for it; the other surprises it
    /// mends.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    pub(super) fn finding(&self) -> Finding {
        Finding::Refused(self.name.clone(), self.says)
    }
}

/// Returns every surprise, in the order of the nodes.
pub(super) fn surprises(routes: &Routes, entry: usize) -> Vec<Surprise> {
    let context = Context::of(routes, entry);
    let nodes = routes.workflow().nodes.iter().enumerate();
    let found = nodes.flat_map(|(at, node)| {
        let refused = context.refused(at, node);
        let refused = refused.into_iter().map(|says| (says, true));
        refused
            .chain(mended(node).into_iter().map(|says| (says, false)))
            .map(|(says, is_refused)| Surprise {
                node: node.id,
                name: node.name.clone(),
                says,
                is_refused,
            })
            .collect::<Vec<_>>()
    });
    found.take(SURPRISES_MAX).collect()
}

/// Returns what the strict dialect does in another way.
fn mended(node: &Node) -> Vec<&'static str> {
    let mut says = Vec::new();
    if !node.checks.is_empty() || node.expected_outcome.is_some() {
        says.push("its checks change nothing about how the run ends.");
    }
    if node.timeout_ms.is_some() && !matches!(node.kind, NodeKind::AiStep(_)) {
        says.push("its timeout_ms is not looked at.");
    }
    says
}

/// Returns whether this position was not visited before, and marks it as visited.
fn is_first_visit(visited: &mut [bool], at: usize) -> bool {
    let visited = visited.get_mut(at);
    visited.is_some_and(|visited| !std::mem::replace(visited, true))
}

/// The facts about the whole workflow.
struct Context<'routes> {
    routes: &'routes Routes,
    /// The prefix of each node's variables, by its position; empty for a node that sets none.
    prefixes: Vec<String>,
    /// The prefixes under which variables are set, and those under which more than one node sets
    /// them.
    set: BTreeSet<String>,
    shared: BTreeSet<String>,
    /// Whether a way leads to each node, by its position.
    reachable: Vec<bool>,
}

impl<'routes> Context<'routes> {
    fn of(routes: &'routes Routes, entry: usize) -> Self {
        let nodes = routes.workflow().nodes.iter();
        let prefixes: Vec<String> = nodes
            .map(|node| {
                if node.kind.sets_variables() {
                    fold(&node.name)
                } else {
                    String::new()
                }
            })
            .collect();
        let nodes = routes.workflow().nodes.iter().zip(&prefixes);
        let nodes = nodes.filter(|(node, _)| node.kind.sets_variables());
        let mut names: Vec<&String> = nodes.map(|(_, prefix)| prefix).collect();
        names.sort();
        let twice = names.iter().zip(names.iter().skip(1));
        let twice = twice.filter(|(one, next)| one == next);
        let shared = twice.map(|(name, _)| (*name).clone()).collect();
        let set = names.into_iter().cloned().collect();
        let mut reachable = vec![false; prefixes.len()];
        let mut waiting = vec![entry];
        while let Some(at) = waiting.pop() {
            if !is_first_visit(&mut reachable, at) {
                continue;
            }
            let edges = routes.node(at).map(|node| routes.leaving(node.id));
            let next = edges.into_iter().flatten();
            waiting.extend(next.filter_map(|edge| routes.position(edge.to)));
        }
        Self {
            routes,
            prefixes,
            set,
            shared,
            reachable,
        }
    }

    fn refused(&self, at: usize, node: &Node) -> Vec<&'static str> {
        let mut says = Vec::new();
        if self.routes.position(node.id) != Some(at) {
            says.push("another node has its id, and is executed in its place.");
        }
        let mut edges = self.routes.leaving(node.id);
        if edges.any(|edge| self.routes.position(edge.to).is_none()) {
            says.push("an edge of it leads to a node that does not exist; the run ends there.");
        }
        if node.kind.sets_variables() {
            let mut edges = self.routes.leaving(node.id);
            if edges.any(|edge| edge.output.is_some()) {
                says.push("its edge has a label, so it is not followed; the run ends there.");
            }
            if self.is_shared(at) {
                says.push(
                    "another node's name is the same as a variable; they overwrite each other.",
                );
            }
        }
        if self.reachable.get(at) != Some(&true) {
            says.push("no way leads to it.");
        }
        if node.retries > RETRIES_MAX {
            says.push("it has more than 10 retries.");
        }
        says.extend(self.refused_of_kind(node));
        says
    }

    /// Returns whether another node sets variables under the prefix of the node at this position.
    fn is_shared(&self, at: usize) -> bool {
        let prefix = self.prefixes.get(at);
        prefix.is_some_and(|prefix| self.shared.contains(prefix))
    }

    fn refused_of_kind(&self, node: &Node) -> Option<&'static str> {
        match &node.kind {
            NodeKind::Loop {
                max_iterations: 0, ..
            } => Some("its max_iterations is 0, so its body never runs."),
            NodeKind::Loop { exit_condition, .. } => self
                .refused_loop(node)
                .or_else(|| self.refused_condition(exit_condition)),
            NodeKind::If { condition } => self.refused_condition(condition),
            NodeKind::Switch { cases } => {
                let is_whole = self
                    .routes
                    .next(node.id, Some(&Output::SwitchDefault))
                    .is_some();
                if !is_whole {
                    return Some("it has no SwitchDefault; without a match the run ends there.");
                }
                let mut conditions = cases.iter().map(|case| &case.condition);
                conditions.find_map(|condition| self.refused_condition(condition))
            }
            _ => None,
        }
    }

    /// Returns why a loop is refused: its body must come to its end, and its `LoopDone` must lead
    /// out.
    fn refused_loop(&self, node: &Node) -> Option<&'static str> {
        let is_its_end = |id: NodeId| {
            self.routes.node_of(id).is_some_and(
                |end| matches!(end.kind, NodeKind::EndLoop { loop_id } if loop_id == node.id),
            )
        };
        if self
            .routes
            .next(node.id, Some(&Output::LoopDone))
            .is_some_and(is_its_end)
        {
            return Some("its LoopDone leads to its own EndLoop, so it never ends.");
        }
        let (mut seen, mut waiting) = (vec![false; self.prefixes.len()], Vec::new());
        waiting.extend(self.routes.next(node.id, Some(&Output::LoopBody)));
        while let Some(id) = waiting.pop() {
            if is_its_end(id) {
                return None;
            }
            let at = self.routes.position(id);
            if id != node.id && at.is_some_and(|at| is_first_visit(&mut seen, at)) {
                waiting.extend(self.routes.leaving(id).map(|edge| edge.to));
            }
        }
        Some("its body never comes to its EndLoop, so it runs once.")
    }

    fn refused_condition(&self, condition: &Condition) -> Option<&'static str> {
        let sides = [&condition.left, &condition.right];
        let unknown = sides.into_iter().any(|side| match side {
            ValueRef::Variable(name) => {
                let prefix = name.split('.').next().unwrap_or_default();
                !self.set.contains(prefix)
            }
            ValueRef::Literal(_) => false,
        });
        unknown.then_some("its condition asks for a variable that no node sets.")
    }
}
