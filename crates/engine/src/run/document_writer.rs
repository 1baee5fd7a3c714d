//! Writes a run's documents beside the search, so that a slow store never holds the search up.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::StreamExt as _;
use futures::channel::{mpsc, oneshot};

use platform::{Effects, timeout};

/// The longest write of a document, in milliseconds.
const WRITE_MS_MAX: u64 = 5_000;
/// The most attempts of a write, which is then given up.
const WRITE_ATTEMPTS_MAX: u32 = 3;
/// The pause between two writes of one key, in milliseconds; KV allows one a second.
const WRITE_PAUSE_MS: u64 = 1_100;

/// The documents to write, as keys and texts.
pub(super) struct DocumentBatch {
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
    pub(super) fn new(
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
