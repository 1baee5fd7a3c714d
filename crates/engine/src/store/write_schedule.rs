//! The schedule for writing documents. Writes are frequent enough for a fresh record, but rare enough for the
//! permitted number of writes to last until the run's end.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::Documents;

/// The time between two rounds of writes, in milliseconds. Even if the writes take their usual time, no document of a
/// run in progress is older than ten seconds.
const ROUND_MS_MIN: u64 = 5_000;
/// The time from the run's beginning to the first round, in milliseconds. By then there is something to write, and
/// the writes do not delay the run's first events.
const FIRST_ROUND_MS: u64 = 1_000;
/// The number of documents that usually change in one round.
const ROUND_WRITES: u32 = 8;
/// The number of documents that the run's end may add: the calls, six edges and two frontiers.
const NEW_AT_THE_END: u32 = 9;

/// How often a run's documents may be written, and how long the run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteLimits {
    /// The most writes during the run, including the last ones.
    pub writes_max: u32,
    /// The longest time that the run may take, in milliseconds.
    pub runtime_ms_max: u64,
}

/// The documents as they were last written, and the number of writes so far.
#[derive(Debug, Clone)]
pub struct WriteSchedule {
    limits: WriteLimits,
    written: BTreeMap<String, [u8; 32]>,
    /// The number of documents in the last round.
    documents: u32,
    writes: u32,
    /// The sequence number of the last document that was written.
    sequence: u32,
    last_round_ms: Option<u64>,
    /// Whether an earlier process has written documents. Which of its writes succeeded is unknown.
    is_resumed: bool,
}

impl WriteSchedule {
    /// Makes the schedule for a process. `sequence` is the sequence number of the last document that an earlier process
    /// wrote; 0 if the run begins.
    #[must_use]
    pub fn after(sequence: u32, limits: WriteLimits) -> Self {
        Self {
            limits,
            written: BTreeMap::new(),
            documents: 0,
            writes: sequence,
            sequence,
            last_round_ms: None,
            is_resumed: sequence > 0,
        }
    }

    /// Returns the delay until documents may be written while the run is in progress, in milliseconds. `run_ms` is
    /// the run's duration so far. Returns `None` if the remaining writes are reserved for the run's end.
    #[must_use]
    pub fn due_in_ms(&self, now_ms: u64, run_ms: u64) -> Option<u64> {
        let left = self.spare_writes()?;
        let Some(last_ms) = self.last_round_ms else {
            return Some(FIRST_ROUND_MS.saturating_sub(run_ms));
        };
        let rounds = u64::from(left / ROUND_WRITES).max(1);
        let time_left_ms = self.limits.runtime_ms_max.saturating_sub(run_ms);
        let round_ms = (time_left_ms / rounds).max(ROUND_MS_MIN);
        Some(round_ms.saturating_sub(now_ms.saturating_sub(last_ms)))
    }

    /// Returns the number of writes that the run's end does not need; `None` if there are none.
    fn spare_writes(&self) -> Option<u32> {
        let for_the_end = self.documents.saturating_add(NEW_AT_THE_END);
        let taken = self.writes.saturating_add(for_the_end);
        self.limits
            .writes_max
            .checked_sub(taken)
            .filter(|left| *left > 0)
    }

    /// Takes the changed documents that may be written now, and counts them as written. At the run's end, no writes
    /// are reserved any more.
    pub fn take_changed(
        &mut self,
        documents: Documents,
        now_ms: u64,
        is_end: bool,
    ) -> Vec<(String, String)> {
        self.last_round_ms = Some(now_ms);
        self.documents = u32::try_from(documents.bodies.len()).unwrap_or(u32::MAX);
        let mut left = self.allowed_now(is_end);
        let mut changed = Vec::new();
        let meta_key = documents.meta_key().to_owned();
        for (key, body) in documents.bodies {
            let digest: [u8; 32] = Sha256::digest(body.to_string().as_bytes()).into();
            if self.written.get(&key) == Some(&digest) || left == 0 {
                continue;
            }
            left -= 1;
            self.writes += 1;
            self.sequence += 1;
            self.written.insert(key.clone(), digest);
            changed.push((key, Documents::stored(body, self.sequence)));
        }
        // The meta document is written last, because a reader who learns from it that the run has ended must find the
        // other documents.
        if changed.first().is_some_and(|(key, _)| *key == meta_key) {
            changed.rotate_left(1);
        }
        changed
    }

