//! Writes a run's documents beside the search: a slow store never holds it up.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use futures::StreamExt as _;
use futures::channel::{mpsc, oneshot};

use crate::session::effects::{Effects, within};

/// One write of a document.
const WRITE_MS_MAX: u64 = 5_000;
/// Attempts of a write.
const WRITE_ATTEMPTS_MAX: u32 = 3;
/// Between two writes of one key; KV allows one a second.
const WRITE_PAUSE_MS: u64 = 1_100;

/// Documents to write, by key, and whom to tell when that is done.
pub(super) struct Batch {
    pub(super) documents: Vec<(String, String)>,
    pub(super) done: Option<oneshot::Sender<()>>,
}

/// Writes batches one after the other.
pub(super) struct Writer<'run, E> {
    effects: &'run E,
    last_writes_ms: RefCell<BTreeMap<String, u64>>,
    pub(super) has_failed: Cell<bool>,
}

impl<'run, E: Effects> Writer<'run, E> {
    /// Nothing written yet.
    pub(super) fn new(effects: &'run E) -> Self {
        Self {
            effects,
            last_writes_ms: RefCell::default(),
            has_failed: Cell::new(false),
        }
    }

    /// Writes until no more batches can come.
    pub(super) async fn write_all(&self, mut batches: mpsc::Receiver<Batch>) {
        while let Some(batch) = batches.next().await {
            let mut has_failed = false;
            for (key, document) in batch.documents {
                if !self.write(&key, &document).await {
                    // A store that fails this often is down: the rest would fail as slowly.
                    has_failed = true;
                    break;
                }
            }
            self.has_failed.set(has_failed);
            if let Some(done) = batch.done {
                // Nobody waits any more where the run has ended in an error.
                let _ = done.send(());
            }
        }
    }

    async fn write(&self, key: &str, document: &str) -> bool {
        for _ in 0..WRITE_ATTEMPTS_MAX {
            self.wait_for_turn(key).await;
            let put = self.effects.put(key, document);
            let written = within(self.effects, WRITE_MS_MAX, put).await;
            let now_ms = self.effects.now_ms();
            self.last_writes_ms
                .borrow_mut()
                .insert(key.to_owned(), now_ms);
            if let Some(Ok(())) = written {
                return true;
            }
        }
        false
    }

    /// A key is written at most once in [`WRITE_PAUSE_MS`], failed attempts included.
    async fn wait_for_turn(&self, key: &str) {
        let last_ms = self.last_writes_ms.borrow().get(key).copied();
        let since_ms = last_ms.map(|last_ms| self.effects.now_ms().saturating_sub(last_ms));
        if let Some(since_ms) = since_ms.filter(|since_ms| *since_ms < WRITE_PAUSE_MS) {
            self.effects.sleep(WRITE_PAUSE_MS - since_ms).await;
        }
    }
}
