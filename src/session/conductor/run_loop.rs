//! Conducts a run: hands inputs to the machine, has its commands carried out, publishes its events
//! and keeps its documents. It decides nothing about the search.
//!
//! Everything goes through the journal first: see [`crate::journal`] for the order. Commands are
//! carried out at the same time; their answers are handed in in the order of the commands, at the end
//! those that are here.

use std::pin::pin;

use futures::SinkExt as _;
use futures::channel::{mpsc, oneshot};
use futures::future::{Either, FutureExt as _, join, select};

use crate::investigation::{Answer, Input, LostCall};
use crate::journal::{Answered, Course, Entry, KeptAnswers, Open, Rebuilt};
use crate::kernel::Millis;
use crate::session::calls::{Performed, price_of_attempt};
use crate::session::effects::{Effects, WriteError};
use crate::session::identifiers::RunToken;
use crate::session::settings::Providers;
use crate::store::{Documents, Keys, Ledger};

use super::document_writer::{Batch, Writer};
use super::in_flight::{Done, UnderWay};
use super::journal_writer::Keeper;
use super::outcome::Taken;
use super::progress::Progress;

pub(super) struct Conductor<'run, E> {
    effects: &'run E,
    keeper: &'run Keeper<'run, E>,
    course: Course,
    kept: KeptAnswers,
    progress: Progress,
    keys: Keys,
    ledger: Ledger,
    writer: &'run Writer<'run, E>,
    batches: mpsc::Sender<Batch>,
    batch_under_way: Option<oneshot::Receiver<()>>,
    has_told_failure: bool,
    under_way: UnderWay<'run, E>,
}

impl<'run, E: Effects> Conductor<'run, E> {
    /// From where the journal ends to the run's last event and its last writes.
    pub(super) async fn conduct(
        effects: &'run E,
        providers: &'run Providers,
        run: &RunToken,
        rebuilt: Rebuilt,
        keeper: &'run Keeper<'run, E>,
        time_to_live_s: u64,
    ) -> Result<Taken, WriteError> {
        let (batches, due_batches) = mpsc::channel(0);
        let writer = Writer::new(effects);
        let begun = Begun::of(&rebuilt, providers);
        let arrived = rebuilt.waiting_answers();
        let conductor = Conductor {
            effects,
            keeper,
            progress: Progress::of(&rebuilt, time_to_live_s),
            course: rebuilt.course,
            kept: rebuilt.kept,
            keys: Keys::new(run.session(), run.run()),
            ledger: Ledger::after(rebuilt.sequence),
            writer: &writer,
            batches,
            batch_under_way: None,
            has_told_failure: false,
            under_way: UnderWay::new(effects, providers, keeper, arrived),
        };
        // Documents are written beside the search: a slow store never holds it up.
        let (result, ()) = join(conductor.run(begun), writer.write_all(due_batches)).await;
        result
    }

    async fn run(mut self, begun: Begun) -> Result<Taken, WriteError> {
        let searched = self.search(begun).await;
        // The last event is out by now and does not wait for this.
        if let Some(done) = self.batch_under_way.take() {
            let _ = done.await;
        }
        // What was verified is kept in any case; where the journal failed this is all that is.
        let documents = self.changed_documents(true);
        let (done, all_written) = oneshot::channel();
        let batch = Batch {
            documents: documents?,
            done: Some(done),
        };
        let _ = self.batches.send(batch).await;
        let _ = all_written.await;
        searched?;
        if self.writer.has_failed.get() {
            return Ok(Taken::Unwritten);
        }
        self.keeper.keep(&Entry::Closed {})?;
        Ok(Taken::Done)
    }

    async fn search(&mut self, begun: Begun) -> Result<(), WriteError> {
        self.begin(begun)?;
        loop {
            self.write_when_due()?;
            if self.course.machine().is_withdrawing() {
                for (open, performed) in self.under_way.done_by_now() {
                    self.take(&open, performed?, false)?;
                }
                // What is here was paid for.
                if let Some(answer) = self.under_way.take_any_answer() {
                    self.give(Input::Answer(answer))?;
                    continue;
                }
                let lost = self.end_calls();
                self.give(Input::Withdrawn { lost })?;
            }
            // The stop is looked at first: after it no further call begins.
            if self.course.open().next().is_some()
                && self.effects.stop_requested().now_or_never().is_some()
            {
                self.stop()?;
            }
            if let Some(answer) = self.next_answer() {
                self.give(Input::Answer(answer))?;
                let machine = self.course.machine();
                self.under_way
                    .keep_photos(|fetched_by| machine.needs_photo(fetched_by));
                self.tell_failed_write()?;
                continue;
            }
            self.begin_calls()?;
            if self.next_is_answered() {
                continue;
            }
            if self.under_way.is_empty() {
                return Ok(());
            }
            match self.next_done().await {
                None => self.stop()?,
                Some((open, performed)) => self.take(&open, performed?, false)?,
            }
        }
    }

    /// The next call that comes to its end; none where the user's stop comes first.
    async fn next_done(&mut self) -> Option<Done> {
        let stop = pin!(self.effects.stop_requested());
        match select(stop, pin!(self.under_way.next())).await {
            Either::Left(_) => None,
            Either::Right((done, _)) => Some(done),
        }
    }

