//! A run's calls in flight: carried out at the same time, their answers taken in order.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::StreamExt as _;
use futures::future::{FutureExt as _, LocalBoxFuture};
use futures::stream::FuturesUnordered;

use crate::journal::{Answer, CommandId, Entry, LostCall, PendingCommand, RebuiltRun, RunState};
use crate::session::calls::{
    Attempts, CallCost, CallResult, Executor, Gate, Notices, PhotoInput, Reading,
};
use crate::session::effects::{Effects, WriteError};
use crate::session::photo_pool::HeldPhoto;

use super::journal_writer::JournalWriter;

/// A call that came to its end.
pub(super) type FinishedCall = (PendingCommand, Result<CallResult, WriteError>);

/// The calls of one run.
pub(super) struct InFlight<'run, E> {
    executor: Rc<Executor<'run, E>>,
    journal: &'run JournalWriter<'run, E>,
    calls: FuturesUnordered<LocalBoxFuture<'run, FinishedCall>>,
    gate: Rc<Gate>,
    notices: &'run Notices,
    /// What each has cost so far.
    started: BTreeMap<CommandId, Rc<CallCost>>,
    answers: BTreeMap<CommandId, Answer>,
    /// Calls that were under way when an earlier process ended.
    suspects: BTreeSet<CommandId>,
    /// Fetched photos that could be kept, until they are recognised.
    photos: BTreeMap<CommandId, HeldPhoto>,
}

impl<'run, E: Effects> InFlight<'run, E> {
    /// No call is started; answers that are in the journal and were not handed to the machine are
    /// here.
    pub(super) fn new(
        executor: Executor<'run, E>,
        journal: &'run JournalWriter<'run, E>,
        notices: &'run Notices,
        rebuilt: &RebuiltRun,
    ) -> Self {
        let answers = rebuilt.unhandled_answers().into_iter();
        Self {
            executor: Rc::new(executor),
            journal,
            calls: FuturesUnordered::new(),
            gate: Rc::default(),
            notices,
            started: BTreeMap::new(),
            answers: answers.map(|answer| (answer.command, answer)).collect(),
            suspects: rebuilt.suspects().under_way().clone(),
            photos: BTreeMap::new(),
        }
    }

    /// Whether this command was started or is answered.
    pub(super) fn has(&self, command: CommandId) -> bool {
        self.started.contains_key(&command) || self.answers.contains_key(&command)
    }

    /// Whether no call is started.
    pub(super) fn is_empty(&self) -> bool {
        self.started.is_empty()
    }

    /// Starts a call.
    pub(super) fn start(&mut self, pending: &PendingCommand, state: &RunState) {
        let id = pending.id();
        let photo = self.take_photo(pending, state);
        let cost = Rc::new(CallCost::default());
        self.started.insert(id, cost.clone());
        let (executor, journal, notices) = (self.executor.clone(), self.journal, self.notices);
        let pending = pending.clone();
        let gate = self.gate.clone();
        let is_suspect = self.suspects.contains(&id);
        let call = async move {
            let intend = |attempt, nano_usd| {
                let intent = Entry::intent(id, attempt, pending.key(), nano_usd);
                journal.append(&intent)
            };
            let note_reading = |reading| match reading {
                Reading::Begins if is_suspect => journal.append(&Entry::Reading { command: id.0 }),
                Reading::IsOver if is_suspect => journal.append(&Entry::Read { command: id.0 }),
                Reading::Begins | Reading::IsOver => Ok(()),
            };
            let attempts = Attempts::new(&cost, &gate, notices, &intend, &note_reading);
            let result = executor.execute(pending.command(), photo, attempts).await;
            (pending, result)
        };
        self.calls.push(call.boxed_local());
    }

    fn take_photo(&mut self, pending: &PendingCommand, state: &RunState) -> PhotoInput {
        let Some(fetched_by) = pending.sends_photo_of() else {
            return PhotoInput::None;
        };
        match (self.photos.remove(&fetched_by), state.photo(fetched_by)) {
            (Some(photo), _) => PhotoInput::Held(photo),
            (None, Some(source)) => PhotoInput::FetchAgain(source.clone()),
            (None, None) => PhotoInput::None,
        }
    }

    /// The next call that comes to its end. Waits for ever where none is started.
    pub(super) async fn next(&mut self) -> FinishedCall {
        match self.calls.next().await {
            Some(finished) => {
                self.started.remove(&finished.0.id());
                finished
            }
            None => std::future::pending().await,
        }
    }

    /// Every call that is at its end by now. Nothing more is sent meanwhile.
    pub(super) fn finished_by_now(&mut self) -> Vec<FinishedCall> {
        self.gate.shut();
        let finished = std::iter::from_fn(|| self.next().now_or_never()).collect();
        self.gate.open();
        finished
    }

    /// Holds a call's answer until the machine is given it. It is in the journal by now. Its photo is
    /// kept where there is memory for it.
    pub(super) fn hold(&mut self, result: CallResult) {
        let (answer, photo) = result.into_answer_and_photo();
        if let Some(photo) = photo.and_then(|photo| self.executor.keep(photo)) {
            self.photos.insert(answer.command, photo);
        }
        self.answers.insert(answer.command, answer);
    }

    /// Drops the photos that nobody will send to the recogniser: known ones, and those of searches
    /// that were dropped.
    pub(super) fn retain_photos(&mut self, is_needed: impl Fn(CommandId) -> bool) {
        let answers = &self.answers;
        self.photos
            .retain(|command, _| answers.contains_key(command) || is_needed(*command));
    }

    /// Whether the answer to this command is here.
    pub(super) fn is_answered(&self, command: CommandId) -> bool {
        self.answers.contains_key(&command)
    }

    /// The answer to this command, if it is here.
    pub(super) fn take_answer(&mut self, command: CommandId) -> Option<Answer> {
        self.answers.remove(&command)
    }

    /// The oldest answer that is here.
    pub(super) fn take_oldest_answer(&mut self) -> Option<Answer> {
        self.answers.pop_first().map(|(_, answer)| answer)
    }

    /// Ends every call that is not answered; what was sent of each.
    pub(super) fn cancel(&mut self) -> Vec<LostCall> {
        self.calls.clear();
        self.photos.clear();
        let started = std::mem::take(&mut self.started).into_iter();
        let lost = started.map(|(command, cost)| LostCall {
            command,
            attempts: cost.attempts(),
            throttled: cost.throttled(),
            nano_usd: cost.nano_usd(),
        });
        lost.collect()
    }

    /// Drops the answers that are here: nobody needs them any more. What each has cost.
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
