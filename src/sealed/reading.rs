//! Reads a sealed file as slices of its text. Too many entries, events or decisions are refused before any of them is
//! stored, and an entry is parsed only when it is replayed.

use std::fmt;

use domain::Sha256Digest;
use engine::Engine;
use engine::journal::Entry;
use json::begins_object;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer as _, Error as _, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use thiserror::Error;

use crate::engines::EngineName;

use super::{FORMAT, SEALED_VERSION, digest_of};

/// The most characters of a member that is parsed as a short text, and the most bytes of its JSON. The bytes suffice
/// even if every character is escaped.
const WORD_CHARS_MAX: usize = 160;
const WORD_BYTES_MAX: usize = 2_000;

#[derive(Deserialize)]
struct FileSlices<'text> {
    #[serde(borrow)]
    format: &'text RawValue,
    #[serde(borrow)]
    version: &'text RawValue,
    #[serde(borrow)]
    body: &'text RawValue,
    #[serde(borrow)]
    digest: &'text RawValue,
    #[serde(borrow, default)]
    hmac: Option<&'text RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BodySlices<'text> {
    #[serde(borrow)]
    run: &'text RawValue,
    #[serde(borrow)]
    engine: &'text RawValue,
    #[serde(borrow)]
    order: &'text RawValue,
    #[serde(borrow, default)]
    forked_from: Option<&'text RawValue>,
    #[serde(borrow)]
    journal: &'text RawValue,
    #[serde(borrow)]
    decisions: &'text RawValue,
    #[serde(borrow)]
    events: &'text RawValue,
}

/// The members of a sealed file. The short ones are parsed, the long ones are slices of the text.
pub(super) struct SealedSlices<'text> {
    pub(super) digest: String,
    pub(super) hmac: Option<String>,
    /// The whole body, over which the digest is computed.
    pub(super) body: &'text str,
    pub(super) run: String,
    pub(super) engine: String,
    pub(super) engine_name: EngineName,
    order: &'text RawValue,
    pub(super) forked_from: Option<String>,
    journal: Vec<&'text RawValue>,
    pub(super) decisions: Vec<&'text RawValue>,
    pub(super) events: Vec<&'text RawValue>,
}

impl<'text> SealedSlices<'text> {
    /// Parses a file. Fails if it exceeds the limits.
    pub(super) fn read(text: &'text str, limits: ReplayLimits) -> Result<Self, ReplayError> {
        if text.len() > limits.bytes_max || values_at_most(text) > limits.values_max {
            return Err(ReplayError::TooLarge(limits));
        }
        let file: FileSlices = object(text)?;
        let format: String = word(file.format)?;
        let version = without_zero_fractions(word(file.version)?);
        if format != FORMAT || version != SEALED_VERSION {
            return Err(ReplayError::OtherFormat);
        }
        let body: BodySlices = object(file.body.get())?;
        let counted = |list: &'text RawValue, count_max| {
            let list = counted(list, count_max)?;
            list.ok_or(ReplayError::TooMany(limits))
        };
        let journal = counted(body.journal, limits.entries_max)?;
        let is_long = |entry: &&RawValue| entry.get().len() > limits.entry_bytes_max;
        if journal.iter().any(is_long) {
            return Err(ReplayError::TooLarge(limits));
        }
        let order = body.order.get();
        if order.len() > EngineName::order_bytes_max() {
            return Err(ReplayError::TooLarge(limits));
        }
        let is_object = begins_object(order.as_bytes());
        let engine_name = is_object.then(|| EngineName::of_order(order)).flatten();
        Ok(Self {
            digest: words(file.digest)?,
            hmac: file.hmac.map(words).transpose()?,
            body: file.body.get(),
            run: words(body.run)?,
            engine: words(body.engine)?,
            engine_name: engine_name
                .ok_or_else(|| ReplayError::unreadable(&"its order is of no known engine"))?,
            order: body.order,
            forked_from: body.forked_from.map(words).transpose()?,
            journal,
            decisions: counted(body.decisions, limits.events_max)?,
            events: counted(body.events, limits.events_max)?,
        })
    }

    /// Returns the order. Another program may have rewritten an integer as `5.0`, which counts as the same number.
    pub(super) fn order<E: Engine>(&self, limits: ReplayLimits) -> Result<E::Order, ReplayError> {
        if self.order.get().len() > E::ORDER_BYTES_MAX {
            return Err(ReplayError::TooLarge(limits));
        }
        if let Ok(order) = object(self.order.get()) {
            return Ok(order);
        }
        let order: Value = without_zero_fractions(object(self.order.get())?);
        parse(&order.to_string())
    }

    /// Returns the entries, each of which is parsed only when it is reached; `None` for an entry that no run writes.
    pub(super) fn entries<E: Engine>(&self) -> impl Iterator<Item = Option<Entry<E>>> {
        (self.journal.iter()).map(|entry| Entry::from_json(entry.get()).ok())
    }

    /// Returns whether the journal's last entry is [`Entry::Interrupted`]: the run could not continue.
    pub(super) fn is_interrupted<E: Engine>(&self) -> bool {
        let last = self.journal.last();
        let last = last.map(|entry| Entry::<E>::from_json(entry.get()));
        matches!(last, Some(Ok(Entry::Interrupted { .. })))
    }
}

