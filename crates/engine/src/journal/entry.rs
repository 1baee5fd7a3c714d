//! The entries of a journal and their JSON.

use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use json::weight;
use kernel::{CommandId, Input, Millis};

use crate::{Engine, Opened, key_digest};

use super::answer_entry::AnswerEntry;
use super::input_form::InputForm;

/// The version of all entries of a journal.
pub const ENTRY_VERSION: u32 = 2;

/// One entry of a journal. The variants that concern the processes of one server only (`Woken`,
/// `Reading`, `Read`, `Noted`, `Written`, `Closed`) are in no sealed file.
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
        command: u32,
        /// The number of the attempt, from 1; 0 while a photo to be recognised is fetched again.
        attempt: u32,
        /// The [`key_digest`] of what is asked.
        request: String,
        /// The most that the attempt may cost, in billionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        nano_usd: u64,
    },
    /// An answer is about to be read, to a call that was under way when an earlier process ended.
    Reading {
        /// The number of its command.
        command: u32,
    },
    /// That answer was read, and the process lived on.
    Read {
        /// The number of its command.
        command: u32,
    },
    /// A note that another process needs to go on with a call, before anything is sent by it.
    Noted(E::Note),
    /// A call was answered, or given up.
    Answer(AnswerEntry<E>),
    /// The machine is about to be given an input.
    Input(InputEntry),
    /// Documents are about to be written.
    Written {
        /// The sequence number of the last of them.
        sequence: u32,
    },
    /// The run cannot go on.
    Interrupted {
        /// The time at which that was found, in milliseconds since 1970.
        now: u64,
    },
    /// The last documents are written: nothing is left to do.
    Closed {},
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The stored form of an [`Input`] and of its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// The time, in milliseconds since 1970.
    now: u64,
    #[serde(rename = "given")]
    input: InputForm,
}

impl InputEntry {
    /// Returns the time that the machine was given with the input.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(self.now)
    }

    /// Returns the input. For an answer it returns the command's number as an error: the answer
    /// itself is in an entry before this one.
    pub fn input<Outcome>(self) -> Result<Input<Outcome>, CommandId> {
        self.input.read()
    }
}

impl<E: Engine> Entry<E> {
    /// Returns whether a run makes entries of this size. An entry may come out of anybody's file.
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

    /// Makes the entry of an attempt, from 1; 0 while a photo to be recognised is fetched again.
    #[must_use]
    pub fn intent(command: CommandId, attempt: u32, key: &E::Key, nano_usd: u64) -> Self {
        Self::Intent {
            command: command.0,
            attempt,
            request: key_digest(key).to_string(),
            nano_usd,
        }
    }

    /// Returns the line of JSON that is stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        // An entry has string keys and finite numbers: writing it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`Self::to_json`] wrote.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        if weight(json.as_bytes()) > E::ENTRY_WEIGHT_MAX {
            return Err(serde_json::Error::custom("an entry that no run makes"));
        }
        serde_json::from_str(json)
    }

    /// Returns whether a sealed file shows the entry.
    #[must_use]
    pub fn is_of_the_search(&self) -> bool {
        matches!(
            self,
            Self::Intent { .. } | Self::Answer(_) | Self::Input(_) | Self::Interrupted { .. }
        )
    }
}
