//! Conducts a run from its beginning, or from the end of its journal, until everything is written.
//!
//! The conductor passes inputs to the machine, has the machine's commands executed, publishes its events and has its
//! documents written. It makes no decisions about the search itself.
//!
//! Everything is journaled before it has an effect, in the order that [`crate::journal`] describes. Commands are
//! executed concurrently. The machine receives their answers in the order of the commands; when the run is ending, it
//! receives only those that have arrived.

mod documents;
mod event_log;
mod in_flight;
mod resume;

use std::collections::BTreeSet;
use std::pin::pin;

use futures::future::{Either, FutureExt as _, join, select};

use domain::RunToken;
use kernel::{Answer, CommandId, Input, LostCall, Millis};
use platform::events::WireEvent;
use platform::{Effects, WriteError};
use providers::calls::{CallResult, Notices};

use crate::journal::{AnswerEntry, Entry, RebuiltRun};
use crate::store::{CallRecord, CallState, Keys, RunMeta, WriteLimits};
use crate::{Engine, ExecutedCall, Executor, InheritedAnswers, PendingCommand, RunState};

use documents::DocumentQueue;
use in_flight::{FinishedCall, InFlight, JournalWriter};
use resume::RunRecord;

pub use event_log::{EventLog, StopSwitch};
pub use resume::{SavedRun, conduct, lacking};

/// How the conducting of a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConductOutcome {
    /// The run has ended, and everything is written.
    Done,
    /// The run has ended, but its last documents could not be written yet.
    Unwritten,
    /// The run cannot continue. The text is the JSON of the run's last event, which its record in KV does not reflect
    /// yet.
    Interrupted(String),
}

/// How long a run's record is stored, and how often it may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordLimits {
    /// How long each document is stored, in seconds.
    pub time_to_live_s: u64,
    /// The most writes of one run to KV.
    pub kv_writes_max: u32,
}

/// Conducts a run from the end of its journal to its last event and last writes.
async fn run_to_end<'run, E: Effects, G: Engine>(
    effects: &'run E,
    run: &RunToken,
    rebuilt: RebuiltRun<G>,
    executor: impl Executor<'run, G>,
    journal: &'run JournalWriter<'run, E>,
    notices: &'run Notices,
    limits: RecordLimits,
) -> Result<ConductOutcome, WriteError> {
    let keys = Keys::new(run.session(), run.run());
    let write_limits = WriteLimits {
        writes_max: limits.kv_writes_max,
        runtime_ms_max: G::runtime_ms_max(rebuilt.state().machine()),
    };
    let (documents, writer) =
        DocumentQueue::new(effects, keys, rebuilt.last_document(), write_limits);
    let start = StartPoint::of(&rebuilt);
    let in_flight = InFlight::new(executor, journal, notices, &rebuilt);
    let progress = Progress::of(&rebuilt, limits.time_to_live_s);
    let passed_over = rebuilt.suspects().ended_a_process();
    let (state, inherited) = rebuilt.into_state();
    let conductor = Conductor {
        effects,
        journal,
        state,
        inherited,
        passed_over,
        is_stopped: false,
        record: RunRecord::new(effects, journal, progress, documents),
        notices,
        in_flight,
    };
    // Documents are written concurrently, so that a slow store does not delay the search.
    let (result, ()) = join(conductor.run(start), writer.write_all()).await;
    result
}

struct Conductor<'run, E, G: Engine, C: Executor<'run, G>> {
    effects: &'run E,
    journal: &'run JournalWriter<'run, E>,
    state: RunState<G>,
    inherited: InheritedAnswers<G>,
    /// The calls that ended two processes while their answers were read. They are not sent again.
    passed_over: BTreeSet<CommandId>,
    /// Whether the machine has received the user's stop.
    is_stopped: bool,
    record: RunRecord<'run, E, G>,
    /// Sentences for viewers that do not come from the machine.
    notices: &'run Notices,
    in_flight: InFlight<'run, E, G, C>,
}

