//! A sealed file as anybody may send it: its parts are read one by one and in place, each within its
//! own bounds, so that reading takes little more memory than the file has.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::journal::{Entry, Order};
use crate::json::{begins_object, weight};

use super::file::{FORMAT, SEALED_VERSION};
use super::limits::{ReplayError, ReplayLimits};

/// The longest of the file's short texts, in bytes: ids, versions, digests.
const TEXT_BYTES_MAX: usize = 1_000;
/// What an order may weigh: two people, twenty to avoid, and numbers.
const ORDER_WEIGHT_MAX: usize = 100_000;
/// Events and decisions for an entry of the journal, at most; runs have fewer than one.
const TOLD_PER_ENTRY_MAX: usize = 4;

/// A file with its members as they came.
#[derive(serde::Deserialize)]
struct Members<'text> {
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

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct BodyMembers<'text> {
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

/// A file of this program's form and version.
pub(super) struct ReceivedFile<'text> {
    /// The text that the digest is made of.
    pub(super) body: &'text str,
    /// The digest that it states.
    pub(super) digest: String,
    pub(super) hmac: Option<String>,
}

/// Its content; every list as the texts of its values.
pub(super) struct ReceivedBody<'text> {
    pub(super) run: String,
    pub(super) engine: String,
    pub(super) order: Order,
    pub(super) forked_from: Option<String>,
    pub(super) journal: Vec<&'text RawValue>,
    pub(super) decisions: Vec<&'text RawValue>,
    pub(super) events: Vec<&'text RawValue>,
}

impl<'text> ReceivedFile<'text> {
    /// Reads the outermost members.
    pub(super) fn read(text: &'text str) -> Result<Self, ReplayError> {
        let file: Members =
            serde_json::from_str(object(text)?).map_err(|error| unreadable(&error))?;
        let format: String = short(file.format)?;
        let version: u32 = short(file.version)?;
        if format != FORMAT || version != SEALED_VERSION {
            return Err(ReplayError::OtherFormat);
        }
        Ok(Self {
            body: file.body.get(),
            digest: short(file.digest)?,
            hmac: file.hmac.map(short).transpose()?,
        })
    }
}

impl<'text> ReceivedBody<'text> {
    /// Reads the members of the content, and nothing of what is in its lists.
    pub(super) fn read(text: &'text str, limits: ReplayLimits) -> Result<Self, ReplayError> {
        let body: BodyMembers =
            serde_json::from_str(object(text)?).map_err(|error| unreadable(&error))?;
        let told_max = limits.entries_max.saturating_mul(TOLD_PER_ENTRY_MAX);
        Ok(Self {
            run: short(body.run)?,
            engine: short(body.engine)?,
            order: part(body.order, ORDER_WEIGHT_MAX)?,
            forked_from: body.forked_from.map(short).transpose()?,
            journal: list(body.journal, limits.entries_max, limits)?,
            decisions: list(body.decisions, told_max, limits)?,
            events: list(body.events, told_max, limits)?,
        })
    }
}

/// The entry of a journal.
pub(super) fn entry(raw: &RawValue) -> Result<Entry, ReplayError> {
    Entry::from_json(raw.get()).map_err(|error| unreadable(&error))
}

fn object(text: &str) -> Result<&str, ReplayError> {
    let object = Some(text).filter(|text| begins_object(text.as_bytes()));
    object.ok_or_else(|| ReplayError::Unreadable("it is no JSON object".into()))
}

fn unreadable(error: &serde_json::Error) -> ReplayError {
    ReplayError::Unreadable(error.to_string())
}

fn short<'text, T: Deserialize<'text>>(raw: &'text RawValue) -> Result<T, ReplayError> {
    part(raw, TEXT_BYTES_MAX)
}

/// A part of a weight; a reader's words about a longer one would be as long.
fn part<'text, T: Deserialize<'text>>(
    raw: &'text RawValue,
    weight_max: usize,
) -> Result<T, ReplayError> {
    if raw.get().len().max(weight(raw.get().as_bytes())) > weight_max {
        return Err(ReplayError::Unreadable("a part of it is too long".into()));
    }
    serde_json::from_str(raw.get()).map_err(|error| unreadable(&error))
}

fn list(
    raw: &RawValue,
    count_max: usize,
    limits: ReplayLimits,
) -> Result<Vec<&RawValue>, ReplayError> {
    let is_list = raw.get().starts_with('[');
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    let mut has_more = false;
    let values = ListVisitor {
        count_max,
        has_more: &mut has_more,
    };
    let values = is_list
        .then(|| reader.deserialize_seq(values).ok())
        .flatten();
    match values {
        Some(values) => Ok(values),
        None if has_more => Err(ReplayError::TooLarge(limits)),
        None => Err(ReplayError::Unreadable("a list of it is none".into())),
    }
}

/// Reads a list of at most so many values.
struct ListVisitor<'list> {
    count_max: usize,
    has_more: &'list mut bool,
}

impl<'text> Visitor<'text> for ListVisitor<'_> {
    type Value = Vec<&'text RawValue>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'text>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            if values.len() == self.count_max {
                *self.has_more = true;
                return Err(A::Error::custom("more values than a run has"));
            }
            values.push(value);
        }
        Ok(values)
    }
}
