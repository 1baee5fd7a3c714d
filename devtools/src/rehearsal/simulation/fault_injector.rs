//! Injects faults into a run's operations.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::task::Poll;

use sandbox::SandboxProvider;

/// An external operation of a run, at which a fault can be injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// A journal entry is stored.
    Keep,
    /// An event is stored and sent.
    Publish,
    /// A document is written.
    Put,
    /// A request is sent to this provider or an image host.
    Send(SandboxProvider),
    /// A request is sent to an MCP server.
    Tool,
    /// A child run is begun.
    BeginChild,
    /// The photos recognised in earlier runs are queried.
    Recall,
    /// The photos recognised in this run are stored for other runs.
    Remember,
    /// A browser is started, connected to, looked at, or made to act.
    Browser,
}

/// Whether a fault comes before or after the operation's effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultTiming {
    /// The operation never takes effect.
    Before,
    /// The operation has taken effect, but its caller does not learn of it.
    After,
}

impl FaultTiming {
    /// Both variants, in order.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];
}

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// The process dies.
    Crash,
    /// The operation fails once.
    FailOnce,
    /// This operation and all later ones of its kind fail.
    FailForever,
    /// This operation and all later ones of its kind never return to their callers.
    HangForever,
}

/// A fault to inject, at one operation of a run or at several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    /// The kind of operation that fails; `None` for every kind.
    pub at: Option<Operation>,
    /// The number of the operation among those of its kind, counted from 1 over all processes of a run.
    pub number: u32,
    /// Whether the fault comes before or after the operation's effect.
    pub when: FaultTiming,
    /// The kind of the fault.
    pub kind: FaultKind,
}

/// Waits for ever, like the caller of an operation that never returns.
pub(super) async fn never<T>() -> T {
    std::future::pending().await
}

/// What happens to an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultDecision {
    /// It takes effect and succeeds.
    Proceed,
    /// It fails, with or without its effect.
    Fail(FaultTiming),
    /// It never returns, with or without its effect.
    Hang(FaultTiming),
}

/// Records the operations of a run, and decides which of them fail.
#[derive(Debug, Default)]
pub(super) struct FaultInjector {
    faults: RefCell<Vec<InjectedFault>>,
    operations: RefCell<Vec<Operation>>,
    is_dead: Cell<bool>,
}

impl FaultInjector {
    pub(super) fn new(faults: Vec<InjectedFault>) -> Self {
        Self {
            faults: RefCell::new(faults),
            ..Self::default()
        }
    }

    /// Removes all faults.
    pub(super) fn clear(&self) {
        self.faults.take();
    }

    /// Returns the operations so far, over all processes, in order.
    pub(super) fn operations(&self) -> Vec<Operation> {
        self.operations.borrow().clone()
    }

    /// Returns the number of operations of one kind, or of all.
    fn count(&self, at: Option<Operation>) -> u32 {
        let operations = self.operations.borrow();
        let alike = operations
            .iter()
            .filter(|operation| at.is_none_or(|at| at == **operation));
        u32::try_from(alike.count()).unwrap_or(u32::MAX)
    }

    pub(super) fn decide(&self, operation: Operation) -> FaultDecision {
        if self.is_dead.get() {
            return FaultDecision::Hang(FaultTiming::Before);
        }
        self.operations.borrow_mut().push(operation);
        for fault in self.faults.borrow().iter() {
            if fault.at.is_some_and(|at| at != operation) {
                continue;
            }
            let number = self.count(fault.at);
            let is_now = number == fault.number;
            match fault.kind {
                FaultKind::Crash if is_now => {
                    self.is_dead.set(true);
                    return FaultDecision::Hang(fault.when);
                }
                FaultKind::FailOnce if is_now => return FaultDecision::Fail(fault.when),
                FaultKind::FailForever if number >= fault.number => {
                    return FaultDecision::Fail(fault.when);
                }
                FaultKind::HangForever if number >= fault.number => {
                    return FaultDecision::Hang(fault.when);
                }
                _ => {}
            }
        }
        FaultDecision::Proceed
    }

    /// Runs one process to its end, or returns `None` when it dies.
    pub(super) async fn run_process<T>(&self, process: impl Future<Output = T>) -> Option<T> {
        let mut process = pin!(process);
        std::future::poll_fn(|context| {
            let polled = process.as_mut().poll(context);
            if self.is_dead.replace(false) {
                Poll::Ready(None)
            } else {
                polled.map(Some)
            }
        })
        .await
    }

    pub(super) fn is_dead(&self) -> bool {
        self.is_dead.get()
    }
}
