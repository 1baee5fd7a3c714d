//! Surprises: parts of a workflow that the original program accepts, but that do not do what their author expects. Each
//! causes a warning. New runs are refused for a surprise that only does harm and that occurs in no recorded run of the
//! original.

use std::collections::BTreeSet;

use crate::machine::graph::{Condition, Edge, Node, NodeId, NodeKind, Output, Routes, ValueRef};
use crate::machine::interface::Dialect;
use crate::machine::values::fold;

use super::Finding;

/// The most surprises of a workflow that are reported as warnings.
const SURPRISES_MAX: usize = 200;
/// The most retries that a node may have without a surprise.
///
/// //= seed 002, Node-Level Retries
const RETRIES_MAX: u32 = 10;

/// Something in a workflow that does not do what it seems to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surprise {
    /// The node that is surprising.
    pub node: NodeId,
    /// What is surprising, as part of a sentence about the node.
    pub says: &'static str,
}

/// What validation found in a workflow that can be executed.
#[derive(Debug)]
pub struct Validated {
    /// The position of the node at which the walk begins.
    pub entry: usize,
    /// The surprises, in the order of the nodes.
    pub surprises: Vec<Surprise>,
    /// The first surprise because of which new runs are refused; `None` if there is none.
    pub refused: Option<Finding>,
}

/// Returns the surprises of every node of a workflow whose walk begins at position `entry`.
pub(super) fn look(routes: &Routes, entry: usize, dialect: Dialect) -> Validated {
    let context = Context::of(routes, entry, dialect);
    let (mut surprises, mut refused) = (Vec::new(), None);
    for (at, node) in routes.workflow().nodes.iter().enumerate() {
        for (how, says) in context.surprises(at, node) {
            if how == How::Refused {
                refused.get_or_insert_with(|| Finding::Refused(node.name.clone(), says));
            }
            if surprises.len() < SURPRISES_MAX {
                let node = node.id;
                surprises.push(Surprise { node, says });
            }
        }
    }
    Validated {
        entry,
        surprises,
        refused,
    }
}

/// What follows from a surprise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Told,
    /// It causes a warning, and new runs are refused.
    Refused,
}

/// Marks a position as visited. Returns whether this is its first visit.
fn is_first_visit(visited: &mut [bool], at: usize) -> bool {
    let visited = visited.get_mut(at);
    visited.is_some_and(|visited| !std::mem::replace(visited, true))
}

/// What is known about the whole workflow, for examining its nodes.
struct Context<'routes> {
    routes: &'routes Routes,
    dialect: Dialect,
    /// The prefix of each node's variables, by the node's position; empty for a node that sets none.
    prefixes: Vec<String>,
    /// The prefixes of all variables that are set, and those prefixes that more than one node has.
    set: BTreeSet<String>,
    shared: BTreeSet<String>,
    /// Whether the walk can reach each node, by the node's position.
    reachable: Vec<bool>,
}

impl<'routes> Context<'routes> {
    fn of(routes: &'routes Routes, entry: usize, dialect: Dialect) -> Self {
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
        let setters = nodes.filter(|(node, _)| node.kind.sets_variables());
        let mut names: Vec<&String> = setters.map(|(_, prefix)| prefix).collect();
        names.sort();
        let pairs = names.iter().zip(names.iter().skip(1));
        let twice = pairs.filter(|(one, next)| one == next);
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
            dialect,
            prefixes,
            set,
            shared,
            reachable,
        }
    }

    fn surprises(&self, at: usize, node: &Node) -> Vec<(How, &'static str)> {
        let (sets, retries) = (node.kind.sets_variables(), node.retries > RETRIES_MAX);
        let is_nowhere = |edge: &Edge| self.routes.position(edge.to).is_none();
        let is_labelled = |edge: &Edge| edge.output.is_some();
        let has = |is: &dyn Fn(&Edge) -> bool| self.routes.leaving(node.id).any(is);
        let has_checks = !node.checks.is_empty() || node.expected_outcome.is_some();
        let has_time = node.timeout_ms.is_some() && !matches!(node.kind, NodeKind::AiStep(_));
        let told = |is: bool, says| is.then_some((How::Told, says));
        let refused = |is: bool, says| is.then_some((How::Refused, says));
        let found = [
            refused(
                self.routes.position(node.id) != Some(at),
                "another node has its id, and is executed in its place.",
            ),
            refused(
                has(&is_nowhere),
                "an edge of it leads to a node that does not exist; the run ends there.",
            ),
            told(
                sets && has(&is_labelled),
                "its edge has a label, so it is not followed; the run ends there.",
            ),
            told(
                sets && self.is_shared(at),
                "another node's name is the same as a variable; they overwrite each other.",
            ),
            refused(self.reachable.get(at) != Some(&true), "no way leads to it."),
            match self.dialect {
                Dialect::Seed => refused(retries, "it has more than 10 retries."),
                Dialect::Clickweave | Dialect::Strict => {
                    told(retries, "it has more than 10 retries.")
                }
            },
            self.surprise_of_kind(node),
            told(
                has_checks,
                "its checks change nothing about how the run ends.",
            ),
            told(has_time, "its timeout_ms is not looked at."),
        ];
        found.into_iter().flatten().collect()
    }

    /// Returns whether another node has the same prefix for its variables as the node at this position.
    fn is_shared(&self, at: usize) -> bool {
        let prefix = self.prefixes.get(at);
        prefix.is_some_and(|prefix| self.shared.contains(prefix))
    }

    fn surprise_of_kind(&self, node: &Node) -> Option<(How, &'static str)> {
        let says = match &node.kind {
            NodeKind::Loop {
                max_iterations: 0, ..
            } if self.dialect == Dialect::Clickweave => {
                return Some((
                    How::Told,
                    "its max_iterations is 0, so its body never runs.",
                ));
            }
            NodeKind::Loop { exit_condition, .. } => {
                if let Some(says) = self.refused_loop(node) {
                    return Some((How::Refused, says));
                }
                self.says_of_condition(exit_condition)
            }
            NodeKind::If { condition } => self.says_of_condition(condition),
            NodeKind::Switch { cases } => {
                let default = self.routes.next(node.id, Some(&Output::SwitchDefault));
                if default.is_none() {
                    Some("it has no SwitchDefault; without a match the run ends there.")
                } else {
                    let mut conditions = cases.iter().map(|case| &case.condition);
                    conditions.find_map(|condition| self.says_of_condition(condition))
                }
            }
            _ => None,
        };
        says.map(|says| (How::Told, says))
    }

    /// Returns why a Loop is refused; `None` if its body reaches its end and its `LoopDone` leads out of it.
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

    fn says_of_condition(&self, condition: &Condition) -> Option<&'static str> {
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
