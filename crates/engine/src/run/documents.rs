//! The documents of a run on their way to the store: which are to be written now, whether those before are written,
//! and the writer, which works beside the search, so that a slow store never holds it up.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::channel::{mpsc, oneshot};
use futures::{SinkExt as _, StreamExt as _};

use platform::{Effects, timeout};

use crate::store::{Keys, RunMeta, WriteLimits, WriteSchedule};
use crate::{Engine, RunState};

/// The time after which a writer that was busy is asked again, in milliseconds.
const BUSY_MS: u64 = 500;

/// The longest write of a document, in milliseconds.
const WRITE_MS_MAX: u64 = 5_000;
/// The most attempts of a write, which is then given up.
const WRITE_ATTEMPTS_MAX: u32 = 3;
/// The pause between two writes of one key, in milliseconds; KV allows one a second.
const WRITE_PAUSE_MS: u64 = 1_100;

/// The documents of one run on their way to the writer, one batch at a time.
pub(super) struct DocumentQueue {
    keys: Keys,
    schedule: WriteSchedule,
    batches: mpsc::Sender<DocumentBatch>,
    /// The receiver that is told when the batch that is with the writer is written.
    is_written: Option<oneshot::Receiver<()>>,
    has_failed: Rc<Cell<bool>>,
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
    pub(super) fn take_changed<G: Engine>(
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

/// The documents to write, as keys and texts.
struct DocumentBatch {
    documents: Vec<(String, String)>,
    written: oneshot::Sender<()>,
}

impl DocumentBatch {
    /// Makes a batch, and the receiver that is told when all documents are written, or one could
    /// not be.
    pub(super) fn new(documents: Vec<(String, String)>) -> (Self, oneshot::Receiver<()>) {
        let (written, is_written) = oneshot::channel();
        (Self { documents, written }, is_written)
    }
}

/// Writes batches one after the other.
pub(super) struct DocumentWriter<'run, E> {
    effects: &'run E,
    batches: mpsc::Receiver<DocumentBatch>,
    last_writes_ms: BTreeMap<String, u64>,
    has_failed: Rc<Cell<bool>>,
}

impl<'run, E: Effects> DocumentWriter<'run, E> {
    /// Makes a writer. `has_failed` tells whether the last batch could not be written whole.
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

    /// Writes until no more batches can come.
    pub(super) async fn write_all(mut self) {
        while let Some(batch) = self.batches.next().await {
            let mut has_failed = false;
            for (key, document) in batch.documents {
                if !self.write(&key, &document).await {
                    // A store that fails this often is down: the rest would fail as slowly.
                    has_failed = true;
                    break;
                }
            }
            self.has_failed.set(has_failed);
            // Nobody waits any more where the run has ended in an error.
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

    /// Waits until a key may be written: at most once in [`WRITE_PAUSE_MS`], failed attempts included.
    async fn wait_for_turn(&self, key: &str) {
        let last_ms = self.last_writes_ms.get(key);
        let since_ms = last_ms.map(|last_ms| self.effects.now_ms().saturating_sub(*last_ms));
        if let Some(since_ms) = since_ms.filter(|since_ms| *since_ms < WRITE_PAUSE_MS) {
            self.effects.sleep(WRITE_PAUSE_MS - since_ms).await;
        }
    }
}
