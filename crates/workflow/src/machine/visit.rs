//! Visits of nodes. A control node decides where the walk continues. Any other node is executed, in one or more
//! attempts.

use std::collections::BTreeMap;

use serde_json::json;

use super::budget::{Budget, Refusal};
use super::checks::{Evidence, has_checks};
use super::graph::{Case, Condition, Node, NodeId, NodeKind, Output, Routes};
use super::interface::{Action, Dialect, Outcome, ToolCall};
use super::nodes::{Caches, Fault, Step, Task, TaskContext, evict, warnings};
use super::notice::{ExitReason, NoticeKind, Trace};
use super::values::{
    ArrayAlias, Variables, comparison_steps, fold, holds, told_sides, variables_of,
};

/// The tool that takes a screenshot as evidence for a node's checks.
const SCREENSHOT: &str = "take_screenshot";

/// How often the body of each Loop was executed since the Loop was entered.
///
/// If the walk leaves a Loop's body by another way than the Loop's exit, the count is kept, and continues when the Loop
/// is entered again. In stored orders of the strict dialect, the count restarts.
///
/// //= seed 002, Loop Nodes
#[derive(Debug, Clone, Default)]
pub(super) struct LoopCounters {
    iterations: BTreeMap<NodeId, u32>,
}

/// What a control node has decided.
pub(super) struct Decision {
    /// The notice about the decision; `None` for an `EndLoop`, whose decision is not emitted.
    pub(super) told: Option<NoticeKind>,
    /// The next node; `None` if the route ends here.
    pub(super) next: Option<NodeId>,
    /// Whether the next node is a Loop that is reached from the end of its own body.
    pub(super) is_way_back: bool,
    /// A warning about a surprising decision; `None` for no warning.
    pub(super) warning: Option<&'static str>,
}

/// What a control node can use of the run.
pub(super) struct Asked<'run> {
    pub(super) routes: &'run Routes,
    pub(super) variables: &'run Variables,
    pub(super) dialect: Dialect,
    /// Whether the walk has reached the node, which is a Loop, from the end of its own body.
    pub(super) is_way_back: bool,
    /// The budget that pays for the comparisons.
    pub(super) budget: &'run mut Budget,
    /// The most memory of compared values that may be emitted in full, in bytes.
    pub(super) told_bytes_max: usize,
}

impl Asked<'_> {
    /// Returns whether a condition holds. Fails if the budget does not allow the comparison.
    fn holds(&mut self, condition: &Condition) -> Result<bool, Refusal> {
        let steps = comparison_steps(condition, self.variables);
        self.budget.steps(steps)?;
        Ok(holds(condition, self.variables))
    }
}

impl LoopCounters {
    /// Evaluates a control node. For any other node, the decision has no next node. Fails if too few steps are left for
    /// the comparison.
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

/// The execution of a node in one or more attempts, and the steps after the successful one.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    at: usize,
    /// The number of attempts that have failed so far.
    failed: u32,
    phase: Phase,
    evidence: Evidence,
}

#[derive(Debug, Clone)]
enum Phase {
    Task(Box<Task>),
    /// The task is done, and a screenshot is being taken for the checks.
    Screenshot,
    /// The node is done, and its settling time is passing.
    Settling,
}

/// What the execution of a node needs next, or how it ended.
pub(super) enum Progress {
    Do(Action),
    /// The last attempt failed, and the node may be tried again.
    Retry,
    Completed,
    Failed(Fault),
    Stopped,
}

/// What the execution of a node can use of the run.
pub(super) struct Surroundings<'run> {
    pub(super) node: &'run Node,
    pub(super) dialect: Dialect,
    pub(super) caches: &'run mut Caches,
    pub(super) variables: &'run mut Variables,
    pub(super) trace: &'run mut Trace,
    pub(super) now: kernel::Millis,
    pub(super) nano_usd_left: Option<u64>,
    pub(super) is_stopping: bool,
}

impl Attempt {
    /// Begins the first attempt of a node, which is at position `at` in the workflow.
    pub(super) fn begin(at: usize, around: &mut Surroundings<'_>) -> (Self, Progress) {
        let mut attempt = Self {
            at,
            failed: 0,
            phase: Phase::Settling,
            evidence: Evidence::default(),
        };
        let progress = attempt.try_it(around);
        (attempt, progress)
    }

    /// Returns the position of the node in the workflow.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the tool calls and answers by which a model judges the node's checks.
    pub(super) fn into_evidence(self) -> Evidence {
        self.evidence
    }

    /// Begins another attempt of the node's task.
    pub(super) fn try_it(&mut self, around: &mut Surroundings<'_>) -> Progress {
        let mut told = Vec::new();
        let (task, step) = Task::begin(&mut around.context(&mut told));
        self.phase = Phase::Task(Box::new(task));
        self.tell(told, around);
        self.take(step, around)
    }

