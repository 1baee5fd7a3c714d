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
    /// It has no HMAC.
    Unsigned,
    /// It may have one; no key is set here to check it.
    NotChecked,
}

/// The first difference between the file and what its answers lead to here.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "in", rename_all = "lowercase")]
pub enum Difference {
    /// An event differs, or is missing on one side.
    Event {
        /// Its position in the run, from 1.
        number: usize,
        /// As it is in the file.
        sealed: Option<Value>,
        /// As it is made here.
        replayed: Option<Value>,
    },
    /// A decision differs, or is missing on one side.
    Decision {
        /// Its position in the run, from 1.
        number: usize,
        /// As it is in the file.
        sealed: Option<Value>,
        /// As it is made here.
        replayed: Option<Value>,
    },
    /// The answer to this command fits nothing that is asked here.
    Answer {
        /// The number of the command; 0 where an entry belongs to no search.
        command: u32,
    },
    /// All events and decisions are the same, but the digest does not fit the content.
    Digest,
}

/// The digest, as it is stated and as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DigestCheck {
    /// The one that the file states.
    pub stated: String,
    /// The one of its content.
    pub computed: String,
    /// Whether they are the same.
    pub matches: bool,
}

/// The versions of the programs that made and executed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Engines {
    /// Of the one that made it.
    pub sealed: String,
    /// Of this one.
    pub replayed: String,
}

/// What `POST /replay` answers, and the program `replay` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether it is the same run.
    pub result: Verdict,
    /// In one sentence, for people.
    pub says: String,
    /// The run's public token, as the file states it.
    pub run: String,
    /// How many events it made when it was executed here.
    pub events: usize,
    /// By which programs it was made and executed.
    pub engine: Engines,
    /// Whether the file is consistent.
    pub digest: DigestCheck,
    /// Whether this server made it.
    pub origin: Origin,
    /// Where it differs first, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}
