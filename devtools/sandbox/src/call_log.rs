//! The log of calls, with a row per call: the request, its attempts so far, and whether it would have been charged.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use super::providers::SandboxProvider;

/// The most rows that are kept; beyond that the oldest is dropped.
const ROWS_MAX: usize = 10_000;

/// A row of `GET /calls`; the fields are its JSON members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedCall {
    /// The number of the call, from 1, among the calls to all providers.
    pub n: u64,
    /// The provider that was called.
    pub provider: SandboxProvider,
    /// The query (search words or item numbers), the path, or the SHA-256 of the image; for a planner, the SHA-256 of
    /// the body.
    pub key: String,
    /// The number of calls to this provider with this key so far, including this one.
    pub attempt: u64,
    /// The response's status; 0 if no response ever comes.
    pub status: u16,
    /// Whether the real provider would have charged for the call.
    pub charged: bool,
}

/// The log of the latest calls, at most [`ROWS_MAX`].
#[derive(Clone, Debug, Default)]
pub(super) struct CallLog {
    rows: VecDeque<RecordedCall>,
    count: u64,
    /// For each provider and key, the number of calls so far and the number of the latest one.
    attempts: BTreeMap<(SandboxProvider, String), (u64, u64)>,
}

impl CallLog {
    pub(super) fn record(&mut self, provider: SandboxProvider, key: String, status: u16) {
        self.count += 1;
        let n = self.count;
        let seen = self
            .attempts
            .entry((provider, key.clone()))
            .or_insert((0, n));
        *seen = (seen.0 + 1, n);
        let attempt = seen.0;
        let charged = provider.charges() && (200..300).contains(&status);
        self.rows.push_back(RecordedCall {
            n,
            provider,
            key,
            attempt,
            status,
            charged,
        });
        if self.rows.len() > ROWS_MAX
            && let Some(oldest) = self.rows.pop_front()
        {
            let key = (oldest.provider, oldest.key);
            if self
                .attempts
                .get(&key)
                .is_some_and(|(_, latest)| *latest == oldest.n)
            {
                self.attempts.remove(&key);
            }
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &RecordedCall> {
        self.rows.iter()
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_counted_by_provider_and_key() {
        let mut log = CallLog::default();
        for (provider, key, status) in [
            (SandboxProvider::Google, "a", 500),
            (SandboxProvider::Google, "a", 200),
            (SandboxProvider::Image, "a", 200),
            (SandboxProvider::Google, "b", 200),
        ] {
            log.record(provider, key.to_owned(), status);
        }
        let rows: Vec<(u64, u64, bool)> = log
            .rows()
            .map(|row| (row.n, row.attempt, row.charged))
            .collect();
        assert_eq!(
            rows,
            [(1, 1, false), (2, 2, true), (3, 1, false), (4, 1, true)]
        );
        log.clear();
        assert_eq!(log.rows().count(), 0);
    }

    #[test]
    fn the_list_is_bounded_and_goes_on_counting() {
        let mut log = CallLog::default();
        for number in 0..ROWS_MAX + 5 {
            log.record(SandboxProvider::Google, number.to_string(), 200);
        }
        assert_eq!(log.rows().count(), ROWS_MAX);
        assert_eq!(log.rows().next().map(|row| row.n), Some(6));
        assert_eq!(log.attempts.len(), ROWS_MAX);
    }

    #[test]
    fn the_wire_format_is_unchanged() {
        let mut log = CallLog::default();
        log.record(SandboxProvider::Rekognition, "00ff".into(), 400);
        let rows: Vec<&RecordedCall> = log.rows().collect();
        assert_eq!(
            serde_json::to_string(&rows).unwrap(),
            r#"[{"n":1,"provider":"rekognition","key":"00ff","attempt":1,"status":400,"charged":false}]"#
        );
    }
}
