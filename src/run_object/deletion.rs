//! The record of a deleted run, with what remains to be removed elsewhere.

use serde::{Deserialize, Serialize};

use domain::{RunToken, Sha256Digest};
use engine::Engine;
use engine::budget::Amount;
use engine::journal::Entry;

use super::creation::{ChildDeletion, DeletionCount};

/// The record of a deleted run, which its object keeps until the run would have expired.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedRun {
    run: String,
    expires_ms: u64,
    is_swept: bool,
    /// The digest of the run's published file, in records that version 0.3.0 wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    published: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chains: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    children: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// Something of a deleted run that still exists outside the run's object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remainder {
    /// A published file of the run.
    Chain(Sha256Digest),
    /// A child run.
    Child(ChildDeletion),
    /// What the object of the run's idempotency key stores about its use. Contains the key's digest.
    Key(String),
}

impl DeletedRun {
    /// Returns the deletion record of an existing run that has these published files, these child runs and the
    /// idempotency key with this digest.
    #[must_use]
    pub fn new(
        run: &str,
        expires_ms: u64,
        chains: &[Sha256Digest],
        children: &[RunToken],
        key: Option<String>,
    ) -> Self {
        Self {
            run: run.to_owned(),
            expires_ms,
            chains: chains.iter().map(ToString::to_string).collect(),
            children: children.iter().map(ToString::to_string).collect(),
            key,
            ..Self::default()
        }
    }

    /// Returns the record of a run that has not begun and never will. Such a run left nothing elsewhere.
    #[must_use]
    pub fn before_it_began(deletion: ChildDeletion) -> Self {
        Self {
            run: deletion.run,
            expires_ms: deletion.expires_ms,
            is_swept: true,
            ..Self::default()
        }
    }

    /// Returns the token of the deleted run, as stored.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Returns when the run would have expired, in milliseconds since 1970.
    #[must_use]
    pub fn expires_ms(&self) -> u64 {
        self.expires_ms
    }

    /// Returns whether nothing of the run remains elsewhere.
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.is_swept
    }

    /// Returns what remains of the run elsewhere, except for its documents.
    #[must_use]
    pub fn remainders(&self) -> Vec<Remainder> {
        let chains = self.chains.iter().chain(&self.published);
        let chains = chains.filter_map(|digest| Sha256Digest::parse(digest));
        let children = self.children.iter().map(|run| ChildDeletion {
            run: run.clone(),
            expires_ms: self.expires_ms,
        });
        let mut remainders: Vec<Remainder> = chains.map(Remainder::Chain).collect();
        remainders.extend(children.map(Remainder::Child));
        remainders.extend(self.key.clone().map(Remainder::Key));
        remainders
    }

    /// Records that one remainder was removed.
    pub fn note_removed(&mut self, removed: &Remainder) {
        match removed {
            Remainder::Chain(digest) => {
                self.chains.retain(|chain| chain != digest.as_str());
                self.published = self.published.take().filter(|one| one != digest.as_str());
            }
            Remainder::Child(deletion) => self.children.retain(|run| *run != deletion.run),
            Remainder::Key(_) => self.key = None,
        }
    }

    /// Records that the run's documents were removed for good. If nothing else remains either, the run is swept.
    pub fn note_documents_removed(&mut self) {
        self.is_swept = self.remainders().is_empty();
    }
}

impl DeletionCount {
    /// Returns the count for the deleted run alone.
    #[must_use]
    pub fn of_one() -> Self {
        Self {
            deleted: 1,
            pending: 0,
        }
    }

    /// Adds the count that a child run responded with; `None` if the child has not responded.
    pub fn add(&mut self, answer: Option<Self>) {
        let answer = answer.unwrap_or(Self {
            deleted: 0,
            pending: 1,
        });
        self.deleted = self.deleted.saturating_add(answer.deleted);
        self.pending = self.pending.saturating_add(answer.pending);
    }
}

