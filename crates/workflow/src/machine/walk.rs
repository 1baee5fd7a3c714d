//! The decisions of control nodes: where the walk goes from them.

use std::collections::BTreeMap;

use super::budget::{Budget, Refusal};
use super::graph::{Case, Condition, Node, NodeId, NodeKind, Output, Routes};
use super::interface::Dialect;
use super::notice::{ExitReason, NoticeKind};
use super::values::{Variables, comparison_steps, holds, told_sides};

/// The number of times that the body of each loop ran since the loop was entered.
///
/// A loop that is left without its exit keeps its count, and goes on from it when it is entered
/// again; in stored orders of the strict dialect it begins anew.
///
/// //= seed 002, Loop Nodes
#[derive(Debug, Clone, Default)]
pub(super) struct LoopCounters {
    iterations: BTreeMap<NodeId, u32>,
}

/// A decision of a control node.
pub(super) struct Decision {
    /// The notice that is told of the decision; `None` for the end of a loop.
    pub(super) told: Option<NoticeKind>,
    /// The node that comes next; `None` where the way ends.
    pub(super) next: Option<NodeId>,
    /// Whether the next node is a Loop whose body has ended.
    pub(super) is_way_back: bool,
    /// The warning about a surprise.
    pub(super) warning: Option<&'static str>,
}

/// The part of the run with which a control node is asked.
pub(super) struct Asked<'run> {
    pub(super) routes: &'run Routes,
    pub(super) variables: &'run Variables,
    pub(super) dialect: Dialect,
    /// Whether the walk comes from the end of the node's own body.
    pub(super) is_way_back: bool,
    /// The budget that pays for what is compared.
    pub(super) budget: &'run mut Budget,
    /// How much of what is compared is told whole, in bytes of memory.
    pub(super) told_bytes_max: usize,
}

impl Asked<'_> {
    /// Returns whether a condition holds. What the condition compares is paid for first.
    fn holds(&mut self, condition: &Condition) -> Result<bool, Refusal> {
        let steps = comparison_steps(condition, self.variables);
        self.budget.steps(steps)?;
        Ok(holds(condition, self.variables))
    }
}

impl LoopCounters {
    /// Asks a control node for the way; any other node has none. Fails where the run has no steps
    /// left for what has to be compared.
    pub(super) fn decide(
        &mut self,
        node: &Node,
        asked: &mut Asked<'_>,
    ) -> Result<Decision, Refusal> {
        Ok(match &node.kind {
            NodeKind::If { condition } => decide_if(node, condition, asked)?,
            NodeKind::Switch { cases } => decide_switch(node, cases, asked)?,
            NodeKind::Loop {
                exit_condition,
                max_iterations,
            } => self.decide_loop(node, exit_condition, *max_iterations, asked)?,
            NodeKind::EndLoop { loop_id } => Decision {
                is_way_back: true,
                ..Decision::to(None, Some(*loop_id))
            },
            _ => Decision::to(None, None),
        })
    }

    fn decide_loop(
        &mut self,
        node: &Node,
        exit: &Condition,
        iterations_max: u32,
        asked: &mut Asked<'_>,
    ) -> Result<Decision, Refusal> {
        let mut warning = None;
        if !asked.is_way_back && self.iterations.contains_key(&node.id) {
            if asked.dialect == Dialect::Strict {
                self.iterations.remove(&node.id);
            } else {
                warning =
                    Some("it was left without its exit before, and goes on counting from there.");
            }
        }
        let iteration = self.iterations.get(&node.id).copied().unwrap_or(0);
        let is_over = iteration >= iterations_max;
        let reason = if is_over && asked.dialect == Dialect::Clickweave {
            Some(ExitReason::MaxIterations)
        } else if iteration == 0 {
            None
        } else if asked.holds(exit)? {
            Some(ExitReason::ConditionMet)
        } else {
            is_over.then_some(ExitReason::MaxIterations)
        };
        let (told, output) = if let Some(reason) = reason {
            self.iterations.remove(&node.id);
            let told = NoticeKind::LoopExited {
                reason,
                iterations_completed: iteration,
            };
            (told, Output::LoopDone)
        } else {
            self.iterations.insert(node.id, iteration.saturating_add(1));
            (NoticeKind::LoopIteration { iteration }, Output::LoopBody)
        };
        Ok(Decision {
            warning,
            ..Decision::to(Some(told), asked.routes.next(node.id, Some(&output)))
        })
    }
}

impl Decision {
    fn to(told: Option<NoticeKind>, next: Option<NodeId>) -> Self {
        Self {
            told,
            next,
            is_way_back: false,
            warning: None,
        }
    }
}

fn decide_if(
    node: &Node,
    condition: &Condition,
    asked: &mut Asked<'_>,
) -> Result<Decision, Refusal> {
    let holds = asked.holds(condition)?;
    let (left, right) = told_sides(condition, asked.variables, asked.told_bytes_max);
    let output = if holds {
        Output::IfTrue
    } else {
        Output::IfFalse
    };
    let told = NoticeKind::BranchEvaluated {
        resolved: Some((left, right, holds)),
        output: output.to_string(),
    };
    let next = asked.routes.next(node.id, Some(&output));
    Ok(Decision::to(Some(told), next))
}

fn decide_switch(node: &Node, cases: &[Case], asked: &mut Asked<'_>) -> Result<Decision, Refusal> {
    let mut output = Output::SwitchDefault;
    for case in cases {
        if asked.holds(&case.condition)? {
            output = Output::SwitchCase(case.name.clone());
            break;
        }
    }
    let next = asked.routes.next(node.id, Some(&output));
    let told = NoticeKind::BranchEvaluated {
        resolved: None,
        output: output.to_string(),
    };
    let no_match = "no case holds and there is no SwitchDefault; the run ends here.";
    Ok(Decision {
        warning: next.is_none().then_some(no_match),
        ..Decision::to(Some(told), next)
    })
}