/// Returns the digest that a file states. Fails if the file exceeds these limits, because whoever receives it must be
/// able to replay it within them.
pub fn digest_within(text: &str, limits: ReplayLimits) -> Result<Sha256Digest, ReplayError> {
    let file = SealedSlices::read(text, limits)?;
    let digest = Sha256Digest::parse(&file.digest);
    digest.ok_or_else(|| ReplayError::unreadable(&"its digest is malformed"))
}

/// Returns whether a sealed file states this digest, and its content really has this digest.
#[must_use]
pub fn is_of_digest(text: &str, digest: &Sha256Digest, limits: ReplayLimits) -> bool {
    let Ok(file) = SealedSlices::read(text, limits) else {
        return false;
    };
    file.digest == digest.as_str()
        && digest_of(file.body).is_ok_and(|computed| computed == digest.as_str())
}

/// Returns an upper bound for the number of JSON values in a text. It counts commas and opening brackets, including
/// those within strings.
fn values_at_most(text: &str) -> usize {
    let begins = |byte: &u8| matches!(byte, b',' | b'[' | b'{');
    text.as_bytes().iter().filter(|byte| begins(byte)).count()
}

/// Parses an object. Other texts are refused before parsing, because the parser's message would contain the whole
/// text.
fn object<'text, T: Deserialize<'text>>(json: &'text str) -> Result<T, ReplayError> {
    if !begins_object(json.as_bytes()) {
        return Err(ReplayError::unreadable(&"it is no JSON object"));
    }
    parse(json)
}

fn parse<'text, T: Deserialize<'text>>(json: &'text str) -> Result<T, ReplayError> {
    serde_json::from_str(json).map_err(|error| ReplayError::unreadable(&error))
}

/// Parses a member that is short in every genuine file.
fn word<T: DeserializeOwned>(json: &RawValue) -> Result<T, ReplayError> {
    if json.get().len() > WORD_BYTES_MAX {
        return Err(too_long());
    }
    parse(json.get())
}

fn without_zero_fractions(json: Value) -> Value {
    match json {
        Value::Number(number) => match number.as_f64() {
            // Below 2^53, every integer is exactly representable.
            Some(value) if number.is_f64() && value.fract() == 0.0 && value.abs() < 9e15 =>
            {
                #[allow(clippy::cast_possible_truncation)]
                Value::from(value as i64)
            }
            _ => Value::Number(number),
        },
        Value::Object(mut members) => {
            for value in members.values_mut() {
                *value = without_zero_fractions(value.take());
            }
            Value::Object(members)
        }
        other => other,
    }
}

fn words(json: &RawValue) -> Result<String, ReplayError> {
    let text: String = word(json)?;
    if text.chars().count() > WORD_CHARS_MAX {
        return Err(too_long());
    }
    Ok(text)
}

fn too_long() -> ReplayError {
    ReplayError::unreadable(&"a word of it is far too long")
}

/// Returns the elements of a list; `None` if there are more than `count_max`.
fn counted(list: &RawValue, count_max: usize) -> Result<Option<Vec<&RawValue>>, ReplayError> {
    if !list.get().starts_with('[') {
        return Err(ReplayError::unreadable(&"a list was expected"));
    }
    let mut is_over = false;
    let counted = Counted {
        count_max,
        is_over: &mut is_over,
    };
    let mut json = serde_json::Deserializer::from_str(list.get());
    match json.deserialize_seq(counted) {
        Ok(slices) => Ok(Some(slices)),
        Err(_) if is_over => Ok(None),
        Err(error) => Err(ReplayError::unreadable(&error)),
    }
}