impl<'run, E: Effects, G: Engine, C: Executor<'run, G>> Conductor<'run, E, G, C> {
    async fn run(mut self, start: StartPoint) -> Result<ConductOutcome, WriteError> {
        let searched = self.search(start).await;
        // The last event was published before this point, so these writes do not delay it.
        self.record.write_end(&self.state).await;
        searched?;
        let outcome = if self.record.has_failed() {
            ConductOutcome::Unwritten
        } else {
            self.journal.append(&Entry::<G>::Closed {})?;
            ConductOutcome::Done
        };
        // After an error, this point is not reached: the run is resumed later and then needs what it has open outside
        // this process.
        self.in_flight.close().await;
        Ok(outcome)
    }

    async fn search(&mut self, start: StartPoint) -> Result<(), WriteError> {
        self.begin(start)?;
        loop {
            self.record.write_when_due(&self.state)?;
            if self.state.is_withdrawing() && self.withdraw()? {
                continue;
            }
            self.tell_notices()?;
            // Stops are checked first, so that no further call begins after a stop.
            if self.state.pending().next().is_some() && self.is_to_stop() {
                self.stop()?;
            }
            if let Some(answer) = self.next_answer() {
                self.give(Input::Answer(answer))?;
                self.in_flight.drop_unneeded(&self.state);
                self.note_failed_write();
                continue;
            }
            self.start_calls()?;
            if self.next_is_answered() {
                continue;
            }
            if self.in_flight.is_empty() {
                return Ok(());
            }
            match self.next_change().await {
                Change::Stopped => self.stop()?,
                Change::Finished(finished) => {
                    let (pending, result) = *finished;
                    self.receive(&pending, result?)?;
                }
                Change::Noticed => {}
            }
        }
    }

    /// Once the end is decided, passes the machine an answer that has arrived, because it was paid for. If no answer
    /// is left, ends the calls and returns false.
    fn withdraw(&mut self) -> Result<bool, WriteError> {
        for (pending, result) in self.in_flight.finished_by_now() {
            self.receive(&pending, result?)?;
        }
        if let Some(answer) = self.in_flight.take_oldest_answer() {
            self.give(Input::Answer(answer))?;
            return Ok(true);
        }
        let lost = self.end_calls();
        self.give(Input::Withdrawn { lost })?;
        Ok(false)
    }

    /// Waits for the user's stop, the end of a call, a sentence for viewers, or the time to write documents, whichever
    /// comes first.
    async fn next_change(&mut self) -> Change<G, C::Kept> {
        let (effects, is_stopped) = (self.effects, self.is_stopped);
        let stop = pin!(async move {
            if is_stopped {
                return std::future::pending().await;
            }
            effects.stop_requested().await;
        });
        let call = pin!(self.in_flight.next());
        let notice = pin!(self.notices.wait());
        let told = select(notice, self.record.due());
        match select(stop, select(call, told)).await {
            Either::Left(_) => Change::Stopped,
            Either::Right((Either::Left((finished, _)), _)) => Change::Finished(Box::new(finished)),
            Either::Right((Either::Right(_), _)) => Change::Noticed,
        }
    }

    /// Starts or resumes the run. When resuming, calls in flight count as lost, and answers that were already
    /// received are passed to the machine.
    fn begin(&mut self, start: StartPoint) -> Result<(), WriteError> {
        match start {
            StartPoint::New => self.give(Input::Start),
            StartPoint::Resumed { .. } if self.state.is_ended() => Ok(()),
            StartPoint::Resumed { lost } => {
                for call in &lost {
                    if let Some(pending) = self.state.pending_command(call.command) {
                        self.record.progress().note_lost::<G>(pending.key(), call);
                    }
                }
                self.give(Input::Resumed { lost })
            }
        }
    }

    /// Starts every pending command that was not started yet.
    fn start_calls(&mut self) -> Result<(), WriteError> {
        let is_new = |pending: &&PendingCommand<G>| !self.in_flight.has(pending.id());
        let new: Vec<PendingCommand<G>> = self.state.pending().filter(is_new).cloned().collect();
        for pending in new {
            match self.result_without_asking(&pending) {
                Some(result) => self.receive(&pending, result)?,
                None => self.in_flight.start(&pending, &self.state),
            }
        }
        Ok(())
    }

    fn result_without_asking(
        &mut self,
        pending: &PendingCommand<G>,
    ) -> Option<ExecutedCall<G, C::Kept>> {
        if self.passed_over.contains(&pending.id()) {
            let outcome = self.in_flight.passed_over(pending);
            return Some(CallResult::passed_over(pending.id(), outcome));
        }
        let outcome = self.inherited.answer(pending.key())?;
        Some(CallResult::reused(pending.id(), outcome))
    }

    /// Takes the answer to the oldest pending command, if it has arrived.
    fn next_answer(&mut self) -> Option<Answer<G::Outcome>> {
        let oldest = self.state.pending().next()?.id();
        self.in_flight.take_answer(oldest)
    }

    fn next_is_answered(&self) -> bool {
        let oldest = self.state.pending().next();
        oldest.is_some_and(|pending| self.in_flight.is_answered(pending.id()))
    }

    /// Journals the answer to a call before the answer has any effect.
    fn receive(
        &mut self,
        pending: &PendingCommand<G>,
        result: ExecutedCall<G, C::Kept>,
    ) -> Result<(), WriteError> {
        let (key, answer, source) = (pending.key(), result.answer(), result.source());
        let entry = AnswerEntry::new(key.clone(), answer, source.clone());
        self.journal.append(&Entry::<G>::Answer(entry))?;
        let provider = source.provider.clone();
        self.record
            .progress()
            .note_answer::<G>(key, answer, provider, source.is_reused);
        self.in_flight.hold(result);
        Ok(())
    }

    fn is_to_stop(&self) -> bool {
        !self.is_stopped && self.effects.stop_requested().now_or_never().is_some()
    }

    /// Passes the user's stop to the machine. Called only once.
    fn stop(&mut self) -> Result<(), WriteError> {
        self.is_stopped = true;
        let lost = if G::STOP_ENDS_CALLS {
            self.end_calls()
        } else {
            Vec::new()
        };
        self.give(Input::Stop { lost })
    }

    /// Ends all calls in flight. Those without an answer are recorded as withdrawn.
    fn end_calls(&mut self) -> Vec<LostCall> {
        let withdrawn = self.in_flight.cancel();
        for call in &withdrawn {
            if let Some(pending) = self.state.pending_command(call.command) {
                self.record
                    .progress()
                    .note_withdrawn::<G>(pending.key(), call);
            }
        }
        let mut lost = self.in_flight.drop_answers();
        lost.extend(withdrawn);
        lost.sort_by_key(|call| call.command);
        lost
    }

    /// Emits a remark for viewers, once, if the record could not be written.
    fn note_failed_write(&self) {
        if self.record.has_failed() {
            let remark = "The run's record could not be written; the search goes on.";
            self.notices.tell_once(remark.to_owned());
        }
    }

    fn tell_notices(&mut self) -> Result<(), WriteError> {
        while !self.state.is_ended()
            && let Some(remark) = self.notices.take()
        {
            self.give(Input::Remark(remark))?;
        }
        Ok(())
    }

    /// Journals an input, passes it to the machine, and publishes the resulting events.
    fn give(&mut self, input: Input<G::Outcome>) -> Result<(), WriteError> {
        let now = Millis(self.effects.now_ms());
        self.journal.append(&Entry::<G>::input(&input, now))?;
        self.record.note_change();
        if matches!(input, Input::Start) {
            self.record.progress().start(now);
        }
        let events = self.state.handle(input, now).map_err(|_| WriteError)?;
        for event in events {
            self.record.progress().note_event(&event);
            self.journal.publish(&event)?;
        }
        Ok(())
    }
}

