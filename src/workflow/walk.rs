//! Where the walk goes from a control node.

use super::dialect::Dialect;
use super::graph::{Case, Condition, Node, NodeId, NodeKind, Output, Routes};
use super::interface::{ExitReason, NoticeKind};
use super::values::{Variables, comparison_steps, holds, resolve};
use crate::sorted::SortedMap;

/// How often the body of each loop ran since it was entered.
///
/// A loop that is left without its exit keeps its count, and goes on from it when it is entered
/// again; the strict dialect begins anew.
#[derive(Debug, Clone, Default)]
pub(super) struct LoopCounters {
    iterations: SortedMap<NodeId, u32>,
}

/// A decision of a control node.
pub(super) struct Decision {
    /// What is told of it; nothing of the end of a loop.
    pub(super) told: Option<NoticeKind>,
    /// The node that comes next; none where the way ends.
    pub(super) next: Option<NodeId>,
    /// Whether the next one is a Loop whose body has ended.
    pub(super) is_way_back: bool,
    /// What surprises.
    pub(super) warning: Option<&'static str>,
    /// What it took beside the visit.
    pub(super) steps: u32,
}

/// What a control node is asked with.
pub(super) struct Asked<'run> {
    pub(super) routes: &'run Routes,
    pub(super) variables: &'run Variables,
    pub(super) dialect: Dialect,
    /// Whether the walk comes from the end of the node's own body.
    pub(super) is_way_back: bool,
}

impl LoopCounters {
    /// Asks a control node for the way; of any other node there is none.
    pub(super) fn decide(&mut self, node: &Node, asked: &Asked<'_>) -> Decision {
        let steps = |condition: &Condition| comparison_steps(condition, asked.variables);
        match &node.kind {
            NodeKind::If { condition } => {
                let decision = decide_if(node, condition, asked);
                decision.after(steps(condition))
            }
            NodeKind::Switch { cases } => {
                let all = cases.iter().map(|case| steps(&case.condition));
                let all = all.fold(0, u32::saturating_add);
                decide_switch(node, cases, asked).after(all)
            }
            NodeKind::Loop {
                exit_condition,
                max_iterations,
            } => {
                let decision = self.decide_loop(node, exit_condition, *max_iterations, asked);
                decision.after(steps(exit_condition))
            }
            NodeKind::EndLoop { loop_id } => Decision {
                is_way_back: true,
                ..Decision::to(None, Some(*loop_id))
            },
            _ => Decision::to(None, None),
        }
    }

    fn decide_loop(
        &mut self,
        node: &Node,
        exit: &Condition,
        iterations_max: u32,
        asked: &Asked<'_>,
    ) -> Decision {
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
        let is_met = || iteration > 0 && holds(exit, asked.variables);
        let is_over = iteration >= iterations_max;
        let reason = match asked.dialect {
            Dialect::Clickweave if is_over => Some(ExitReason::MaxIterations),
            _ if is_met() => Some(ExitReason::ConditionMet),
            _ if is_over => Some(ExitReason::MaxIterations),
            _ => None,
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
        Decision {
            warning,
            ..Decision::to(Some(told), asked.routes.next(node.id, Some(&output)))
        }
    }
}

impl Decision {
    fn to(told: Option<NoticeKind>, next: Option<NodeId>) -> Self {
        Self {
            told,
            next,
            is_way_back: false,
            warning: None,
            steps: 0,
        }
    }

    /// The same, after so many steps.
    fn after(self, steps: u32) -> Self {
        Self { steps, ..self }
    }
}

fn decide_if(node: &Node, condition: &Condition, asked: &Asked<'_>) -> Decision {
    let resolved = resolve(condition, asked.variables);
    let output = if resolved.holds {
        Output::IfTrue
    } else {
        Output::IfFalse
    };
    let told = NoticeKind::BranchEvaluated {
        resolved: Some((resolved.left, resolved.right, resolved.holds)),
        output: output.to_string(),
    };
    Decision::to(Some(told), asked.routes.next(node.id, Some(&output)))
}

fn decide_switch(node: &Node, cases: &[Case], asked: &Asked<'_>) -> Decision {
    let mut cases = cases.iter();
    let taken = cases.find(|case| holds(&case.condition, asked.variables));
    let output = match taken {
        Some(case) => Output::SwitchCase(case.name.clone()),
        None => Output::SwitchDefault,
    };
    let next = asked.routes.next(node.id, Some(&output));
    let told = NoticeKind::BranchEvaluated {
        resolved: None,
        output: output.to_string(),
    };
    let no_match = "no case holds and there is no SwitchDefault; the run ends here.";
    Decision {
        warning: next.is_none().then_some(no_match),
        ..Decision::to(Some(told), next)
    }
}
