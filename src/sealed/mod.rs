//! Sealed files. Such a file contains a run in a form that anyone can check: its question, every answer, every
//! decision, its events, and a digest over all of these. Replaying it makes no provider call.
//!
//! The digest only shows that a file is consistent, because anybody can compute one. An HMAC with the operator's key
//! shows that this server made the file.

mod canonical;
mod reading;
mod replay;

use std::collections::BTreeSet;
use std::fmt;

use domain::{Secret, Sha256Digest};
use engine::Engine;
use engine::journal::{Entry, RebuildError, read_entries, rebuild};
use hmac::{Hmac, KeyInit as _, Mac as _};
use kernel::CommandId;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::engines::{EngineName, with_engine};

use canonical::spell;

pub use canonical::{CanonicalError, canonical};
pub use reading::{ReplayError, ReplayLimits, digest_within, is_of_digest};
pub use replay::{Verification, VerifiedLink, replay, verify, verify_to_json};

/// The version of the file format.
pub const SEALED_VERSION: u32 = 2;
/// The name of the format, which each file states.
const FORMAT: &str = "visual-degrees sealed run";

/// A sealed file as this program writes it. The digest is computed over the canonical spelling of `body`. Files from
/// strangers are parsed as slices instead (`reading.rs`).
#[derive(Debug, Serialize)]
struct SealedFile {
    format: String,
    version: u32,
    body: Box<RawValue>,
    /// SHA-256 over the canonical body, as 64 hexadecimal digits.
    digest: String,
    /// HMAC-SHA-256 of the digest with the operator's key, as 64 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    hmac: Option<String>,
}

/// The content of a sealed file, which the digest covers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase", bound = "")]
struct SealedBody<E: Engine> {
    /// The run's public token, `{session}.{run}`.
    run: String,
    /// The version of the program that made the run.
    engine: String,
    /// The accepted order.
    order: E::Order,
    /// The token of the run that was forked, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    forked_from: Option<String>,
    /// The commands, answers and inputs, in order.
    journal: Vec<Entry<E>>,
    /// Every decision of the machine, with its candidates and its reason.
    decisions: Vec<Value>,
    /// The JSON of every event, byte for byte as sent to viewers.
    events: Vec<Box<RawValue>>,
}

/// The reason why a run cannot be sealed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SealError {
    /// The run's journal is unreadable.
    #[error("the journal is unusable: {0}")]
    Journal(RebuildError),
    /// An event of the run is not JSON.
    #[error("an event is no JSON")]
    Event,
    /// The file has no canonical spelling.
    #[error("the file {0}")]
    Canonical(CanonicalError),
}

/// Seals an ended run from its whole journal, oldest entry first, and from the JSON of its events.
pub fn seal(
    entries: &[String],
    events: &[impl AsRef<str>],
    key: Option<&Secret>,
) -> Result<String, SealError> {
    let first = entries
        .first()
        .and_then(|first| EngineName::of_first_entry(first));
    match first {
        Some(engine) => with_engine!(engine, E => seal_as::<E>(entries, events, key)),
        None => Err(SealError::Journal(RebuildError::NotOpened)),
    }
}

fn seal_as<E: Engine>(
    entries: &[String],
    events: &[impl AsRef<str>],
    key: Option<&Secret>,
) -> Result<String, SealError> {
    let entries: Vec<Entry<E>> = read_entries(entries).map_err(SealError::Journal)?;
    let Some(Entry::Opened(opened)) = entries.first().cloned() else {
        return Err(SealError::Journal(RebuildError::NotOpened));
    };
    let received: BTreeSet<CommandId> = entries.iter().filter_map(Entry::received_answer).collect();
    // An answer that came too late has decided nothing, and the run has not shown what is in it.
    let is_late = |entry: &Entry<E>| match entry {
        Entry::Answer(answer) => !received.contains(&answer.command()),
        _ => false,
    };
    let sealed = entries
        .iter()
        .filter(|entry| entry.is_of_the_search() && !is_late(entry));
    let journal = sealed.cloned().collect();
    // A failed run is not always reproducible. If it is not, its file has no decisions.
    let decisions = rebuild(entries)
        .map(|rebuilt| E::decisions(rebuilt.state().machine(), 0))
        .unwrap_or_default();
    let raw = |event: &_| RawValue::from_string(AsRef::<str>::as_ref(event).to_owned());
    let events: Result<_, _> = events.iter().map(raw).collect();
    let sealed: SealedBody<E> = SealedBody {
        run: opened.run,
        engine: opened.engine,
        order: opened.order,
        forked_from: opened.forked_from,
        journal,
        decisions,
        events: events.map_err(|_| SealError::Event)?,
    };
    let body = serde_json::value::to_raw_value(&sealed).map_err(|_| SealError::Event)?;
    let digest = digest_of(body.get()).map_err(SealError::Canonical)?;
    let file = SealedFile {
        format: FORMAT.to_owned(),
        version: SEALED_VERSION,
        hmac: key.map(|key| hmac_of(&digest, key)),
        body,
        digest,
    };
    serde_json::to_string(&file).map_err(|_| SealError::Event)
}

