//! The calls of a run that are in flight. They are executed concurrently, and their answers are taken in order. The
//! journal records them. A failed write to the journal is retried under the same number. If the failed write took
//! effect after all, the retry replaces it.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::StreamExt as _;
use futures::future::{FutureExt as _, LocalBoxFuture};
use futures::stream::FuturesUnordered;

use kernel::{Answer, CommandId, LostCall};
use platform::events::WireEvent;
use platform::{Effects, WriteError};
use providers::calls::{Attempts, CallCost, Gate, Notices, Reading};

use crate::journal::{Entry, RebuiltRun};
use crate::{Engine, ExecutedCall, Executor, PendingCommand, RunState};

/// The most attempts to write to the journal. There are no pauses between them, because the store belongs to the same
/// object and either works or does not.
const WRITE_ATTEMPTS_MAX: u32 = 3;

/// A call that has finished, with its result.
pub(super) type FinishedCall<G, Kept> =
    (PendingCommand<G>, Result<ExecutedCall<G, Kept>, WriteError>);

/// The calls of one run, started or answered.
pub(super) struct InFlight<'run, E, G: Engine, C: Executor<'run, G>> {
    executor: C,
    journal: &'run JournalWriter<'run, E>,
    calls: FuturesUnordered<LocalBoxFuture<'run, FinishedCall<G, C::Kept>>>,
    gate: Rc<Gate>,
    notices: &'run Notices,
    /// The cost so far of each call that was started.
    started: BTreeMap<CommandId, Rc<CallCost>>,
    answers: BTreeMap<CommandId, Answer<G::Outcome>>,
    /// The calls that were in flight when an earlier process ended. They may have caused that end.
    suspects: BTreeSet<CommandId>,
}