    /// Starts the run, or goes on: what was under way is lost, what had arrived is told.
    fn begin(&mut self, begun: Begun) -> Result<(), WriteError> {
        match begun {
            Begun::Not => self.give(Input::Start),
            Begun::Before { .. } if self.course.machine().is_ended() => Ok(()),
            Begun::Before { lost } => {
                for call in &lost {
                    if let Some(open) = self.course.open_command(call.command) {
                        self.progress.note_lost(&open.asked, call);
                    }
                }
                self.give(Input::Resumed { lost })
            }
        }
    }

    /// Begins every open command that was not begun.
    fn begin_calls(&mut self) -> Result<(), WriteError> {
        let is_new = |open: &&Open| !self.under_way.has(open.command.id);
        let new: Vec<Open> = self.course.open().filter(is_new).cloned().collect();
        for open in new {
            match self.kept.answer(&open.asked) {
                Some(outcome) => {
                    let performed = Performed::at_hand(open.command.id, outcome);
                    self.take(&open, performed, true)?;
                }
                None => self.under_way.begin(&open, &self.course),
            }
        }
        Ok(())
    }

    /// The answer to the oldest open command, if it is here.
    fn next_answer(&mut self) -> Option<Answer> {
        let oldest = self.course.open().next()?.command.id;
        self.under_way.take_answer(oldest)
    }

    fn next_is_answered(&self) -> bool {
        let oldest = self.course.open().next();
        oldest.is_some_and(|open| self.under_way.is_answered(open.command.id))
    }

    /// A call's answer has come: it is kept before anything comes of it.
    fn take(
        &mut self,
        open: &Open,
        performed: Performed,
        is_reused: bool,
    ) -> Result<(), WriteError> {
        let answer = performed.answer();
        let body = performed.body_digest();
        let answered = Answered::new(open.asked.clone(), answer, body, is_reused);
        self.keeper.keep(&Entry::Answer(answered))?;
        self.progress.note_answer(&open.asked, answer, is_reused);
        self.under_way.arrive(performed);
        Ok(())
    }

    fn stop(&mut self) -> Result<(), WriteError> {
        let lost = self.end_calls();
        self.give(Input::Stop { lost })
    }

    /// Ends what is under way; what of it is not answered is noted as withdrawn.
    fn end_calls(&mut self) -> Vec<LostCall> {
        let withdrawn = self.under_way.end_unanswered();
        for call in &withdrawn {
            if let Some(open) = self.course.open_command(call.command) {
                self.progress.note_withdrawn(&open.asked, call);
            }
        }
        let mut lost = self.under_way.end_answered();
        lost.extend(withdrawn);
        lost.sort_by_key(|call| call.command);
        lost
    }

    /// That the record could not be written is told once.
    fn tell_failed_write(&mut self) -> Result<(), WriteError> {
        let is_ended = self.course.machine().is_ended();
        if self.writer.has_failed.get() && !self.has_told_failure && !is_ended {
            self.has_told_failure = true;
            let remark = "The run's record could not be written; the search goes on.";
            self.give(Input::Remark(remark.to_owned()))?;
        }
        Ok(())
    }

    /// One input, kept and then given, and its events, kept and then shown.
    fn give(&mut self, input: Input) -> Result<(), WriteError> {
        let now = Millis(self.effects.now_ms());
        self.keeper.keep(&Entry::input(&input, now))?;
        if input == Input::Start {
            self.progress.start(now);
        }
        let events = self.course.take(input, now).map_err(|_| WriteError)?;
        for event in events {
            self.progress.note_event(&event);
            self.keeper.publish(&event)?;
        }
        Ok(())
    }

    fn write_when_due(&mut self) -> Result<(), WriteError> {
        if let Some(done) = self.batch_under_way.as_mut()
            && matches!(done.try_recv(), Ok(None))
        {
            return Ok(());
        }
        self.batch_under_way = None;
        if self.ledger.is_due(self.effects.now_ms()) {
            let (done, under_way) = oneshot::channel();
            let documents = self.changed_documents(false)?;
            let batch = Batch {
                documents,
                done: Some(done),
            };
            // No batch is under way, so there is room.
            if self.batches.try_send(batch).is_ok() {
                self.batch_under_way = Some(under_way);
            }
        }
        Ok(())
    }

    /// The documents to write now; the journal knows how many before they are.
    fn changed_documents(&mut self, is_end: bool) -> Result<Vec<(String, String)>, WriteError> {
        let machine = self.course.machine();
        let documents = Documents::new(&self.keys, machine, self.progress.meta(), is_end);
        if self.writer.has_failed.get() {
            // What did not arrive counts as changed again.
            self.ledger.forget_all();
        }
        let before = self.ledger.sequence();
        let changed = self
            .ledger
            .take_changed(documents, self.effects.now_ms(), is_end);
        let sequence = self.ledger.sequence();
        if sequence == before {
            return Ok(changed);
        }
        let kept = self.keeper.keep(&Entry::Written { sequence });
        // At the end they are written even where the journal failed: nothing verified is lost.
        if is_end {
            Ok(changed)
        } else {
            kept.map(|()| changed)
        }
    }
}

/// How far a run had come when it was taken up.
enum Begun {
    Not,
    Before { lost: Vec<LostCall> },
}

impl Begun {
    fn of(rebuilt: &Rebuilt, providers: &Providers) -> Self {
        if rebuilt.started.is_none() {
            return Self::Not;
        }
        let lost = rebuilt.under_way().map(|(open, attempts)| LostCall {
            command: open.command.id,
            attempts,
            // Each may have been answered, and charged.
            nano_usd: price_of_attempt(&providers.prices, &open.asked)
                .saturating_mul(u64::from(attempts)),
        });
        Self::Before {
            lost: lost.collect(),
        }
    }
}