/// Returns the SHA-256 of a body's canonical spelling, without having the whole spelling in memory.
fn digest_of(body: &str) -> Result<String, CanonicalError> {
    let mut digesting = Digesting::default();
    spell(body, &mut digesting)?;
    Ok(digesting.finish().to_string())
}

/// The size of the buffer for text that waits to be hashed, in bytes.
const CHUNK_BYTES: usize = 8_192;

/// A writer that hashes the text written to it.
#[derive(Default)]
struct Digesting {
    hasher: Sha256,
    /// The text not hashed yet: hashing small pieces is slow.
    waiting: String,
}

impl Digesting {
    fn finish(mut self) -> Sha256Digest {
        self.hasher.update(self.waiting.as_bytes());
        Sha256Digest::new(self.hasher.finalize().into())
    }
}

impl fmt::Write for Digesting {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.waiting.len() + text.len() > CHUNK_BYTES {
            self.hasher.update(self.waiting.as_bytes());
            self.waiting.clear();
        }
        if text.len() > CHUNK_BYTES {
            self.hasher.update(text.as_bytes());
        } else {
            self.waiting.push_str(text);
        }
        Ok(())
    }
}

fn hmac_of(digest: &str, key: &Secret) -> String {
    match keyed(digest, key) {
        Some(mac) => Sha256Digest::new(mac.finalize().into_bytes().into()).to_string(),
        None => String::new(),
    }
}

/// Returns whether the HMAC belongs to this digest and key, in constant time.
fn is_hmac_of(hmac: &str, digest: &str, key: &Secret) -> bool {
    // This program writes no upper-case digits.
    let hmac = Sha256Digest::parse(hmac).and_then(|hmac| hex::decode(hmac.as_str()).ok());
    let mac = hmac.zip(keyed(digest, key));
    mac.is_some_and(|(hmac, mac)| mac.verify_slice(&hmac).is_ok())
}

fn keyed(digest: &str, key: &Secret) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.reveal().as_bytes()).ok()?;
    mac.update(digest.as_bytes());
    Some(mac)
}

/// Whether a replay yields the run that the file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The digest matches the content, and the replay yields the same events and decisions.
    Identical,
    /// The digest or the replay differs. `difference` says where.
    Different,
}

/// Whether this server made a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The file's HMAC belongs to this operator's key.
    ThisServer,
    /// The file's HMAC belongs to another key or another digest.
    NotThisServer,
    /// The file has no HMAC.
    Unsigned,
    /// The file may have an HMAC, but no key is configured to check it.
    NotChecked,
}

/// The first difference between the file and its replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "in", rename_all = "lowercase")]
pub enum Difference {
    /// An event differs, or is missing on one side.
    Event {
        /// The event's number in the run, from 1.
        number: usize,
        /// The event in the file.
        sealed: Option<Value>,
        /// The event of the replay.
        replayed: Option<Value>,
    },
    /// A decision differs, or is missing on one side.
    Decision {
        /// The decision's number in the run, from 1.
        number: usize,
        /// The decision in the file.
        sealed: Option<Value>,
        /// The decision of the replay.
        replayed: Option<Value>,
    },
    /// The answer to this command matches nothing that the replay requests.
    Answer {
        /// The number of the command; 0 for an entry that does not belong in a sealed file.
        command: u32,
    },
    /// All events and decisions are equal, but the digest does not match the content.
    Digest,
}

/// The digest that a file states, and the digest of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DigestCheck {
    /// The digest that the file states.
    pub stated: String,
    /// The digest of the file's content.
    pub computed: String,
    /// Whether the two are the same.
    pub matches: bool,
}

/// The version of the program that made the file, and that of the program that replayed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Engines {
    /// The version of the program that made the file.
    pub sealed: String,
    /// The version of this program.
    pub replayed: String,
}

/// The report of `POST /replay` and of the program `replay`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether the replay yields the same run.
    pub result: Verdict,
    /// The result in one sentence for people.
    pub says: String,
    /// The run's public token, as the file states it.
    pub run: String,
    /// The number of events that the replay emitted.
    pub events: usize,
    /// The versions of the programs that made and replayed the file.
    pub engine: Engines,
    /// The check of the digest.
    pub digest: DigestCheck,
    /// Whether this server made the file.
    pub origin: Origin,
    /// The first difference, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}
