//! The entries of a journal and their JSON.

use serde::{Deserialize, Serialize};

use crate::domain::Sha256Digest;
use crate::kernel::Millis;

use super::engine::{Answer, CallKey, CommandId, Input, InputForm, Order, Outcome, OutcomeForm};

/// The version of all entries.
pub const ENTRY_VERSION: u32 = 2;

/// How a run began: its first entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// [`ENTRY_VERSION`] of the program that began it.
    pub version: u32,
    /// The version of the program that began it.
    pub engine: String,
    /// The run's public token, `{session}.{run}`.
    pub run: String,
    /// What was asked for and accepted.
    pub order: Order,
    /// When everything of the run is deleted, in milliseconds since 1970.
    pub expires_ms: u64,
    /// The run whose answers are used again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
}

/// A provider that is not asked any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// Its id, as it is set.
    pub provider: String,
    /// Until when, in milliseconds since 1970; none for the rest of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// Where an answer came from; by default from nobody who is known.
#[derive(Debug, Clone, Default)]
pub struct AnswerSource {
    /// The id of who answered, or was asked last; none for a photo's host.
    pub provider: Option<String>,
    /// Who was asked before and is set aside.
    pub set_aside: Vec<SetAside>,
    /// SHA-256 of the provider's raw body, where one came.
    pub body: Option<Sha256Digest>,
    /// From an earlier run: nothing was sent.
    pub is_reused: bool,
}

/// The stored form of an [`Answer`], with what was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerEntry {
    command: u32,
    #[serde(rename = "asked")]
    key: CallKey,
    attempts: u32,
    nano_usd: u64,
    /// Who answered, or was asked last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
    /// Who was asked before and is set aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<SetAside>,
    /// What viewers are told of how it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    /// SHA-256 of the provider's raw body, where one came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// It is one of an earlier run, and nothing was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
    outcome: OutcomeForm,
}

impl AnswerEntry {
    /// Of an answer to a call.
    #[must_use]
    pub fn new(key: CallKey, answer: &Answer, source: AnswerSource) -> Self {
        Self {
            command: answer.command.0,
            key,
            attempts: answer.attempts,
            nano_usd: answer.nano_usd,
            provider: source.provider,
            set_aside: source.set_aside,
            remarks: answer.remarks.clone(),
            sha256: source.body.map(|digest| digest.to_string()),
            reused: source.is_reused,
            outcome: OutcomeForm::of(&answer.outcome),
        }
    }

    /// The command that it answers.
    #[must_use]
    pub fn command(&self) -> CommandId {
        CommandId(self.command)
    }

    /// The key of the call that it answers.
    #[must_use]
    pub fn key(&self) -> &CallKey {
        &self.key
    }

    /// Who answered, or was asked last, where it is known.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    /// Who was asked before and is set aside.
    #[must_use]
    pub fn set_aside(&self) -> &[SetAside] {
        &self.set_aside
    }

    /// Whether the provider gave what was asked for.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.outcome.is_success()
    }

    /// Whether it is an answer of an earlier run.
    #[must_use]
    pub fn is_reused(&self) -> bool {
        self.reused
    }

    /// What a fork of this run may use again: successes only, so that failures are asked again.
    pub(super) fn into_success(self) -> Option<(CallKey, Outcome)> {
        if !self.is_success() {
            return None;
        }
        let outcome = self.outcome.read().ok()?;
        Some((self.key, outcome))
    }

    /// The answer again; none where it is not of a form that this program writes.
    #[must_use]
    pub fn answer(self) -> Option<Answer> {
        Some(Answer {
            command: CommandId(self.command),
            attempts: self.attempts,
            nano_usd: self.nano_usd,
            outcome: self.outcome.read().ok()?,
            remarks: self.remarks,
        })
    }
}

/// One entry. Those that concern one server's processes only (`Woken`, `Written`, `Closed`) are in
/// no sealed file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Entry {
    /// The run began: the first entry, and the only one of its kind.
    Opened(Opened),
    /// An answer of the run that this one was forked from.
    #[serde(rename = "kept")]
    Inherited(AnswerEntry),
    /// A process begins or resumes the run.
    Woken {
        /// When it did, in milliseconds since 1970.
        now: u64,
    },
    /// An attempt of a call is about to be sent.
    Intent {
        /// The number of the command that it is an attempt of.
        command: u32,
        /// The attempt, from 1; 0 while a photo to be recognised is fetched again.
        attempt: u32,
        /// [`CallKey::digest`] of what is asked.
        request: String,
        /// What it may cost, in billionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        nano_usd: u64,
    },
    /// A call was answered, or given up.
    Answer(AnswerEntry),
    /// The machine is about to be given an input.
    Input(InputEntry),
    /// Documents are about to be written.
    Written {
        /// The sequence number of the last of them.
        sequence: u32,
    },
    /// The run cannot go on.
    Interrupted {
        /// When that was found, in milliseconds since 1970.
        now: u64,
    },
    /// The last documents are written: nothing is left to do.
    Closed {},
}

// Serde hands a reference over.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The stored form of an [`Input`] and of its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// In milliseconds since 1970.
    now: u64,
    #[serde(rename = "given")]
    input: InputForm,
}

impl InputEntry {
    /// The time that the machine was given with it.
    #[must_use]
    pub fn now(&self) -> Millis {
        Millis(self.now)
    }

    /// The input. Of an answer it gives the command's number: the answer itself is in an entry
    /// before this one.
    pub fn input(self) -> Result<Input, CommandId> {
        self.input.read()
    }
}

impl Entry {
    /// Whether a run makes entries of this size: an entry may come out of anybody's file.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        match self {
            Self::Input(input) => input.input.is_plausible(),
            _ => true,
        }
    }

    /// Of an input and its time.
    #[must_use]
    pub fn input(input: &Input, now: Millis) -> Self {
        Self::Input(InputEntry {
            now: now.0,
            input: InputForm::of(input),
        })
    }

    /// Of an attempt, from 1; 0 while a photo to be recognised is fetched again.
    #[must_use]
    pub fn intent(command: CommandId, attempt: u32, key: &CallKey, nano_usd: u64) -> Self {
        Self::Intent {
            command: command.0,
            attempt,
            request: key.digest().to_string(),
            nano_usd,
        }
    }

    /// The line of JSON that is stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        // String keys and finite numbers: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`Self::to_json`] wrote.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Failure, FailureKind};

    #[test]
    fn failures_are_asked_again() {
        let key = CallKey::Search {
            query: "A".into(),
            count: 5,
            wikidata: Vec::new(),
        };
        let success = |outcome| {
            let answer = Answer {
                command: CommandId(1),
                attempts: 1,
                nano_usd: 5,
                outcome,
                remarks: Vec::new(),
            };
            AnswerEntry::new(key.clone(), &answer, AnswerSource::default()).into_success()
        };
        let failure = Failure::new(FailureKind::Down, "no connection");
        assert_eq!(success(Outcome::Searched(Err(failure))), None);
        let found = Outcome::Searched(Ok(Vec::new()));
        assert_eq!(success(found.clone()), Some((key.clone(), found)));
    }
}
