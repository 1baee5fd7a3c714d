//! The record of a run on its way to KV: what it tells beside what the machine knows, and when it
//! is written.

use std::marker::PhantomData;
use std::task::{Poll, ready};

use futures::future::{FutureExt as _, LocalBoxFuture};

use platform::{Effects, WriteError};

use crate::journal::Entry;
use crate::{Recorded, RunState};

use super::document_queue::{ChangedDocuments, DocumentQueue};
use super::journal_writer::JournalWriter;
use super::progress::Progress;

/// The record of one run.
pub(super) struct RunRecord<'run, E, G> {
    effects: &'run E,
    journal: &'run JournalWriter<'run, E>,
    progress: Progress,
    documents: DocumentQueue,
    /// Whether documents may have changed since they were looked at.
    is_changed: bool,
    /// The timer that ends when the documents are to be looked at again.
    timer: Option<LocalBoxFuture<'run, ()>>,
    engine: PhantomData<G>,
}

impl<'run, E: Effects, G: Recorded> RunRecord<'run, E, G> {
    /// Makes a record of which everything may have changed.
    pub(super) fn new(
        effects: &'run E,
        journal: &'run JournalWriter<'run, E>,
        progress: Progress,
        documents: DocumentQueue,
    ) -> Self {
        Self {
            effects,
            journal,
            progress,
            documents,
            is_changed: true,
            timer: None,
            engine: PhantomData,
        }
    }

    /// Returns what the record tells beside what the machine knows.
    pub(super) fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    /// Notes that the machine was given an input.
    pub(super) fn note_change(&mut self) {
        self.is_changed = true;
    }

    /// Returns whether the last documents could not be written whole.
    pub(super) fn has_failed(&self) -> bool {
        self.documents.has_failed()
    }

    /// Writes the documents that have changed, or sees to it that they will be written, also where
    /// nothing else happens until then: see [`due`](Self::due).
    pub(super) fn write_when_due(&mut self, state: &RunState<G>) -> Result<(), WriteError> {
        if !self.is_changed || self.timer.is_some() {
            return Ok(());
        }
        let now_ms = self.effects.now_ms();
        let run_ms = now_ms.saturating_sub(self.progress.meta().started.0);
        match self.documents.due_in_ms(now_ms, run_ms) {
            None => {}
            Some(0) => {
                self.is_changed = false;
                let changed = self.changed_documents(state, false);
                self.journal_documents(&changed)?;
                self.documents.send(changed);
            }
            Some(ms) => self.timer = Some(self.effects.sleep(ms).boxed_local()),
        }
        Ok(())
    }

    /// Waits until something is to be written; for ever where nothing is.
    pub(super) fn due(&mut self) -> impl Future<Output = ()> + Unpin + use<'_, 'run, E, G> {
        std::future::poll_fn(|context| {
            let Some(timer) = self.timer.as_mut() else {
                return Poll::Pending;
            };
            ready!(timer.poll_unpin(context));
            self.timer = None;
            Poll::Ready(())
        })
    }

    /// Writes the last documents in any case, and with them what was verified. Where the journal
    /// failed, nothing else is written.
    pub(super) async fn write_end(&mut self, state: &RunState<G>) {
        self.documents.wait_until_written().await;
        let changed = self.changed_documents(state, true);
        let _ = self.journal_documents(&changed);
        self.documents.send_last(changed).await;
    }

    fn changed_documents(&mut self, state: &RunState<G>, is_end: bool) -> ChangedDocuments {
        let (meta, now_ms) = (self.progress.meta(), self.effects.now_ms());
        self.documents.take_changed(state, meta, now_ms, is_end)
    }

    /// Notes in the journal how many documents there are before they are written.
    fn journal_documents(&self, changed: &ChangedDocuments) -> Result<(), WriteError> {
        match changed.sequence() {
            Some(sequence) => self.journal.append(&Entry::<G>::Written { sequence }),
            None => Ok(()),
        }
    }
}
