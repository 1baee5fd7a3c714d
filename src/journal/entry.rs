//! The entries of a journal and their JSON.

use serde::{Deserialize, Serialize};

use crate::domain::PhotoDigest;
use crate::investigation::{Answer, CommandId, Input};
use crate::kernel::Millis;

use super::asked::Asked;
use super::forms::OutcomeForm;
use super::inputs::Given;
use super::order::Order;

/// The version of all entries.
pub const ENTRY_VERSION: u32 = 2;

/// How a run began: its first entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// [`ENTRY_VERSION`].
    pub version: u32,
    /// The version of the program that began it.
    pub engine: String,
    /// The run's public token.
    pub run: String,
    /// The accepted question.
    pub order: Order,
    /// When everything of the run is deleted, in milliseconds since 1970.
    pub expires_ms: u64,
    /// The run whose answers are used again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
}

/// An answer as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    command: u32,
    asked: Asked,
    attempts: u32,
    nano_usd: u64,
    /// SHA-256 of the provider's raw body, where one came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// It was at hand from the run that this one was forked from: nothing was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
    outcome: OutcomeForm,
}

impl Answered {
    /// Of an answer to a question; `body` is the digest of the raw body.
    #[must_use]
    pub fn new(asked: Asked, answer: &Answer, body: Option<&PhotoDigest>, reused: bool) -> Self {
        Self {
            command: answer.command.0,
            asked,
            attempts: answer.attempts,
            nano_usd: answer.nano_usd,
            sha256: body.map(ToString::to_string),
            reused,
            outcome: OutcomeForm::of(&answer.outcome),
        }
    }

    /// To which command.
    #[must_use]
    pub fn command(&self) -> CommandId {
        CommandId(self.command)
    }

    /// What was asked.
    #[must_use]
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Attempts that were sent.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether the provider gave what was asked for.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.outcome.is_success()
    }

    /// Whether it was at hand from an earlier run.
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.reused
    }

    /// The answer again; none where it is none of ours.
    #[must_use]
    pub fn answer(self) -> Option<Answer> {
        Some(Answer {
            command: CommandId(self.command),
            attempts: self.attempts,
            nano_usd: self.nano_usd,
            outcome: self.outcome.read().ok()?,
        })
    }
}

/// One entry. What a process keeps for itself only (`Woken`, `Written`, `Closed`) is in no sealed
/// file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Entry {
    /// The run began.
    Opened(Opened),
    /// An answer of the run that this one was forked from.
    Kept(Answered),
    /// A process took the run up.
    Woken {
        /// When.
        now: u64,
    },
    /// An attempt of a call is about to be sent.
    Intent {
        /// The command's number.
        command: u32,
        /// The attempt, from 1; 0 while a photo to be recognised is fetched again.
        attempt: u32,
        /// [`Asked::digest`].
        request: String,
    },
    /// A call's answer is here.
    Answer(Answered),
    /// The machine is about to be told something.
    Input(InputEntry),
    /// Documents are about to be written.
    Written {
        /// The sequence number of the last of them.
        sequence: u32,
    },
    /// The run cannot go on.
    Interrupted {
        /// When that was found.
        now: u64,
    },
    /// The last documents are written: nothing is left to do.
    Closed {},
}

/// What the machine was told, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// In milliseconds since 1970.
    now: u64,
    given: Given,
}

impl InputEntry {
    /// When the machine was told.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(self.now)
    }

    /// What the machine was told; an answer by its command, to be found among those that arrived.
    pub fn input(self) -> Result<Input, CommandId> {
        self.given.read()
    }
}

impl Entry {
    /// Whether it is of a size that a run makes: an entry may come out of anybody's file.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        match self {
            Self::Input(input) => input.given.is_plausible(),
            _ => true,
        }
    }

    /// The machine is told something at a time.
    #[must_use]
    pub fn input(input: &Input, now: Millis) -> Self {
        Self::Input(InputEntry {
            now: now.0,
            given: Given::of(input),
        })
    }

    /// An attempt of a call.
    #[must_use]
    pub fn intent(command: CommandId, attempt: u32, asked: &Asked) -> Self {
        Self::Intent {
            command: command.0,
            attempt,
            request: asked.digest().to_string(),
        }
    }

    /// One line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // String keys and finite numbers: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads an entry back.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// Whether a sealed file shows it.
    #[must_use]
    pub fn is_of_the_search(&self) -> bool {
        matches!(
            self,
            Self::Intent { .. } | Self::Answer(_) | Self::Input(_) | Self::Interrupted { .. }
        )
    }
}