/// Returns the tokens of the child runs in these journal entries. Each token occurs once. A token is journaled before
/// its run begins, so some of these runs may not exist.
#[must_use]
pub fn children_of<E: Engine>(entries: &[String]) -> Vec<RunToken> {
    if !E::BEGINS_RUNS {
        return Vec::new();
    }
    let mut children: Vec<RunToken> = entries
        .iter()
        .filter_map(|json| child_begun::<E>(json))
        .collect();
    children.sort();
    children.dedup();
    children
}

fn child_begun<E: Engine>(json: &str) -> Option<RunToken> {
    match Entry::<E>::from_json(json).ok()? {
        Entry::Noted(note) => RunToken::parse(E::child_begun(&note)?).ok(),
        _ => None,
    }
}

/// The reservation of a run, as its object stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldBudget {
    run: String,
    amount: Amount,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_settled: bool,
}

impl HeldBudget {
    /// Makes the reservation of a run that is about to begin.
    #[must_use]
    pub fn new(run: &str, amount: Amount) -> Self {
        Self {
            run: run.to_owned(),
            amount,
            is_settled: false,
        }
    }

    /// Returns the run's token.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Returns the reserved amount.
    #[must_use]
    pub fn amount(&self) -> Amount {
        self.amount
    }

    /// Returns whether the run's spending was already reported to the budget.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Marks the run's spending as reported to the budget.
    #[must_use]
    pub fn settled(mut self) -> Self {
        self.is_settled = true;
        self
    }
}

/// Returns what a stopped run has spent according to its last event, without the spending that its child runs report
/// themselves. A run that was interrupted or has no last event may have spent more. In that case, the whole reservation
/// counts as spent, unless no call was ever sent.
#[must_use]
pub fn spent_of<E: Engine>(
    entries: &[String],
    last_event: Option<&str>,
    reserved: Amount,
) -> Amount {
    let entries = || entries.iter().map(|json| Entry::<E>::from_json(json));
    if let Some(spent) = last_event.and_then(E::spent) {
        let children: u64 = if E::BEGINS_RUNS {
            let entries = entries().flatten();
            entries.map(|entry| child_nano_usd(&entry)).sum()
        } else {
            0
        };
        return Amount {
            nano_usd: spent.nano_usd.saturating_sub(children),
            ..spent
        };
    }
    // An unreadable entry may record a call of any cost.
    if entries().any(|entry| entry.map_or(true, |entry| may_have_cost(&entry))) {
        reserved
    } else {
        Amount::default()
    }
}

/// Returns the cost of a child run if the entry records its end; otherwise 0.
fn child_nano_usd<E: Engine>(entry: &Entry<E>) -> u64 {
    match entry {
        Entry::Answer(answer) if E::is_child(answer.key()) => answer.nano_usd(),
        _ => 0,
    }
}

fn may_have_cost<E: Engine>(entry: &Entry<E>) -> bool {
    matches!(entry, Entry::Intent { attempt, nano_usd, .. } if E::may_cost(*attempt, *nano_usd))
}

/// The bytes that a tool returned to a run, with their digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactFrame<'bytes> {
    /// The digest of the bytes.
    pub digest: Sha256Digest,
    /// The MIME type, such as `image/png`.
    pub mime_type: &'bytes str,
    /// The bytes as the tool returned them.
    pub bytes: &'bytes [u8],
}

impl<'bytes> ArtifactFrame<'bytes> {
    /// Appends the frame to `frames`.
    pub fn write(&self, frames: &mut Vec<u8>) {
        let line = format!("{} {} {}\n", self.digest, self.bytes.len(), self.mime_type);
        frames.extend(line.as_bytes());
        frames.extend(self.bytes);
    }