    fn allowed_now(&self, is_end: bool) -> u32 {
        if !is_end {
            return self.spare_writes().unwrap_or_default();
        }
        let left = self.limits.writes_max.saturating_sub(self.writes);
        // At the end all documents are written again, because an earlier process's writes may have failed.
        if self.is_resumed {
            left.max(self.documents)
        } else {
            left
        }
    }

    /// Marks all documents as changed, so that they are written again. This is called if some of them could not be
    /// written.
    pub fn forget_all(&mut self) {
        self.written.clear();
    }

    /// Returns the sequence number of the last document that was written.
    #[must_use]
    pub fn sequence(&self) -> u32 {
        self.sequence
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use settings::{KV_WRITES_DEFAULT, KV_WRITES_MIN};

    fn documents(count: u32, version: u64) -> Documents {
        let bodies = (0..count).map(|number| (format!("k{number}"), json!({"at": version})));
        Documents {
            bodies: bodies.collect(),
        }
    }

    /// Simulates the schedule of a run whose `count` documents change continuously. Returns the time and size of each
    /// round while the run is in progress, and the size of the round at the run's end.
    fn written(writes_max: u32, runtime_ms_max: u64, count: u32) -> (Vec<(u64, usize)>, usize) {
        let limits = WriteLimits {
            writes_max,
            runtime_ms_max,
        };
        let mut schedule = WriteSchedule::after(0, limits);
        let mut rounds = Vec::new();
        for now_ms in (0..runtime_ms_max).step_by(100) {
            if schedule.due_in_ms(now_ms, now_ms) == Some(0) {
                let round = schedule.take_changed(documents(count, now_ms), now_ms, false);
                rounds.push((now_ms, round.len()));
            }
        }
        let last = schedule.take_changed(documents(count + 9, u64::MAX), runtime_ms_max, true);
        (rounds, last.len())
    }

    #[test]
    fn with_what_a_paid_plan_allows_a_record_is_written_every_five_seconds() {
        let (rounds, last) = written(KV_WRITES_DEFAULT, 120_000, 12);
        let expected: Vec<_> = (0..24).map(|round| (1_000 + round * 5_000, 12)).collect();
        assert_eq!((rounds, last), (expected, 21));
    }

    #[test]
    fn few_writes_last_to_the_end_and_the_end_is_whole() {
        for (writes_max, runtime_ms_max) in [(40, 120_000), (100, 300_000), (600, 780_000)] {
            let (rounds, last) = written(writes_max, runtime_ms_max, 8);
            let sum: usize = rounds.iter().map(|(_, count)| count).sum();
            assert!(sum + last <= writes_max as usize, "{rounds:?}");
            assert_eq!(last, 17, "all documents");
            let (last_ms, _) = rounds.last().unwrap();
            let half_ms = runtime_ms_max / 2;
            assert!(
                rounds.len() == 2 || *last_ms > half_ms,
                "{writes_max}: {rounds:?}"
            );
        }
    }

    #[test]
    fn a_run_that_was_taken_up_again_writes_its_end_whole() {
        let limits = WriteLimits {
            writes_max: KV_WRITES_MIN,
            runtime_ms_max: 120_000,
        };
        let mut schedule = WriteSchedule::after(KV_WRITES_MIN, limits);
        assert_eq!(schedule.due_in_ms(0, 0), None);
        let last = schedule.take_changed(documents(19, 0), 0, true);
        assert_eq!((last.len(), schedule.sequence()), (19, KV_WRITES_MIN + 19));
    }

    #[test]
    fn what_did_not_change_is_not_written_again() {
        let limits = WriteLimits {
            writes_max: KV_WRITES_DEFAULT,
            runtime_ms_max: 120_000,
        };
        let mut schedule = WriteSchedule::after(0, limits);
        let mut take = |version, now_ms| {
            let documents = documents(3, version);
            schedule.take_changed(documents, now_ms, false).len()
        };
        assert_eq!([take(1, 0), take(1, 5_000), take(2, 10_000)], [3, 0, 3]);
        schedule.forget_all();
        assert_eq!(
            schedule.take_changed(documents(3, 2), 15_000, false).len(),
            3
        );
    }
}
