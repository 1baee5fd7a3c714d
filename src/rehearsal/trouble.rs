//! What goes wrong around a run, and when.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::task::Poll;

use crate::sandbox::SandboxProvider;

/// What a run does outside, each a place where something can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Keeping a journal entry.
    Keep,
    /// Keeping and showing an event.
    Publish,
    /// Writing a document.
    Put,
    /// Sending a request to this provider, or to an image host.
    Send(SandboxProvider),
}

/// Whether the operation has taken effect when the trouble comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// It has not.
    Before,
    /// It has, and nobody is told.
    After,
}

impl When {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];
}

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The process ends.
    Crash,
    /// This one operation fails.
    FailOnce,
    /// It and all like it fail from then on.
    FailForever,
    /// It never comes back, and all like it from then on.
    HangForever,
}

/// One trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trouble {
    /// At which kind of operation; none is any.
    pub at: Option<Operation>,
    /// At the how manieth of them, from 1, counted over all processes of a run.
    pub number: u32,
    /// Before or after its effect.
    pub when: When,
    /// What happens.
    pub kind: Kind,
}

/// What an operation shall do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Take effect and succeed.
    Fine,
    /// Fail, with its effect or without.
    Fail(When),
    /// Take effect or not, and never come back.
    Never(When),
}

/// Notes operations and says what becomes of each.
#[derive(Debug, Default)]
pub(super) struct Fortune {
    troubles: RefCell<Vec<Trouble>>,
    operations: RefCell<Vec<Operation>>,
    is_dead: Cell<bool>,
}

impl Fortune {
    pub(super) fn new(troubles: Vec<Trouble>) -> Self {
        Self {
            troubles: RefCell::new(troubles),
            ..Self::default()
        }
    }

    /// From now on nothing goes wrong.
    pub(super) fn lift(&self) {
        self.troubles.take();
    }

    /// The operations so far, over all processes, in order.
    pub(super) fn operations(&self) -> Vec<Operation> {
        self.operations.borrow().clone()
    }

    /// How many operations there were, of one kind or of all.
    fn count(&self, at: Option<Operation>) -> u32 {
        let operations = self.operations.borrow();
        let alike = operations
            .iter()
            .filter(|operation| at.is_none_or(|at| at == **operation));
        u32::try_from(alike.count()).unwrap_or(u32::MAX)
    }

    pub(super) fn of_next(&self, operation: Operation) -> Fate {
        if self.is_dead.get() {
            return Fate::Never(When::Before);
        }
        self.operations.borrow_mut().push(operation);
        for trouble in self.troubles.borrow().iter() {
            if trouble.at.is_some_and(|at| at != operation) {
                continue;
            }
            let number = self.count(trouble.at);
            let is_now = number == trouble.number;
            match trouble.kind {
                Kind::Crash if is_now => {
                    self.is_dead.set(true);
                    return Fate::Never(trouble.when);
                }
                Kind::FailOnce if is_now => return Fate::Fail(trouble.when),
                Kind::FailForever if number >= trouble.number => return Fate::Fail(trouble.when),
                Kind::HangForever if number >= trouble.number => return Fate::Never(trouble.when),
                _ => {}
            }
        }
        Fate::Fine
    }

    /// One process to its end; none where it dies before, as soon as that is so.
    pub(super) async fn of_life<T>(&self, life: impl Future<Output = T>) -> Option<T> {
        let mut life = pin!(life);
        std::future::poll_fn(|context| {
            let polled = life.as_mut().poll(context);
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
