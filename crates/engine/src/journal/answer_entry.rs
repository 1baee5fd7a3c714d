//! The stored form of an answer, and where the answer came from.

use serde::{Deserialize, Serialize};

use kernel::{Answer, CommandId};
use providers::calls::{AnswerSource, SetAside};

use crate::Engine;

/// The most providers that one answer may set aside, and the most sentences that it may tell.
const ROWS_MAX: usize = 20;
/// The longest of these sentences, in bytes.
const TEXT_BYTES_MAX: usize = 2_000;

/// The stored form of an [`Answer`], with what was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct AnswerEntry<E: Engine> {
    command: u32,
    #[serde(rename = "asked")]
    key: E::Key,
    attempts: u32,
    /// The attempts beside `attempts` that were throttled and not charged.
    #[serde(default, skip_serializing_if = "is_zero")]
    throttled: u32,
    nano_usd: u64,
    /// The provider that answered, or was asked last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    /// The providers that were asked before and are set aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<SetAside>,
    /// Sentences that tell viewers how the answer came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    /// SHA-256 of the provider's raw body, where one came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// Whether the answer is one of an earlier run, so that nothing was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
    /// The time at which the provider gave the answer to another run, in milliseconds since 1970, where it was
    /// remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    given_ms: Option<u64>,
    outcome: E::OutcomeForm,
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl<E: Engine> AnswerEntry<E> {
    /// Makes the entry of an answer to a call.
    #[must_use]
    pub fn new(key: E::Key, answer: &Answer<E::Outcome>, source: AnswerSource) -> Self {
        Self {
            command: answer.command.0,
            key,
            attempts: answer.attempts,
            throttled: answer.throttled,
            nano_usd: answer.nano_usd,
            provider: source.provider,
            set_aside: source.set_aside,
            remarks: answer.remarks.clone(),
            sha256: source.body.map(|digest| digest.to_string()),
            reused: source.is_reused,
            given_ms: source.given_ms,
            outcome: E::form(&answer.outcome),
        }
    }

    /// Returns the number of the command that it answers.
    #[must_use]
    pub fn command(&self) -> CommandId {
        CommandId(self.command)
    }

    /// Returns the key of the call that it answers.
    #[must_use]
    pub fn key(&self) -> &E::Key {
        &self.key
    }

    /// Returns the provider that answered, or was asked last, where it is known.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Returns the providers that were asked before and are set aside.
    #[must_use]
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Returns what the attempts cost, in billionths of a dollar.
    #[must_use]
    pub fn nano_usd(&self) -> u64 {
        self.nano_usd
    }

    /// Returns whether viewers are told something of how the answer came.
    #[must_use]
    pub fn tells(&self) -> bool {
        !self.remarks.is_empty()
    }

    /// Returns whether a run makes answers of this size.
    pub(super) fn is_plausible(&self) -> bool {
        let rows = self.set_aside.iter().map(|row| &row.provider);
        let mut texts = self.provider.iter().chain(rows).chain(&self.remarks);
        self.set_aside.len() <= ROWS_MAX
            && self.remarks.len() <= ROWS_MAX
            && texts.all(|text| text.len() <= TEXT_BYTES_MAX)
    }

    /// Returns whether the provider gave what was asked for.
    #[must_use]
    pub fn is_success(&self) -> bool {
        E::is_success(&self.outcome)
    }

    /// Returns whether the answer is one of an earlier run.
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.reused
    }

    /// Returns what a fork of this run may use again. Only a success is used again, so that what
    /// failed is asked again.
    pub fn into_success(self) -> Option<(E::Key, E::Outcome)> {
        if !self.is_success() {
            return None;
        }
        let outcome = E::outcome(self.outcome)?;
        Some((self.key, outcome))
    }

    /// Makes the answer again. Returns `None` where it is not of a form that this program writes.
    #[must_use]
    pub fn answer(self) -> Option<Answer<E::Outcome>> {
        Some(Answer {
            command: CommandId(self.command),
            attempts: self.attempts,
            throttled: self.throttled,
            nano_usd: self.nano_usd,
            outcome: E::outcome(self.outcome)?,
            remarks: self.remarks,
        })
    }
}
