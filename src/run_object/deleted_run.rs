//! What is left of a run that was deleted, and what has still to be removed elsewhere.

use serde::{Deserialize, Serialize};

use domain::{RunToken, Sha256Digest};

use super::messages::{ChildDeletion, DeletionCount};

/// The note that an object keeps of its run that was deleted, until the run would have expired.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedRun {
    run: String,
    expires_ms: u64,
    is_swept: bool,
    /// The digest of the file that was published of the run, as 0.3.0 noted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    published: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chains: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    children: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// Something of a deleted run that is still elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remainder {
    /// A file that was published of the run.
    Chain(Sha256Digest),
    /// A run that the run began.
    Child(ChildDeletion),
    /// What the run's idempotency key, of this digest, was used for.
    Key(String),
}

impl DeletedRun {
    /// Returns the note of a run that was here, with what was published of it, the runs that it began,
    /// and the digest of its idempotency key.
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

    /// Returns the note of a run that has not begun, and never will: nothing of it is anywhere.
    #[must_use]
    pub fn before_it_began(deletion: ChildDeletion) -> Self {
        Self {
            run: deletion.run,
            expires_ms: deletion.expires_ms,
            is_swept: true,
            ..Self::default()
        }
    }

    /// Returns the run's token as it was stored.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Returns when the run would have expired, in milliseconds since 1970.
    #[must_use]
    pub fn expires_ms(&self) -> u64 {
        self.expires_ms
    }

    /// Returns whether nothing is left elsewhere.
    #[must_use]
    pub fn is_swept(&self) -> bool {
        self.is_swept
    }

    /// Returns what is still elsewhere beside the run's documents.
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

    /// Notes that something is there no more.
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

    /// Notes that the run's documents were removed for the last time: the run is swept, if nothing else
    /// is left.
    pub fn note_documents_removed(&mut self) {
        self.is_swept = self.remainders().is_empty();
    }
}

impl DeletionCount {
    /// Returns the count of the run that was deleted, alone.
    #[must_use]
    pub fn of_one() -> Self {
        Self {
            deleted: 1,
            pending: 0,
        }
    }

    /// Adds what a run that this one began has answered; `None` where it has not answered.
    pub fn add(&mut self, answer: Option<Self>) {
        let answer = answer.unwrap_or(Self {
            deleted: 0,
            pending: 1,
        });
        self.deleted = self.deleted.saturating_add(answer.deleted);
        self.pending = self.pending.saturating_add(answer.pending);
    }
}

#[cfg(test)]
mod tests {
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

    /// Each thing is tried until it is removed, in any order and with any failures, and the run is swept
    /// no earlier.
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
