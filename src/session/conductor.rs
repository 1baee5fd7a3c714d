//! Conducts a run: hands inputs to the machine, has its commands carried out, publishes its events
//! and keeps its documents. It decides nothing about the search.
//!
//! Everything goes through the journal first: see [`crate::journal`] for the order.

use std::pin::pin;

use futures::SinkExt as _;
use futures::channel::{mpsc, oneshot};
use futures::future::{Either, join, select};

use crate::domain::PhotoDigest;
use crate::investigation::{Action, Answer, CommandId, Input, LostCall};
use crate::journal::{Answered, Course, Entry, KeptAnswers, Open, Rebuilt};
use crate::kernel::Millis;
use crate::store::{Documents, Keys, Ledger};

use super::calls::{Outlay, Sending};
use super::effects::{Effects, WriteError};
use super::identifiers::RunToken;
use super::keeper::Keeper;
use super::perform::{Performed, Photo, perform, price_of_attempt};
use super::progress::Progress;
use super::settings::Providers;
use super::taking_up::Taken;
use super::writer::{Batch, Writer};

pub(super) struct Conductor<'run, E> {
    effects: &'run E,
    providers: &'run Providers,
    keeper: Keeper<'run, E>,
    course: Course,
    kept: KeptAnswers,
    progress: Progress,
    keys: Keys,
    ledger: Ledger,
    writer: &'run Writer<'run, E>,
    batches: mpsc::Sender<Batch>,
    batch_under_way: Option<oneshot::Receiver<()>>,
    has_told_failure: bool,
    /// The bytes of the photo fetched last, until they are recognised.
    photo: Option<(CommandId, Vec<u8>)>,
}

/// An answer that is in the journal, or the user's stop.
enum Came {
    Answer(Answer),
    Stop { attempts: u32, nano_usd: u64 },
}

impl<'run, E: Effects> Conductor<'run, E> {
    /// From where the journal ends to the run's last event and its last writes.
    pub(super) async fn conduct(
        effects: &'run E,
        providers: &'run Providers,
        run: &RunToken,
        rebuilt: Rebuilt,
        keeper: Keeper<'run, E>,
        time_to_live_s: u64,
    ) -> Result<Taken, WriteError> {
        let (batches, due_batches) = mpsc::channel(0);
        let writer = Writer::new(effects);
        let begun = Begun::of(&rebuilt, providers);
        let conductor = Conductor {
            effects,
            providers,
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
            photo: None,
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
        while let Some(open) = self.next_open() {
            self.write_when_due()?;
            match self.carry_out(&open).await? {
                Came::Answer(answer) => self.give(Input::Answer(answer))?,
                Came::Stop { attempts, nano_usd } => {
                    self.give(Input::Stop { attempts, nano_usd })?;
                }
            }
            let is_ended = self.course.machine().is_ended();
            if self.writer.has_failed.get() && !self.has_told_failure && !is_ended {
                self.has_told_failure = true;
                let remark = "The run's record could not be written; the search goes on.";
                self.give(Input::Remark(remark.to_owned()))?;
            }
        }
        Ok(())
    }

    /// Starts the run, or goes on: what was under way is lost, what had arrived is told.
    fn begin(&mut self, begun: Begun) -> Result<(), WriteError> {
        match begun {
            Begun::Not => self.give(Input::Start),
            Begun::Before { .. } if self.course.machine().is_ended() => Ok(()),
            Begun::Before { lost, arrived } => {
                for call in &lost {
                    if let Some(open) = self.course.open_command(call.command) {
                        self.progress.note_lost(&open.asked, call);
                    }
                }
                self.give(Input::Resumed { lost })?;
                arrived
                    .into_iter()
                    .try_for_each(|answer| self.give(Input::Answer(answer)))
            }
        }
    }

    fn next_open(&self) -> Option<Open> {
        self.course.open().next().cloned()
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

    /// A command's answer, kept; or the user's stop.
    async fn carry_out(&mut self, open: &Open) -> Result<Came, WriteError> {
        let id = open.command.id;
        let at_hand = self.kept.answer(&open.asked);
        let photo = self.photo_for(&open.command.action);
        let outlay = Outlay::default();
        let keeper = &self.keeper;
        let intend = |attempt| keeper.keep(&Entry::intent(id, attempt, &open.asked));
        let sending = Sending {
            outlay: &outlay,
            intend: &intend,
        };
        let (effects, providers) = (self.effects, self.providers);
        let work = async {
            match at_hand {
                Some(outcome) => Ok((Performed::at_hand(id, outcome), true)),
                None => perform(effects, providers, &open.command, photo, sending)
                    .await
                    .map(|performed| (performed, false)),
            }
        };
        // The stop is looked at first: after it no further call begins.
        let came = match select(pin!(effects.stop_requested()), pin!(work)).await {
            Either::Left(_) => None,
            Either::Right((performed, _)) => Some(performed?),
        };
        let Some((performed, is_reused)) = came else {
            return Ok(Came::Stop {
                attempts: outlay.attempts(),
                nano_usd: outlay.nano_usd(),
            });
        };
        self.photo = performed.photo.map(|bytes| (id, bytes));
        self.keep_answer(open, &performed.answer, performed.body.as_ref(), is_reused)?;
        Ok(Came::Answer(performed.answer))
    }

    fn keep_answer(
        &mut self,
        open: &Open,
        answer: &Answer,
        body: Option<&PhotoDigest>,
        is_reused: bool,
    ) -> Result<(), WriteError> {
        let answered = Answered::new(open.asked.clone(), answer, body, is_reused);
        self.keeper.keep(&Entry::Answer(answered))?;
        self.progress.note_answer(&open.asked, answer, is_reused);
        Ok(())
    }

    /// The photo that an action recognises.
    fn photo_for(&mut self, action: &Action) -> Photo {
        let Action::Recognise { fetched_by } = action else {
            return Photo::None;
        };
        match self.photo.take_if(|(id, _)| id == fetched_by) {
            Some((_, bytes)) => Photo::Bytes(bytes),
            None => match self.course.photo(*fetched_by) {
                Some(source) => Photo::At(source.clone()),
                None => Photo::None,
            },
        }
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
    Before {
        lost: Vec<LostCall>,
        arrived: Vec<Answer>,
    },
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
            arrived: rebuilt.waiting_answers(),
        }
    }
}