struct Counted<'flag> {
    count_max: usize,
    is_over: &'flag mut bool,
}

impl<'text> Visitor<'text> for Counted<'_> {
    type Value = Vec<&'text RawValue>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'text>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut slices = Vec::new();
        while let Some(slice) = list.next_element()? {
            if slices.len() == self.count_max {
                // The rest of the list is not even parsed.
                *self.is_over = true;
                return Err(A::Error::custom("too many"));
            }
            slices.push(slice);
        }
        Ok(slices)
    }
}

/// The most characters of a parser's message that are repeated.
const WORDS_CHARS_MAX: usize = 200;

/// The reason why a text is not a sealed file, or is not replayed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The text, an entry or the question exceeds these limits.
    #[error(
        "The file is over {} bytes or {} values, or one entry is over {} bytes; execute it on your own machine: \
         cargo run --bin replay -- FILE.",
        .0.bytes_max, .0.values_max, .0.entry_bytes_max
    )]
    TooLarge(ReplayLimits),
    /// The text has more entries, decisions or events than these limits allow.
    #[error(
        "The file has over {} journal entries, {events} decisions or {events} events; execute it on your own machine: \
         cargo run --bin replay -- FILE.",
        .0.entries_max, events = .0.events_max
    )]
    TooMany(ReplayLimits),
    /// The replay takes more steps than [`ReplayLimits::steps_max`].
    #[error(
        "Executing the file takes over {} steps; execute it on your own machine: cargo run --release --bin replay \
         -- FILE.",
        .0.steps_max
    )]
    TooLong(ReplayLimits),
    /// The text is not a file of this format. Contains the parser's message.
    #[error("This is no sealed run ({0}); send the file that GET /runs/{{run}}/sealed gave.")]
    Unreadable(String),
    /// The text is JSON of another format or version.
    #[error("This is no \"{FORMAT}\" of version {SEALED_VERSION}.")]
    OtherFormat,
    /// Part of the file's question is invalid.
    #[error("The file's question is not valid: {0}.")]
    Question(String),
    /// Parts of the file's question contradict each other.
    #[error("The file's question is not valid: {0}.")]
    Conflict(String),
}

impl ReplayError {
    /// Returns whether exceeding the limits is the text's only fault. The program `replay` could then still replay it.
    #[must_use]
    pub fn is_too_much(&self) -> bool {
        matches!(
            self,
            Self::TooLarge(_) | Self::TooMany(_) | Self::TooLong(_)
        )
    }

    /// Makes the error for a text that is not of this format. The reason may quote the file, and is truncated.
    pub(super) fn unreadable(why: &impl ToString) -> Self {
        let words = why.to_string();
        Self::Unreadable(words.chars().take(WORDS_CHARS_MAX).collect())
    }
}

/// The limits on the files that are replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayLimits {
    /// The most bytes of the file.
    pub bytes_max: usize,
    /// The most journal entries.
    pub entries_max: usize,
    /// The most events, and the most decisions.
    pub events_max: usize,
    /// The most bytes of one entry. A search answer of ten hits with long descriptions has 30,000.
    pub entry_bytes_max: usize,
    /// The most JSON values, counted as commas and opening brackets. A genuine file has at most one in 17 bytes; a file
    /// with far more costs far more to parse than its length suggests.
    pub values_max: usize,
    /// The most steps. For each entry the machine may visit every known person and edge, and each visit is a step. Time
    /// cannot be the limit, since a Worker's clock stands still while it computes.
    pub steps_max: u64,
}

impl ReplayLimits {
    /// The limits of a server that replays for anybody. They are five times what a run with the default caps makes.
    pub const SERVER: Self = Self {
        bytes_max: 4 * 1024 * 1024,
        entries_max: 10_000,
        events_max: 20_000,
        entry_bytes_max: 256 * 1024,
        values_max: 300_000,
        steps_max: 5_000_000,
    };
    /// The limits of a program on one's own machine. They suffice for the largest caps, and for forks of forks.
    pub const PROGRAM: Self = Self {
        bytes_max: 256 * 1024 * 1024,
        entries_max: 1_000_000,
        events_max: 2_000_000,
        entry_bytes_max: 16 * 1024 * 1024,
        values_max: usize::MAX,
        steps_max: u64::MAX,
    };
}
