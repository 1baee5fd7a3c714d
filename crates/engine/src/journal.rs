//! The write-ahead journal of a run: what was sent, answered and given to the machine, in order, so that another
//! process can resume the run after a crash, and anyone can execute it again.
//!
//! The order of entries is guaranteed:
//!
//! 1. [`Entry::Intent`] is written before a call is sent.
//! 2. [`Entry::Answer`] is written as soon as the answer arrives, before the machine sees it.
//! 3. [`Entry::Input`] is written, with its time, before the machine is given it. The events that follow from it are
//!    stored before a viewer sees them.
//!
//! Several commands may be pending at once. Intents and answers name their command's number; inputs are in the order in
//! which the machine took them.

mod rebuild;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use json::{Size, size};
use kernel::{Answer, CommandId, Input, LostCall, Millis};
use providers::calls::{AnswerSource, SetAside};

use crate::{Engine, Opened, key_digest};

pub use rebuild::{
    InheritedAnswers, RebuildError, RebuiltRun, ReceivedAnswer, Suspects, WAKES_WITHOUT_ANSWER_MAX,
    answers_to_inherit, read_entries, rebuild, wakes_without_answer,
};

/// The version of all journal entries.
pub const ENTRY_VERSION: u32 = 2;

/// The most providers that one answer may set aside, and the most remarks that it may have.
const ROWS_MAX: usize = 20;
/// The longest of these texts, in bytes.
const TEXT_BYTES_MAX: usize = 2_000;

/// The longest remark (one sentence), in bytes.
const REMARK_BYTES_MAX: usize = 1_000;
/// The most lost calls of one input: no more calls are in flight at once.
const LOST_MAX: usize = 16;

/// One entry of a journal. The variants that concern only the processes of one server (`Woken`, `Reading`, `Read`,
/// `Noted`, `Written`, `Closed`) are in no sealed file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", bound = "")]
pub enum Entry<E: Engine> {
    /// The run began: the first entry, and the only one of its kind.
    Opened(Opened<E>),
    /// An answer of the run that this one was forked from.
    #[serde(rename = "kept")]
    Inherited(AnswerEntry<E>),
    /// A process begins or resumes the run.
    Woken {
        /// The time at which it did, in milliseconds since 1970.
        now: u64,
    },
    /// An attempt of a call is about to be sent.
    Intent {
        /// The number of the command to which the attempt belongs.
        command: CommandId,
        /// The number of the attempt, from 1; 0 for refetching a photo that is to be recognised.
        attempt: u32,
        /// The [`key_digest`] of the call.
        request: String,
        /// The most that the attempt may cost, in billionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        nano_usd: u64,
    },
    /// An answer is about to be read, to a call that was in flight when an earlier process ended.
    Reading {
        /// The number of its command.
        command: CommandId,
    },
    /// That answer was read without ending the process.
    Read {
        /// The number of its command.
        command: CommandId,
    },
    /// A note with what another process needs to resume a call, written before the call sends anything.
    Noted(E::Note),
    /// A call was answered or given up.
    Answer(AnswerEntry<E>),
    /// The machine is about to be given an input.
    Input(InputEntry),
    /// Documents are about to be written.
    Written {
        /// The sequence number of the last of them.
        sequence: u32,
    },
    /// The run cannot continue.
    Interrupted {
        /// The time at which this was found, in milliseconds since 1970.
        now: u64,
    },
    /// The last documents are written, and nothing is left to do.
    Closed {},
}

impl<E: Engine> Entry<E> {
    /// Returns whether a run could have written an entry of this size. Entries may come from an untrusted file.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        match self {
            Self::Input(input) => input.input.is_plausible(),
            Self::Answer(answer) => answer.is_plausible(),
            _ => true,
        }
    }

    /// Makes the entry of an input and its time.
    #[must_use]
    pub fn input(input: &Input<E::Outcome>, now: Millis) -> Self {
        Self::Input(InputEntry {
            now: now.0,
            input: InputForm::of(input),
        })
    }

    /// Makes the entry of an attempt, from 1; 0 for refetching a photo that is to be recognised.
    #[must_use]
    pub fn intent(command: CommandId, attempt: u32, key: &E::Key, nano_usd: u64) -> Self {
        Self::Intent {
            command,
            attempt,
            request: key_digest(key).to_string(),
            nano_usd,
        }
    }

    /// Returns the line of JSON that is stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        // An entry has string keys and finite numbers, so that serializing it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`Self::to_json`] wrote.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        let most = Size {
            weight: E::ENTRY_WEIGHT_MAX,
            string_bytes: E::ENTRY_STRING_BYTES_MAX,
            list_values: E::ENTRY_LIST_MAX,
        };
        if !size(json.as_bytes()).is_within(most) {
            return Err(serde_json::Error::custom("an entry that no run makes"));
        }
        serde_json::from_str(json)
    }

    /// Returns whether a sealed file contains the entry.
    #[must_use]
    pub fn is_of_the_search(&self) -> bool {
        matches!(
            self,
            Self::Intent { .. } | Self::Answer(_) | Self::Input(_) | Self::Interrupted { .. }
        )
    }
}