    /// Resumes the execution with the outcome of the action that it requested last.
    pub(super) fn resume(&mut self, outcome: Outcome, around: &mut Surroundings<'_>) -> Progress {
        match &mut self.phase {
            Phase::Task(task) => {
                let mut told = Vec::new();
                let step = task.resume(outcome, &mut around.context(&mut told));
                self.tell(told, around);
                self.take(step, around)
            }
            Phase::Screenshot => {
                if let Outcome::Called(Ok(result)) = &outcome {
                    self.evidence.screenshot = result.images().next().cloned();
                    let told = warnings(SCREENSHOT, result).collect();
                    self.tell(told, around);
                }
                self.settle(around)
            }
            Phase::Settling => completed(around),
        }
    }

    fn tell(&mut self, told: Vec<NoticeKind>, around: &mut Surroundings<'_>) {
        let keeps_evidence = has_checks(around.node);
        for kind in told {
            if keeps_evidence {
                self.evidence.note(&kind);
            }
            around.trace.tell_of(around.node, kind);
        }
    }

    fn take(&mut self, step: Step, around: &mut Surroundings<'_>) -> Progress {
        match step {
            Step::Do(action) => Progress::Do(action),
            Step::Stopped => Progress::Stopped,
            Step::Failed(fault) => self.fail(fault, around),
            Step::Done(value) => match set_variables(&value, around) {
                Ok(()) => self.screenshot(around),
                Err(fault) => Progress::Failed(fault),
            },
        }
    }

    fn fail(&mut self, fault: Fault, around: &mut Surroundings<'_>) -> Progress {
        let is_last = self.failed >= around.node.retries;
        // A stop takes effect between nodes. Only in the strict dialect does it also end a node's retries.
        let gives_up = around.is_stopping && around.dialect == Dialect::Strict;
        // The outcome of a begun automaton may be unknown. Such an automaton is never begun again.
        let is_final = fault.is_unknown && matches!(around.node.kind, NodeKind::Automate { .. });
        if is_last || gives_up || is_final {
            return Progress::Failed(fault);
        }
        self.failed += 1;
        evict(around.caches, around.node);
        let retry = NoticeKind::Retry {
            attempt: self.failed,
            error: fault.error,
        };
        self.tell(vec![retry], around);
        Progress::Retry
    }

    /// Requests a screenshot as evidence for the node's checks. A node without checks settles at once.
    fn screenshot(&mut self, around: &mut Surroundings<'_>) -> Progress {
        if !has_checks(around.node) {
            return self.settle(around);
        }
        self.phase = Phase::Screenshot;
        let mut arguments = json!({"format": "png"});
        if let (Some(app), Some(members)) = (around.caches.focused_app(), arguments.as_object_mut())
        {
            members.insert("app_name".to_owned(), app.into());
        }
        Progress::Do(Action::CallTool(ToolCall {
            server: around.node.server.clone(),
            tool: SCREENSHOT.to_owned(),
            arguments: Some(arguments),
        }))
    }

    fn settle(&mut self, around: &mut Surroundings<'_>) -> Progress {
        match around.node.settle_ms {
            Some(ms) if ms > 0 && !around.is_stopping => {
                self.phase = Phase::Settling;
                Progress::Do(Action::Wait { ms })
            }
            _ => completed(around),
        }
    }
}

fn completed(around: &mut Surroundings<'_>) -> Progress {
    around.trace.tell_of(around.node, NoticeKind::NodeCompleted);
    Progress::Completed
}

impl<'run> Surroundings<'run> {
    fn context<'task>(&'task mut self, told: &'task mut Vec<NoticeKind>) -> TaskContext<'task>
    where
        'run: 'task,
    {
        TaskContext {
            node: self.node,
            dialect: self.dialect,
            caches: self.caches,
            told,
            now: self.now,
            nano_usd_left: self.nano_usd_left,
            is_stopping: self.is_stopping,
        }
    }
}

/// Sets the node's variables from its value. Fails if they take too much memory.
fn set_variables(value: &serde_json::Value, around: &mut Surroundings<'_>) -> Result<(), Fault> {
    let alias = match around.node.kind {
        NodeKind::ListWindows { .. } => Some(ArrayAlias::Windows),
        NodeKind::FindText { .. } | NodeKind::FindImage { .. } => Some(ArrayAlias::Matches),
        _ => None,
    };
    let prefix = fold(&around.node.name);
    let set = variables_of(value, alias, around.dialect);
    let is_set = |name: &str| set.iter().any(|(known, _)| *known == name);
    let is_empty_list = value.as_array().is_some_and(Vec::is_empty);
    if around.dialect == Dialect::Strict {
        around.variables.retain_of(&prefix, is_set);
    } else if is_empty_list && around.variables.has_others_of(&prefix, is_set) {
        let says = "its answer is an empty list; the values of an earlier one stay.";
        around
            .trace
            .tell_of(around.node, NoticeKind::Warning(says.to_owned()));
    }
    for (name, value) in set {
        let variable = format!("{prefix}.{name}");
        let notice = NoticeKind::VariableSet {
            variable: variable.clone(),
            value: value.clone(),
        };
        around
            .variables
            .set(variable, value)
            .map_err(|_full| Fault {
                error: "Its values take more memory than a run has.".to_owned(),
                is_unknown: false,
            })?;
        around.trace.tell_of(around.node, notice);
    }
    Ok(())
}