impl<'run, E: Effects, G: Engine, C: Executor<'run, G>> InFlight<'run, E, G, C> {
    /// Makes the set of a run's calls. None is started, but it has the answers in the journal that the machine has not
    /// received yet.
    pub(super) fn new(
        executor: C,
        journal: &'run JournalWriter<'run, E>,
        notices: &'run Notices,
        rebuilt: &RebuiltRun<G>,
    ) -> Self {
        let answers = rebuilt.unhandled_answers().into_iter();
        Self {
            executor,
            journal,
            calls: FuturesUnordered::new(),
            gate: Rc::default(),
            notices,
            started: BTreeMap::new(),
            answers: answers.map(|answer| (answer.command, answer)).collect(),
            suspects: rebuilt.suspects().under_way().clone(),
        }
    }

    /// Returns whether the call of this command was started or answered.
    pub(super) fn has(&self, command: CommandId) -> bool {
        self.started.contains_key(&command) || self.answers.contains_key(&command)
    }

    /// Returns whether there are no calls in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.started.is_empty()
    }

    /// Starts the call of a pending command.
    pub(super) fn start(&mut self, pending: &PendingCommand<G>, state: &RunState<G>) {
        let id = pending.id();
        let prepared = self.executor.prepare(pending, state);
        let cost = Rc::new(CallCost::default());
        self.started.insert(id, cost.clone());
        let (journal, notices) = (self.journal, self.notices);
        let pending = pending.clone();
        let gate = self.gate.clone();
        let is_suspect = self.suspects.contains(&id);
        let call = async move {
            let intend = |attempt, nano_usd| {
                let intent = Entry::<G>::intent(id, attempt, pending.key(), nano_usd);
                journal.append(&intent)
            };
            let note_reading = |reading| match reading {
                Reading::Begins if is_suspect => {
                    journal.append(&Entry::<G>::Reading { command: id })
                }
                Reading::IsOver if is_suspect => journal.append(&Entry::<G>::Read { command: id }),
                Reading::Begins | Reading::IsOver => Ok(()),
            };
            let attempts = Attempts::new(&cost, &gate, notices, &intend, &note_reading);
            let result = C::execute(prepared, pending.command(), attempts).await;
            (pending, result)
        };
        self.calls.push(call.boxed_local());
    }

    /// Waits for the next call that finishes. Waits forever if no call is in flight.
    pub(super) async fn next(&mut self) -> FinishedCall<G, C::Kept> {
        match self.calls.next().await {
            Some(finished) => {
                self.started.remove(&finished.0.id());
                finished
            }
            None => std::future::pending().await,
        }
    }

    /// Returns every call that has finished by now. While they are collected, no call sends anything more.
    pub(super) fn finished_by_now(&mut self) -> Vec<FinishedCall<G, C::Kept>> {
        self.gate.shut();
        let finished = std::iter::from_fn(|| self.next().now_or_never()).collect();
        self.gate.open();
        finished
    }

    /// Holds the journaled answer to a call until the machine receives it. The executor keeps the value that arrived
    /// with the answer, if the executor's limit allows that.
    pub(super) fn hold(&mut self, result: ExecutedCall<G, C::Kept>) {
        let (answer, kept) = result.into_parts();
        if let Some(kept) = kept {
            self.executor.keep(answer.command, kept);
        }
        self.answers.insert(answer.command, answer);
    }

    /// Drops the values that the executor has kept and that no later command sends.
    pub(super) fn drop_unneeded(&mut self, state: &RunState<G>) {
        let answers = &self.answers;
        self.executor
            .drop_unneeded(state, |command| answers.contains_key(&command));
    }

    /// Returns the outcome of a call that must not be sent again.
    pub(super) fn passed_over(&self, pending: &PendingCommand<G>) -> G::Outcome {
        self.executor.passed_over(&pending.command().action)
    }

    /// Closes what the executor has open outside this process.
    pub(super) async fn close(&self) {
        self.executor.close().await;
    }

    /// Returns whether this command has an answer that the machine has not received yet.
    pub(super) fn is_answered(&self, command: CommandId) -> bool {
        self.answers.contains_key(&command)
    }

    /// Takes the answer to this command, if it has arrived.
    pub(super) fn take_answer(&mut self, command: CommandId) -> Option<Answer<G::Outcome>> {
        self.answers.remove(&command)
    }

    /// Takes the oldest answer that has arrived.
    pub(super) fn take_oldest_answer(&mut self) -> Option<Answer<G::Outcome>> {
        self.answers.pop_first().map(|(_, answer)| answer)
    }

    /// Cancels every call without an answer, and returns what each of them has sent.
    pub(super) fn cancel(&mut self) -> Vec<LostCall> {
        self.calls.clear();
        self.executor.drop_all();
        let started = std::mem::take(&mut self.started).into_iter();
        let lost = started.map(|(command, cost)| LostCall {
            command,
            attempts: cost.attempts(),
            throttled: cost.throttled(),
            nano_usd: cost.nano_usd(),
        });
        lost.collect()
    }

    /// Drops the answers that have arrived but are no longer needed, and returns the cost of each.
    pub(super) fn drop_answers(&mut self) -> Vec<LostCall> {
        let answers = std::mem::take(&mut self.answers).into_values();
        let dropped = answers.map(|answer| LostCall {
            command: answer.command,
            attempts: answer.attempts,
            throttled: answer.throttled,
            nano_usd: answer.nano_usd,
        });
        dropped.collect()
    }
}

/// The writer of a run's journal, which also numbers the entries.
pub struct JournalWriter<'run, E> {
    effects: &'run E,
    entries: Cell<u32>,
}

impl<'run, E: Effects> JournalWriter<'run, E> {
    /// Makes a writer for a journal that already has this number of entries.
    pub(super) fn new(effects: &'run E, entries: u32) -> Self {
        Self {
            effects,
            entries: Cell::new(entries),
        }
    }

    /// Writes an entry to the journal under the next number.
    pub fn append<G: Engine>(&self, entry: &Entry<G>) -> Result<(), WriteError> {
        let number = self.entries.get().saturating_add(1);
        let json = entry.to_json();
        try_again(|| self.effects.keep(number, &json))?;
        self.entries.set(number);
        Ok(())
    }

    /// Stores an event, then shows it to viewers.
    pub(super) fn publish(&self, event: &WireEvent) -> Result<(), WriteError> {
        try_again(|| self.effects.publish(event.clone()))
    }
}

fn try_again(write: impl Fn() -> Result<(), WriteError>) -> Result<(), WriteError> {
    (0..WRITE_ATTEMPTS_MAX)
        .map(|_| write())
        .find(Result::is_ok)
        .unwrap_or(Err(WriteError))
}