/// The stored form of an [`Input`] and its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// The time, in milliseconds since 1970.
    now: u64,
    #[serde(rename = "given")]
    input: InputForm,
}

impl InputEntry {
    /// Returns the time that the machine was given along with the input.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(self.now)
    }

    /// Returns the input. If it is an answer, returns the command's number as an error: the answer itself is in an
    /// earlier entry.
    pub fn input<Outcome>(self) -> Result<Input<Outcome>, CommandId> {
        self.input.read()
    }
}

/// The stored form of an [`Answer`] and its call's key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct AnswerEntry<E: Engine> {
    command: CommandId,
    #[serde(rename = "asked")]
    key: E::Key,
    attempts: u32,
    /// The attempts, besides `attempts`, that were throttled and not charged.
    #[serde(default, skip_serializing_if = "is_zero")]
    throttled: u32,
    nano_usd: u64,
    /// The provider that answered or, failing that, was asked last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    /// The providers that were asked earlier and are set aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<SetAside>,
    /// Sentences that tell viewers how the answer was obtained.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    /// SHA-256 of the provider's raw body, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// Whether the answer comes from an earlier run, so that nothing was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
    /// The time at which the provider gave a remembered answer to another run, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    given_ms: Option<u64>,
    outcome: E::Outcome,
}

impl<E: Engine> AnswerEntry<E> {
    /// Makes the entry of an answer to a call.
    #[must_use]
    pub fn new(key: E::Key, answer: &Answer<E::Outcome>, source: AnswerSource) -> Self {
        Self {
            command: answer.command,
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
            outcome: answer.outcome.clone(),
        }
    }

    /// Returns the number of the answered command.
    #[must_use]
    pub fn command(&self) -> CommandId {
        self.command
    }

    /// Returns the key of the answered call.
    #[must_use]
    pub fn key(&self) -> &E::Key {
        &self.key
    }

    /// Returns the provider that answered or was asked last, if known.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Returns the providers that were asked earlier and are set aside.
    #[must_use]
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Returns what the attempts cost, in billionths of a dollar.
    #[must_use]
    pub fn nano_usd(&self) -> u64 {
        self.nano_usd
    }

    /// Returns whether the answer has remarks for viewers.
    #[must_use]
    pub fn tells(&self) -> bool {
        !self.remarks.is_empty()
    }

    /// Returns whether a run could have written an answer of this size.
    fn is_plausible(&self) -> bool {
        let rows = self.set_aside.iter().map(|row| &row.provider);
        let mut texts = self.provider.iter().chain(rows).chain(&self.remarks);
        self.set_aside.len() <= ROWS_MAX
            && self.remarks.len() <= ROWS_MAX
            && texts.all(|text| text.len() <= TEXT_BYTES_MAX)
    }

    /// Returns whether the provider gave the requested result.
    #[must_use]
    pub fn is_success(&self) -> bool {
        E::is_success(&self.outcome)
    }

    /// Returns whether the answer comes from an earlier run.
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.reused
    }

    /// Returns what a fork of this run may reuse: successes only, so that failed calls are made again.
    pub fn into_success(self) -> Option<(E::Key, E::Outcome)> {
        if !self.is_success() {
            return None;
        }
        Some((self.key, self.outcome))
    }

    /// Restores the answer.
    #[must_use]
    pub fn into_answer(self) -> Answer<E::Outcome> {
        Answer {
            command: self.command,
            attempts: self.attempts,
            throttled: self.throttled,
            nano_usd: self.nano_usd,
            outcome: self.outcome,
            remarks: self.remarks,
        }
    }
}

/// The stored form of an [`Input`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum InputForm {
    Start,
    Answer(CommandId),
    Stop { lost: Vec<LostCall> },
    Withdrawn { lost: Vec<LostCall> },
    Remark(String),
    Resumed { lost: Vec<LostCall> },
}

impl InputForm {
    fn is_plausible(&self) -> bool {
        match self {
            Self::Remark(remark) => remark.len() <= REMARK_BYTES_MAX,
            Self::Stop { lost } | Self::Withdrawn { lost } | Self::Resumed { lost } => {
                lost.len() <= LOST_MAX
            }
            Self::Start | Self::Answer(_) => true,
        }
    }

    fn of<Outcome>(input: &Input<Outcome>) -> Self {
        match input {
            Input::Start => Self::Start,
            Input::Answer(answer) => Self::Answer(answer.command),
            Input::Stop { lost } => Self::Stop { lost: lost.clone() },
            Input::Withdrawn { lost } => Self::Withdrawn { lost: lost.clone() },
            Input::Remark(remark) => Self::Remark(remark.clone()),
            Input::Resumed { lost } => Self::Resumed { lost: lost.clone() },
        }
    }

    /// Returns the input. If it is an answer, returns the command's number, which identifies the answer among those
    /// received.
    fn read<Outcome>(self) -> Result<Input<Outcome>, CommandId> {
        Ok(match self {
            Self::Start => Input::Start,
            Self::Answer(command) => return Err(command),
            Self::Stop { lost } => Input::Stop { lost },
            Self::Withdrawn { lost } => Input::Withdrawn { lost },
            Self::Remark(remark) => Input::Remark(remark),
            Self::Resumed { lost } => Input::Resumed { lost },
        })
    }
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}
