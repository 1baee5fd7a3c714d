//! The documents of a run that are to be written now, and whether those before are written.

use std::cell::Cell;
use std::rc::Rc;

use futures::SinkExt as _;
use futures::channel::{mpsc, oneshot};

use platform::Effects;

use crate::store::{Keys, RunMeta, WriteLimits, WriteSchedule};
use crate::{Recorded, RunState};

use super::document_writer::{DocumentBatch, DocumentWriter};

/// The time after which a writer that was busy is asked again, in milliseconds.
const BUSY_MS: u64 = 500;

/// The documents of one run on their way to the writer, one batch at a time.
pub(super) struct DocumentQueue {
    keys: Keys,
    schedule: WriteSchedule,
    batches: mpsc::Sender<DocumentBatch>,
    /// The receiver that is told when the batch that is with the writer is written.
    is_written: Option<oneshot::Receiver<()>>,
    has_failed: Rc<Cell<bool>>,
}

/// Documents that differ from what was written before.
pub(super) struct ChangedDocuments {
    documents: Vec<(String, String)>,
    sequence: Option<u32>,
}

impl ChangedDocuments {
    /// Returns the sequence number of the last document. Returns `None` where there are no
    /// documents.
    pub(super) fn sequence(&self) -> Option<u32> {
        self.sequence
    }
}

impl DocumentQueue {
    /// Returns a queue and its writer, which go on after the document of this sequence number.
    pub(super) fn new<E: Effects>(
        effects: &E,
        keys: Keys,
        sequence: u32,
        limits: WriteLimits,
    ) -> (Self, DocumentWriter<'_, E>) {
        let (batches, due) = mpsc::channel(0);
        let has_failed: Rc<Cell<bool>> = Rc::default();
        let writer = DocumentWriter::new(effects, due, has_failed.clone());
        let queue = Self {
            keys,
            schedule: WriteSchedule::after(sequence, limits),
            batches,
            is_written: None,
            has_failed,
        };
        (queue, writer)
    }

    /// Returns whether the last batch could not be written whole.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.get()
    }

    /// Returns in how many milliseconds documents may be written, while the run goes on and has
    /// gone on for `run_ms`. Returns `None` where only the end is left.
    pub(super) fn due_in_ms(&mut self, now_ms: u64, run_ms: u64) -> Option<u64> {
        let due_in_ms = self.schedule.due_in_ms(now_ms, run_ms)?;
        if let Some(is_written) = self.is_written.as_mut()
            && matches!(is_written.try_recv(), Ok(None))
        {
            return Some(due_in_ms.max(BUSY_MS));
        }
        self.is_written = None;
        Some(due_in_ms)
    }

    /// Returns the documents that are to be written now. From here on they count as written.
    pub(super) fn take_changed<G: Recorded>(
        &mut self,
        state: &RunState<G>,
        meta: &RunMeta,
        now_ms: u64,
        is_end: bool,
    ) -> ChangedDocuments {
        let documents = G::documents(&self.keys, state.machine(), meta, is_end);
        if self.has_failed() {
            // Documents that did not arrive count as changed again.
            self.schedule.forget_all();
        }
        let before = self.schedule.sequence();
        let documents = self.schedule.take_changed(documents, now_ms, is_end);
        let sequence = self.schedule.sequence();
        ChangedDocuments {
            documents,
            sequence: (sequence != before).then_some(sequence),
        }
    }

    /// Hands documents to a writer that has none.
    pub(super) fn send(&mut self, changed: ChangedDocuments) {
        let (batch, is_written) = DocumentBatch::new(changed.documents);
        if self.batches.try_send(batch).is_ok() {
            self.is_written = Some(is_written);
        }
    }

    /// Waits until the batch that is with the writer is written.
    pub(super) async fn wait_until_written(&mut self) {
        if let Some(is_written) = self.is_written.take() {
            let _ = is_written.await;
        }
    }

    /// Hands the last documents to the writer and waits until they are written.
    pub(super) async fn send_last(&mut self, changed: ChangedDocuments) {
        let (batch, is_written) = DocumentBatch::new(changed.documents);
        let _ = self.batches.send(batch).await;
        let _ = is_written.await;
    }
}