/// What ends the wait of a run.
enum Change<G: Engine, Kept> {
    Stopped,
    Finished(Box<FinishedCall<G, Kept>>),
    Noticed,
}

/// The point from which this process starts the run.
enum StartPoint {
    New,
    Resumed { lost: Vec<LostCall> },
}

impl StartPoint {
    fn of<G: Engine>(rebuilt: &RebuiltRun<G>) -> Self {
        if rebuilt.started().is_none() {
            return Self::New;
        }
        // Each of these calls may have been answered and charged, so it counts as lost.
        let lost = rebuilt.in_flight().cloned();
        Self::Resumed {
            lost: lost.collect(),
        }
    }
}

/// A run's meta document, which changes as the run progresses.
#[derive(Debug)]
struct Progress {
    meta: RunMeta,
    time_to_live_s: u64,
}

impl Progress {
    /// Returns the progress that a run has made according to its journal.
    fn of<G: Engine>(rebuilt: &RebuiltRun<G>, time_to_live_s: u64) -> Self {
        let mut progress = Self {
            meta: RunMeta {
                forked_from: rebuilt.opened().forked_from.clone(),
                ..RunMeta::default()
            },
            time_to_live_s,
        };
        progress.start(rebuilt.started().unwrap_or_default());
        for received in rebuilt.answers() {
            let provider = received.provider().map(str::to_owned);
            let is_reused = received.is_reused();
            progress.note_answer::<G>(received.key(), received.answer(), provider, is_reused);
        }
        for (call, key) in rebuilt.lost() {
            progress.note_lost::<G>(key, call);
        }
        for (call, key) in rebuilt.withdrawn() {
            progress.note_withdrawn::<G>(key, call);
        }
        for event in rebuilt.events() {
            progress.note_event(event);
        }
        progress
    }

