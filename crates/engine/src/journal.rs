//! The write-ahead journal of a run. It records, in order, what was sent, what was answered and which inputs the
//! machine received. So another process can resume the run after a crash, and anyone can replay it.
//!
//! The order of entries is guaranteed:
//!
//! 1. [`Entry::Intent`] is written before a call is sent.
//! 2. [`Entry::Answer`] is written as soon as the answer arrives, before the machine sees it.
//! 3. [`Entry::Input`] is written, with its time, before the machine receives the input. The events that follow from
//!    the input are stored before a viewer sees them.
//!
//! Several commands may be pending at once. Intents and answers contain the number of their command. Inputs are in
//! the order in which the machine received them.

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

/// The most providers that one answer may set aside, and also the most remarks that it may have.
const ROWS_MAX: usize = 20;
/// The longest text in the stored form of an answer, except for remarks, in bytes.
const TEXT_BYTES_MAX: usize = 2_000;

/// The longest remark in an answer, in bytes. A remark is one sentence.
const REMARK_BYTES_MAX: usize = 1_000;
/// The most lost calls in one input. No more calls than that are ever in flight at once.
const LOST_MAX: usize = 16;

/// One entry of a journal. The variants `Woken`, `Reading`, `Read`, `Noted`, `Written` and `Closed` concern only the
/// processes of one server, so sealed files do not contain them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", bound = "")]
pub enum Entry<E: Engine> {
    /// The run began. This is the journal's first entry, and it occurs only once.
    Opened(Opened<E>),
    /// An answer that this run inherits from the run from which it was forked.
    #[serde(rename = "kept")]
    Inherited(AnswerEntry<E>),
    /// A process began or resumed the run.
    Woken {
        /// The time at which the process began, in milliseconds since 1970.
        now: u64,
    },
    /// An attempt of a call is about to be sent.
    Intent {
        /// The number of the command to which the attempt belongs.
        command: CommandId,
        /// The number of the attempt, counted from 1. It is 0 if a photo is fetched again or converted before it is
        /// recognised.
        attempt: u32,
        /// The [`key_digest`] of the call.
        request: String,
        /// The most that the attempt may cost, in billionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        nano_usd: u64,
    },
    /// The answer to a call is about to be read. The call was in flight when an earlier process ended, and may have
    /// caused that end.
    Reading {
        /// The number of the call's command.
        command: CommandId,
    },
    /// The answer of the preceding [`Entry::Reading`] was read without ending the process.
    Read {
        /// The number of the call's command.
        command: CommandId,
    },
    /// A note with what another process needs to resume a call, written before the call sends anything.
    Noted(E::Note),
    /// A call was answered or given up.
    Answer(AnswerEntry<E>),
    /// The machine is about to receive an input.
    Input(InputEntry),
    /// Documents are about to be written to KV.
    Written {
        /// The sequence number of the last of these documents.
        sequence: u32,
    },
    /// The run cannot continue.
    Interrupted {
        /// The time at which the process found this out, in milliseconds since 1970.
        now: u64,
    },
    /// The last documents were written, and the run needs no more work.
    Closed {},
}

impl<E: Engine> Entry<E> {
    /// Returns whether a run could have written an entry of this size. Entries from an untrusted file may be larger.
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

    /// Makes the entry of an attempt. `attempt` is its number, counted from 1, or 0 if a photo is fetched again or
    /// converted before it is recognised.
    #[must_use]
    pub fn intent(command: CommandId, attempt: u32, key: &E::Key, nano_usd: u64) -> Self {
        Self::Intent {
            command,
            attempt,
            request: key_digest(key).to_string(),
            nano_usd,
        }
    }

    /// Returns the entry as the line of JSON that is stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        // An entry has only string keys and finite numbers, so serializing it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Parses an entry from the JSON that [`Self::to_json`] returned.
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

    /// Returns the command whose answer the machine received with this entry; `None` for another entry.
    #[must_use]
    pub fn received_answer(&self) -> Option<CommandId> {
        match self {
            Self::Input(InputEntry {
                input: InputForm::Answer(command),
                ..
            }) => Some(*command),
            _ => None,
        }
    }

    /// Returns whether sealed files contain entries of this kind.
    #[must_use]
    pub fn is_of_the_search(&self) -> bool {
        matches!(
            self,
            Self::Intent { .. } | Self::Answer(_) | Self::Input(_) | Self::Interrupted { .. }
        )
    }
}

/// The stored form of an [`Input`] with its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// The time at which the machine received the input, in milliseconds since 1970.
    now: u64,
    #[serde(rename = "given")]
    input: InputForm,
}

impl InputEntry {
    /// Returns the time that the machine received along with the input.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(self.now)
    }

    /// Returns the input. If the input is an answer, returns the number of its command as an error, because the
    /// answer itself is in an earlier entry.
    pub fn input<Outcome>(self) -> Result<Input<Outcome>, CommandId> {
        self.input.read()
    }
}

/// The stored form of an [`Answer`], with the key of its call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct AnswerEntry<E: Engine> {
    command: CommandId,
    #[serde(rename = "asked")]
    key: E::Key,
    attempts: u32,
    /// The number of throttled attempts, which were not charged and are not included in `attempts`.
    #[serde(default, skip_serializing_if = "is_zero")]
    throttled: u32,
    nano_usd: u64,
    /// The id of the provider that answered. If none did, the one to which the last request was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    /// The providers that failed before the one in `provider` was asked. They are set aside from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<SetAside>,
    /// Sentences that inform viewers how the answer was obtained.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    /// The SHA-256 of the raw body that the provider sent, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// Whether the answer was inherited from an earlier run, so that nothing was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
    /// The time at which the provider gave this answer to an earlier run, in milliseconds since 1970; `None` unless the
    /// answer comes from the memory of earlier runs.
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

    /// Returns the id of the provider that answered or to which the last request was sent, if known.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Returns the providers that this answer sets aside because they failed before another one answered.
    #[must_use]
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Returns the cost of the attempts, in billionths of a dollar.
    #[must_use]
    pub fn nano_usd(&self) -> u64 {
        self.nano_usd
    }

    /// Returns whether the answer has remarks that viewers will see.
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

    /// Returns whether the outcome is the requested result rather than a failure.
    #[must_use]
    pub fn is_success(&self) -> bool {
        E::is_success(&self.outcome)
    }

    /// Returns whether the answer was inherited from an earlier run.
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.reused
    }

    /// Returns the key and outcome that a fork of this run may reuse; `None` for a failure, because the fork makes
    /// that call again.
    pub fn into_success(self) -> Option<(E::Key, E::Outcome)> {
        if !self.is_success() {
            return None;
        }
        Some((self.key, self.outcome))
    }

    /// Converts the entry back to the answer.
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

    /// Converts the form back to the input. If the input is an answer, returns the number of its command as an error.
    /// The caller finds the answer by this number.
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
