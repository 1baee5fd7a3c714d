//! The execution of a node: its attempts, and what follows the one that succeeds.

use serde_json::json;

use super::checks::{Evidence, has_checks};
use super::graph::{Node, NodeKind};
use super::interface::{Action, Dialect, Outcome, ToolCall};
use super::nodes::{Caches, Fault, Step, Task, TaskContext, evict, warnings};
use super::notice::{NoticeKind, Trace};
use super::values::{ArrayAlias, Variables, fold, variables_of};

/// The tool that takes the pictures for checks.
const SCREENSHOT: &str = "take_screenshot";

/// The execution of a node, which may take several attempts.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    at: usize,
    /// The number of attempts that have failed.
    failed: u32,
    phase: Phase,
    evidence: Evidence,
}

#[derive(Debug, Clone)]
enum Phase {
    Task(Box<Task>),
    /// The task is done, and a picture for the checks is taken.
    Screenshot,
    /// The node is done, and its time to settle passes.
    Settling,
}

/// The next thing that a node that is executed wants.
pub(super) enum Progress {
    Do(Action),
    /// The node may be tried again.
    Retry,
    Completed,
    Failed(Fault),
    Stopped,
}

/// The part of the run that a node may look at and change beside itself.
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
    /// Begins the first attempt of the node at this position.
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

    /// Returns the position of the node.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the evidence by which the node's checks are judged.
    pub(super) fn into_evidence(self) -> Evidence {
        self.evidence
    }

    /// Begins the task anew.
    pub(super) fn try_it(&mut self, around: &mut Surroundings<'_>) -> Progress {
        let mut told = Vec::new();
        let (task, step) = Task::begin(&mut around.context(&mut told));
        self.phase = Phase::Task(Box::new(task));
        self.tell(told, around);
        self.take(step, around)
    }

    /// Goes on with the outcome of the last action that the node asked for.
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
        // A stop is looked at between nodes, and never interrupts retries.
        let gives_up = around.is_stopping && around.dialect == Dialect::Strict;
        // A click that may have happened is never made twice.
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

    /// Asks for a picture of the screen, for the checks after the run. A node without checks
    /// settles at once.
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

/// Sets the variables that the node's value becomes.
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
