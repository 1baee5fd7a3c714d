//! The result of executing a sealed file again.

use serde::Serialize;
use serde_json::Value;

/// Whether it is the same run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The digest fits the content, and the file executed again tells the same.
    Identical,
    /// The digest or what it tells is another; `difference` says where.
    Different,
}

/// The origin of a file: whether this server made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The file's HMAC is of this operator's key.
    ThisServer,
    /// The file has an HMAC of another key or of another digest.
    NotThisServer,
    /// The file has no HMAC.
    Unsigned,
    /// The file may have an HMAC, but no key is set here to check it.
    NotChecked,
}

/// The first difference between the file and what its answers lead to here.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "in", rename_all = "lowercase")]
pub enum Difference {
    /// An event differs, or is missing on one side.
    Event {
        /// The event's position in the run, from 1.
        number: usize,
        /// The event in the file.
        sealed: Option<Value>,
        /// The event that is made here.
        replayed: Option<Value>,
    },
    /// A decision differs, or is missing on one side.
    Decision {
        /// The decision's position in the run, from 1.
        number: usize,
        /// The decision in the file.
        sealed: Option<Value>,
        /// The decision that is made here.
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
    /// The digest that the file states.
    pub stated: String,
    /// The digest of the file's content.
    pub computed: String,
    /// Whether the two are the same.
    pub matches: bool,
}

/// The versions of the programs that made and executed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Engines {
    /// The version of the program that made it.
    pub sealed: String,
    /// The version of this program.
    pub replayed: String,
}

/// The report that `POST /replay` answers, and that the program `replay` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether it is the same run.
    pub result: Verdict,
    /// The result in one sentence, for people.
    pub says: String,
    /// The run's public token, as the file states it.
    pub run: String,
    /// The number of events that the run made when it was executed here.
    pub events: usize,
    /// The versions of the programs that made and executed it.
    pub engine: Engines,
    /// The digest, by which the file is consistent or not.
    pub digest: DigestCheck,
    /// Whether this server made it.
    pub origin: Origin,
    /// The first difference, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}
