//! Conducts a run: hands inputs to the machine, has its commands carried out, publishes its notices
//! and keeps its documents. It decides nothing about the search.

use std::cell::Cell;

use futures::SinkExt as _;
use futures::channel::{mpsc, oneshot};
use futures::future::{Either, join, select};

use crate::events::wire_event;
use crate::investigation::{Command, CommandId, Input, Investigation, Request, Told};
use crate::kernel::Millis;
use crate::store::{Documents, Keys, Ledger, RunMeta};

use super::effects::{Effects, WriteError};
use super::identifiers::RunToken;
use super::perform::perform;
use super::settings::{PlannerSettings, Providers};
use super::writer::{Batch, Writer};

/// Conducts one run from its first event to its last, and then its last writes.
///
/// Fails only where events cannot be kept any more: then nobody can be told anything.
pub async fn conduct<E: Effects>(
    effects: &E,
    providers: &Providers,
    run: &RunToken,
    mut request: Request,
    time_to_live_s: u64,
) -> Result<(), WriteError> {
    if providers.planner == PlannerSettings::Off {
        request.limits.planner_calls_max = 0;
    }
    let started = Millis(effects.now_ms());
    let (batches, due_batches) = mpsc::channel(0);
    let writer = Writer::new(effects);
    let conductor = Conductor {
        effects,
        providers,
        token: run.to_string(),
        machine: Investigation::new(request),
        keys: Keys::new(run.session(), run.run()),
        ledger: Ledger::new(),
        meta: RunMeta {
            started,
            expires: Millis(
                started
                    .0
                    .saturating_add(time_to_live_s.saturating_mul(1_000)),
            ),
            ended_with: None,
            ended_because: None,
        },
        writer: &writer,
        batches,
        batch_under_way: None,
        has_told_failure: false,
        events_published: 0,
        photo: None,
    };
    // Documents are written beside the search: a slow store never holds it up.
    let (result, ()) = join(conductor.run(), writer.write_all(due_batches)).await;
    result
}

struct Conductor<'run, E> {
    effects: &'run E,
    providers: &'run Providers,
    token: String,
    machine: Investigation,
    keys: Keys,
    ledger: Ledger,
    meta: RunMeta,
    writer: &'run Writer<'run, E>,
    batches: mpsc::Sender<Batch>,
    batch_under_way: Option<oneshot::Receiver<()>>,
    has_told_failure: bool,
    events_published: u32,
    /// The bytes of the photo fetched last, until they are recognised.
    photo: Option<(CommandId, Vec<u8>)>,
}

impl<E: Effects> Conductor<'_, E> {
    async fn run(mut self) -> Result<(), WriteError> {
        self.input(Input::Start)?;
        while let Some(command) = self.machine.next_command() {
            self.write_when_due();
            let input = self.carry_out(&command).await;
            self.input(input)?;
            if self.writer.has_failed.get() && !self.has_told_failure && !self.machine.is_ended() {
                self.has_told_failure = true;
                let remark = "The run's record could not be written; the search goes on.";
                self.input(Input::Remark(remark.to_owned()))?;
            }
        }
        // The last event is out by now and does not wait for this.
        if let Some(done) = self.batch_under_way.take() {
            let _ = done.await;
        }
        let documents = self.changed_documents(true);
        let batch = Batch {
            documents,
            done: None,
        };
        let _ = self.batches.send(batch).await;
        Ok(())
    }

    /// One input, then its notices: numbered, kept and shown.
    fn input(&mut self, input: Input) -> Result<(), WriteError> {
        self.machine.handle(input, Millis(self.effects.now_ms()));
        while let Some(notice) = self.machine.next_notice() {
            self.events_published += 1;
            let event =
                wire_event(&self.token, self.events_published, &notice).map_err(|_| WriteError)?;
            if event.is_last {
                self.meta.ended_with = Some(event.kind);
                self.meta.ended_because = match &notice.told {
                    Told::NoPath(report) => Some(report.reason.as_str().to_owned()),
                    Told::Error(report) => Some(report.code.as_str().to_owned()),
                    _ => None,
                };
            }
            self.effects.publish(event)?;
        }
        Ok(())
    }

    /// A command's answer, or the user's stop.
    async fn carry_out(&mut self, command: &Command) -> Input {
        let attempts_made = Cell::new(0);
        let photo = self.photo.take();
        let work = perform(self.effects, self.providers, command, photo, &attempts_made);
        let work = std::pin::pin!(work);
        let stop = std::pin::pin!(self.effects.stop_requested());
        // The stop is looked at first: after it no further call begins.
        match select(stop, work).await {
            Either::Left(_) => Input::Stop {
                attempts: attempts_made.get(),
            },
            Either::Right(((answer, photo), _)) => {
                self.photo = photo.map(|bytes| (command.id, bytes));
                Input::Answer(answer)
            }
        }
    }

    fn write_when_due(&mut self) {
        if let Some(done) = self.batch_under_way.as_mut()
            && matches!(done.try_recv(), Ok(None))
        {
            return;
        }
        self.batch_under_way = None;
        if self.ledger.is_due(self.effects.now_ms()) {
            let (done, under_way) = oneshot::channel();
            let documents = self.changed_documents(false);
            let batch = Batch {
                documents,
                done: Some(done),
            };
            // No batch is under way, so there is room.
            if self.batches.try_send(batch).is_ok() {
                self.batch_under_way = Some(under_way);
            }
        }
    }

    fn changed_documents(&mut self, is_end: bool) -> Vec<(String, String)> {
        let documents = Documents::new(&self.keys, &self.machine, &self.meta);
        if self.writer.has_failed.get() {
            // What did not arrive counts as changed again.
            self.ledger.forget_all();
        }
        self.ledger
            .take_changed(documents, self.effects.now_ms(), is_end)
    }
}