    /// Takes the first frame. Returns `None` if none is left, or if the rest is malformed.
    pub fn take(frames: &mut &'bytes [u8]) -> Option<Self> {
        let end = frames.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = frames.split_at_checked(end)?;
        let mut words = str::from_utf8(line).ok()?.splitn(3, ' ');
        let digest = Sha256Digest::parse(words.next()?)?;
        let length = words.next()?.parse().ok()?;
        let mime_type = words.next()?;
        let (bytes, rest) = rest.get(1..)?.split_at_checked(length)?;
        *frames = rest;
        Some(Self {
            digest,
            mime_type,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    mod deleted_run {
        use super::*;

        const CHILD: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

        fn deleted() -> DeletedRun {
            let digests = [1, 2].map(|byte| Sha256Digest::new([byte; 32]));
            let child = RunToken::parse(CHILD).unwrap();
            DeletedRun::new("s1.run", 7, &digests, &[child], Some("ab".into()))
        }

        #[test]
        fn stored_format_unchanged_and_that_of_0_3_0_is_read() {
            let (ones, twos) = ("01".repeat(32), "02".repeat(32));
            let json = format!(
                r#"{{"run":"s1.run","expiresMs":7,"isSwept":false,"chains":["{ones}","{twos}"],"children":["{CHILD}"],"key":"ab"}}"#
            );
            assert_eq!(serde_json::to_string(&deleted()).unwrap(), json);
            assert_eq!(
                serde_json::from_str::<DeletedRun>(&json).unwrap(),
                deleted()
            );
            let before =
                format!(r#"{{"run":"s1.run","expiresMs":7,"isSwept":false,"published":"{ones}"}}"#);
            let read: DeletedRun = serde_json::from_str(&before).unwrap();
            let chain = Remainder::Chain(Sha256Digest::new([1; 32]));
            assert_eq!(read.remainders(), [chain]);
        }

        /// Each remainder must be retried until it is removed, in any order and whatever fails. Until then, the run
        /// is not swept.
        #[test]
        fn a_run_is_swept_once_nothing_is_left() {
            for works in 0_u32..1 << 12 {
                let mut deleted = deleted();
                let mut tries = 0;
                for _ in 0..3 {
                    for remainder in deleted.remainders() {
                        if works & (1 << tries) != 0 {
                            deleted.note_removed(&remainder);
                            assert!(!deleted.remainders().contains(&remainder));
                        }
                        tries += 1;
                    }
                    deleted.note_documents_removed();
                    assert_eq!(deleted.is_swept(), deleted.remainders().is_empty());
                }
            }
            let mut old: DeletedRun = serde_json::from_str(&format!(
                r#"{{"run":"s1.run","expiresMs":7,"isSwept":false,"published":"{}"}}"#,
                "01".repeat(32)
            ))
            .unwrap();
            old.note_removed(&Remainder::Chain(Sha256Digest::new([1; 32])));
            assert!(old.remainders().is_empty());
        }

        #[test]
        fn a_run_that_has_not_begun_leaves_nothing_to_sweep() {
            let deletion = ChildDeletion {
                run: CHILD.into(),
                expires_ms: 7,
            };
            let deleted = DeletedRun::before_it_began(deletion);
            assert!(deleted.is_swept() && deleted.remainders().is_empty());
            assert_eq!((deleted.run(), deleted.expires_ms()), (CHILD, 7));
        }

        #[test]
        fn runs_are_counted_with_those_that_they_began() {
            let mut count = DeletionCount::of_one();
            count.add(Some(DeletionCount::of_one()));
            count.add(Some(DeletionCount {
                deleted: 2,
                pending: 1,
            }));
            count.add(Some(DeletionCount::default()));
            count.add(None);
            assert_eq!((count.deleted, count.pending), (4, 2));
            let json = r#"{"deleted":4,"pending":2}"#;
            assert_eq!(serde_json::to_string(&count).unwrap(), json);
        }
    }

    mod children {
        use super::*;
        use workflow::wire::{WorkflowEngine, WorkflowNote};

        const ONE: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";
        const OTHER: &str = "s2.BBBBBBBBBBBBBBBBBBBBBB";

        fn noted(run: &str) -> String {
            let run = run.to_owned();
            Entry::<WorkflowEngine>::Noted(WorkflowNote::Child { command: 1, run }).to_json()
        }

        #[test]
        fn each_run_that_was_begun_is_named_once() {
            let entries = [
                r#"{"woken":{"now":1}}"#.to_owned(),
                noted(OTHER),
                noted(ONE),
                noted(OTHER),
                noted("no token"),
                "of another version".to_owned(),
            ];
            let children: Vec<String> = children_of::<WorkflowEngine>(&entries)
                .iter()
                .map(RunToken::to_string)
                .collect();
            assert_eq!(children, [ONE, OTHER]);
            assert!(children_of::<WorkflowEngine>(&[]).is_empty());
        }
    }

    mod account {
        use super::*;
        use investigation::wire::InvestigationEngine;

        const RESERVED: Amount = Amount {
            searches: 20,
            recognitions: 100,
            nano_usd: 300,
        };
        const OPENED: &str = r#"{"woken":{"now":1}}"#;
        const INTENT: &str = r#"{"intent":{"command":1,"attempt":1,"request":"x"}}"#;

        #[track_caller]
        fn check(entries: &[&str], last_event: Option<&str>, expected: Amount) {
            let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
            assert_eq!(
                spent_of::<InvestigationEngine>(&entries, last_event, RESERVED),
                expected
            );
        }

        #[test]
        fn a_run_that_ended_by_itself_has_spent_what_its_last_event_says() {
            let spent = r#""spent":{"searchCalls":3,"rekognitionCalls":7,"llmCalls":1,"runtimeMs":5,"usd":0.0000001,"photos":{}}"#;
            let expected = Amount {
                searches: 3,
                recognitions: 7,
                nano_usd: 100,
            };
            for told in [
                r#""type":"final""#,
                r#""type":"no_path""#,
                r#""type":"error","code":"rekognition""#,
            ] {
                let event = format!("{{{told},{spent}}}");
                check(&[OPENED, INTENT], Some(&event), expected);
            }
            for told in [r#""type":"error","code":"internal""#, r#""type":"status""#] {
                let event = format!("{{{told},{spent}}}");
                check(&[OPENED, INTENT], Some(&event), RESERVED);
            }
        }

        #[test]
        fn where_nothing_was_sent_nothing_was_spent() {
            let fetched_again = r#"{"intent":{"command":1,"attempt":0,"request":"x"}}"#;
            let interrupted = r#"{"type":"error","code":"internal","spent":{}}"#;
            check(&[OPENED], None, Amount::default());
            check(&[OPENED, fetched_again], None, Amount::default());
            check(&[OPENED], Some(interrupted), Amount::default());
            check(&[OPENED, INTENT], Some(interrupted), RESERVED);
            check(&[OPENED, "of another version"], None, RESERVED);
        }

        #[test]
        fn stored_format_unchanged_and_read_back() {
            let held = HeldBudget::new("s.r", RESERVED);
            let json = r#"{"run":"s.r","amount":{"searches":20,"recognitions":100,"nanoUsd":300}}"#;
            assert_eq!(serde_json::to_string(&held).unwrap(), json);
            assert_eq!(serde_json::from_str::<HeldBudget>(json).unwrap(), held);
            let settled = serde_json::to_string(&held.settled()).unwrap();
            assert!(
                serde_json::from_str::<HeldBudget>(&settled)
                    .unwrap()
                    .is_settled()
            );
        }
    }

    mod artifact_frames {
        use super::*;

        #[test]
        fn what_is_written_is_read_again() {
            let bytes: [&[u8]; 3] = [b"", b"a\nb \x00\xff", b"last"];
            let frame = |bytes: &&'static [u8]| ArtifactFrame {
                digest: Sha256Digest::of(bytes),
                mime_type: "image/png; of=a tool",
                bytes,
            };
            let mut frames = Vec::new();
            for bytes in &bytes {
                frame(bytes).write(&mut frames);
            }
            let mut left = frames.as_slice();
            for bytes in &bytes {
                assert_eq!(ArtifactFrame::take(&mut left), Some(frame(bytes)));
            }
            assert_eq!(ArtifactFrame::take(&mut left), None);
            // A sequence of frames that was cut off must not yield frames that were not written.
            for length in 0..frames.len() {
                let mut left = &frames[..length];
                while let Some(frame) = ArtifactFrame::take(&mut left) {
                    assert_eq!(frame.digest, Sha256Digest::of(frame.bytes));
                }
            }
        }
    }
}
