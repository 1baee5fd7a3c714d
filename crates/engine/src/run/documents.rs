//! Writes a run's documents. [`DocumentQueue`] decides which documents are written now, and knows whether earlier ones
//! could be written. [`DocumentWriter`] works concurrently, so that a slow store does not delay the search.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::channel::{mpsc, oneshot};
use futures::{SinkExt as _, StreamExt as _};

use platform::{Effects, timeout};

use crate::store::{Keys, RunMeta, WriteLimits, WriteSchedule};
use crate::{Engine, RunState};

/// The delay before a busy writer is checked again, in milliseconds.
const BUSY_MS: u64 = 500;

/// The timeout of one write, in milliseconds.
const WRITE_MS_MAX: u64 = 5_000;
/// The most attempts to write one document.
const WRITE_ATTEMPTS_MAX: u32 = 3;
/// The pause between two writes to one key, in milliseconds. KV allows one write per second and key.
const WRITE_PAUSE_MS: u64 = 1_100;

/// Passes the documents of one run to the writer, one batch at a time.
pub(super) struct DocumentQueue {
    keys: Keys,
    schedule: WriteSchedule,
    batches: mpsc::Sender<DocumentBatch>,
    /// Resolves when the writer is done with the current batch; `None` if the writer is idle.
    is_written: Option<oneshot::Receiver<()>>,
    has_failed: Rc<Cell<bool>>,
}

impl DocumentQueue {
    /// Makes a queue and its writer. They continue after the document with this sequence number.
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

    /// Returns whether at least one document of the last batch could not be written.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.get()
    }

    /// Returns the delay until documents may be written while the run is in progress, in milliseconds. `run_ms` is
    /// the run's duration so far. Returns `None` if the remaining writes are reserved for the run's end.
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

    /// Returns the documents that should be written now, and counts them as written.
    pub(super) fn take_changed<G: Engine>(
        &mut self,
        state: &RunState<G>,
        meta: &RunMeta,
        now_ms: u64,
        is_end: bool,
    ) -> ChangedDocuments {
        let documents = G::documents(&self.keys, state.machine(), meta, is_end);
        if self.has_failed() {
            // Some documents could not be written, so all of them count as changed and are written again.
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

    /// Passes documents to the writer, which must be idle.
    pub(super) fn send(&mut self, changed: ChangedDocuments) {
        let (batch, is_written) = DocumentBatch::new(changed.documents);
        if self.batches.try_send(batch).is_ok() {
            self.is_written = Some(is_written);
        }
    }

    /// Waits until the writer is done with the current batch.
    pub(super) async fn wait_until_written(&mut self) {
        if let Some(is_written) = self.is_written.take() {
            let _ = is_written.await;
        }
    }

    /// Passes the run's last documents to the writer and waits until it is done with them.
    pub(super) async fn send_last(&mut self, changed: ChangedDocuments) {
        let (batch, is_written) = DocumentBatch::new(changed.documents);
        let _ = self.batches.send(batch).await;
        let _ = is_written.await;
    }
}

/// The documents that changed since they were last written.
pub(super) struct ChangedDocuments {
    documents: Vec<(String, String)>,
    sequence: Option<u32>,
}

impl ChangedDocuments {
    /// Returns the sequence number of the last of these documents; `None` if there are none.
    pub(super) fn sequence(&self) -> Option<u32> {
        self.sequence
    }
}

/// A batch of documents to write, as pairs of key and text.
struct DocumentBatch {
    documents: Vec<(String, String)>,
    written: oneshot::Sender<()>,
}

impl DocumentBatch {
    /// Returns a batch and a receiver. The receiver resolves once all documents of the batch are written or one of them
    /// could not be written.
    pub(super) fn new(documents: Vec<(String, String)>) -> (Self, oneshot::Receiver<()>) {
        let (written, is_written) = oneshot::channel();
        (Self { documents, written }, is_written)
    }
}

/// Writes one batch of documents after another.
pub(super) struct DocumentWriter<'run, E> {
    effects: &'run E,
    batches: mpsc::Receiver<DocumentBatch>,
    last_writes_ms: BTreeMap<String, u64>,
    has_failed: Rc<Cell<bool>>,
}

impl<'run, E: Effects> DocumentWriter<'run, E> {
    /// Makes a writer. After each batch, it sets `has_failed` to whether at least one document could not be written.
    fn new(
        effects: &'run E,
        batches: mpsc::Receiver<DocumentBatch>,
        has_failed: Rc<Cell<bool>>,
    ) -> Self {
        Self {
            effects,
            batches,
            last_writes_ms: BTreeMap::new(),
            has_failed,
        }
    }

    /// Writes all batches, and returns once the queue is dropped.
    pub(super) async fn write_all(mut self) {
        while let Some(batch) = self.batches.next().await {
            let mut has_failed = false;
            for (key, document) in batch.documents {
                if !self.write(&key, &document).await {
                    // A store that fails this often is down. The batch's remaining documents would fail just as
                    // slowly, so they are skipped.
                    has_failed = true;
                    break;
                }
            }
            self.has_failed.set(has_failed);
            // If the run has ended in an error, the receiver was dropped, which does not matter.
            let _ = batch.written.send(());
        }
    }

    async fn write(&mut self, key: &str, document: &str) -> bool {
        for _ in 0..WRITE_ATTEMPTS_MAX {
            self.wait_for_turn(key).await;
            let put = self.effects.put(key, document);
            let written = timeout(self.effects, WRITE_MS_MAX, put).await;
            let now_ms = self.effects.now_ms();
            self.last_writes_ms.insert(key.to_owned(), now_ms);
            if let Some(Ok(())) = written {
                return true;
            }
        }
        false
    }

    /// Waits until a key may be written again: [`WRITE_PAUSE_MS`] after the last attempt, even if it failed.
    async fn wait_for_turn(&self, key: &str) {
        let last_ms = self.last_writes_ms.get(key);
        let since_ms = last_ms.map(|last_ms| self.effects.now_ms().saturating_sub(*last_ms));
        if let Some(since_ms) = since_ms.filter(|since_ms| *since_ms < WRITE_PAUSE_MS) {
            self.effects.sleep(WRITE_PAUSE_MS - since_ms).await;
        }
    }
}
