//! What executing a sealed file again came to.

use serde::Serialize;
use serde_json::Value;

/// Whether it is the same run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The digest fits the content, and executed again it tells the same.
    Identical,
    /// It does not; `difference` says where.
    Different,
}

/// Whether this server made the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Its HMAC is of this operator's key.
    ThisServer,
    /// It has an HMAC, of another key or of another digest.
    NotThisServer,
    /// It has none.
    Unsigned,
    /// It may have one; no key is set here to check it.
    NotChecked,
}

/// The first difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "in", rename_all = "lowercase")]
pub enum Difference {
    /// An event: as it is in the file, and as it is told now. One of them may be missing.
    Event {
        /// From 1.
        number: usize,
        /// In the file.
        sealed: Option<Value>,
        /// Now.
        replayed: Option<Value>,
    },
    /// A decision.
    Decision {
        /// From 1.
        number: usize,
        /// In the file.
        sealed: Option<Value>,
        /// Now.
        replayed: Option<Value>,
    },
    /// The answer to this command fits no question that is asked now.
    Answer {
        /// The command's number.
        command: u32,
    },
    /// Everything is told alike, but the content is not what the digest was made of.
    Digest,
}

/// The digest, as it is stated and as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DigestCheck {
    /// In the file.
    pub stated: String,
    /// Of its content.
    pub computed: String,
    /// Whether they are the same.
    pub matches: bool,
}

/// Which programs made and executed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Engines {
    /// Made it.
    pub sealed: String,
    /// Executed it again.
    pub replayed: String,
}

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether it is the same run.
    pub result: Verdict,
    /// In one sentence, for people.
    pub says: String,
    /// The run's token.
    pub run: String,
    /// How many events it told when it was executed again.
    pub events: usize,
    /// The programs.
    pub engine: Engines,
    /// Whether the file is consistent.
    pub digest: DigestCheck,
    /// Whether this server made it.
    pub origin: Origin,
    /// Where it differs first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}