    /// Returns the meta document as of now.
    fn meta(&self) -> &RunMeta {
        &self.meta
    }

    /// Records the start of the run. The run's time to live is counted from it.
    fn start(&mut self, now: Millis) {
        let kept_ms = self.time_to_live_s.saturating_mul(1_000);
        self.meta.started = now;
        self.meta.expires = Millis(now.0.saturating_add(kept_ms));
    }

    /// Records an event. If it is the last event, it determines how the run ended.
    fn note_event(&mut self, event: &WireEvent) {
        if !event.is_last {
            return;
        }
        self.meta.ended_with = Some(event.kind);
        self.meta.ended_because = event.because();
    }

    /// Records that a call was answered, either by its provider or from an earlier run.
    fn note_answer<G: Engine>(
        &mut self,
        key: &G::Key,
        answer: &Answer<G::Outcome>,
        provider: Option<String>,
        is_reused: bool,
    ) {
        let state = if is_reused {
            CallState::Reused
        } else if G::is_success(&answer.outcome) {
            CallState::Answered
        } else {
            CallState::Failed
        };
        self.note::<G>(answer.command, key, provider, answer.attempts, state);
    }

    /// Records that the answer to a call was lost because its process ended.
    fn note_lost<G: Engine>(&mut self, key: &G::Key, lost: &LostCall) {
        self.note::<G>(lost.command, key, None, lost.attempts, CallState::Lost);
    }

    /// Records that a call was ended before its answer arrived because the answer was no longer needed.
    fn note_withdrawn<G: Engine>(&mut self, key: &G::Key, call: &LostCall) {
        if call.attempts > 0 {
            self.note::<G>(call.command, key, None, call.attempts, CallState::Withdrawn);
        }
    }

    fn note<G: Engine>(
        &mut self,
        command: CommandId,
        key: &G::Key,
        provider: Option<String>,
        attempts: u32,
        state: CallState,
    ) {
        // Calls that cost nothing are numerous, so they are not recorded.
        let Some((kind, key)) = G::paid_call(key) else {
            return;
        };
        self.meta.calls.push(CallRecord {
            command: command.0,
            kind,
            key: key.to_owned(),
            provider,
            attempts,
            state,
        });
    }
}
