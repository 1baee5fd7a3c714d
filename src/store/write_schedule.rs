//! When which document is written: a key at most once a second, a run at most 40 times.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::documents::Documents;

/// Writes of one run at most: KV's free plan has 1,000 a day.
pub const WRITES_MAX: u32 = 40;
/// Kept back for the last writes: seven plain documents, six edges, the last two frontiers.
const WRITES_FOR_THE_END: u32 = 15;
/// Between two writes of a run's documents, in milliseconds; KV allows a key one a second.
const INTERVAL_MS_MIN: u64 = 5_000;

const _: () = assert!(WRITES_FOR_THE_END < WRITES_MAX && INTERVAL_MS_MIN > 1_000);

/// What was written last, and how often anything was.
#[derive(Debug, Clone, Default)]
pub struct WriteSchedule {
    written: BTreeMap<String, [u8; 32]>,
    /// Documents written, at most [`WRITES_MAX`].
    writes: u32,
    /// The sequence number of the last document.
    sequence: u32,
    last_write_ms: Option<u64>,
}

impl WriteSchedule {
    /// After this sequence number, by a process that died: what was kept back for the end is open
    /// again, since it is not known what of it arrived.
    #[must_use]
    pub fn after(sequence: u32) -> Self {
        Self {
            writes: sequence.min(WRITES_MAX - WRITES_FOR_THE_END),
            sequence,
            ..Self::default()
        }
    }

    /// Whether documents may be written while the run goes on.
    #[must_use]
    pub fn is_due(&self, now_ms: u64) -> bool {
        let is_time = self
            .last_write_ms
            .is_none_or(|last_ms| now_ms.saturating_sub(last_ms) >= INTERVAL_MS_MIN);
        is_time && self.writes + WRITES_FOR_THE_END < WRITES_MAX
    }

    /// The changed documents that may be written now, noted as written. `is_end` opens what was
    /// kept back.
    pub fn take_changed(
        &mut self,
        documents: Documents,
        now_ms: u64,
        is_end: bool,
    ) -> Vec<(String, String)> {
        let writes_max = if is_end {
            WRITES_MAX
        } else {
            WRITES_MAX - WRITES_FOR_THE_END
        };
        let mut changed = Vec::new();
        let meta_key = documents.meta_key().to_owned();
        for (key, body) in documents.bodies {
            let digest: [u8; 32] = Sha256::digest(body.to_string().as_bytes()).into();
            if self.written.get(&key) == Some(&digest) || self.writes >= writes_max {
                continue;
            }
            self.writes += 1;
            self.sequence += 1;
            self.written.insert(key.clone(), digest);
            self.last_write_ms = Some(now_ms);
            changed.push((key, Documents::stored(body, self.sequence)));
        }
        // Who reads there that the run has ended must find the rest: meta is written last.
        if changed.first().is_some_and(|(key, _)| *key == meta_key) {
            changed.rotate_left(1);
        }
        changed
    }

    /// Some documents did not arrive: all count as changed again.
    pub fn forget_all(&mut self) {
        self.written.clear();
    }

    /// The sequence number of the last document.
    #[must_use]
    pub fn sequence(&self) -> u32 {
        self.sequence
    }
}
