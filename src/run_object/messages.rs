//! The bodies of calls to a run's object, and of their answers.

use serde::{Deserialize, Serialize};

use crate::budget::Refusal;
use crate::door::{CreatorKey, KeyClaim};
use crate::engine::Engine;
use crate::journal::AnswerEntry;
use crate::settings::StartLimits;

/// A run to be begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Creation<E: Engine> {
    /// The token that it shall have.
    pub run: String,
    /// What was asked for and accepted.
    pub order: E::Order,
    /// What is kept of the secret that its creator gets; none of a Worker of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<CreatorKey>,
    /// The answers of the run that it is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork<E>>,
    /// The host at which the Worker was asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Who starts it, where the budget of the day has to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starter: Option<Starter>,
    /// The idempotency key that it takes; none where none was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyClaim>,
    /// When the run that begins it expires, in milliseconds since 1970: until then it is kept, so that
    /// it can be deleted with that run. None of a run that somebody asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_until_ms: Option<u64>,
}

/// What comes of a [`Creation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CreateAnswer {
    /// The run is there, by now or since before.
    Begun,
    /// It was there, and was deleted.
    Deleted,
    /// It is not, and nothing is reserved for it.
    Refused(Refusal),
    /// It is not, since another run has its idempotency key by now.
    KeyTaken,
}

/// A run that goes with the run that began it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChildDeletion {
    /// Its token: it may not have been begun yet, and then never is.
    pub run: String,
    /// When the run that began it expires, in milliseconds since 1970.
    pub expires_ms: u64,
}

/// How many runs a deletion has removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletionCount {
    /// Runs that are gone: the one that was asked for, and those that it began.
    pub deleted: u32,
    /// Runs that it began whose objects have not answered yet; they are asked again.
    pub pending: u32,
}

/// Who starts a run, and what holds for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starter {
    /// The digest of their address.
    pub client: String,
    /// The limits of today, of one client and of all together.
    pub limits: StartLimits,
}

/// What a forked run begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct Fork<E: Engine> {
    /// The token of the run that it is forked from.
    pub run: String,
    /// The successes of that run.
    pub answers: Vec<AnswerEntry<E>>,
}

/// What a run gives to its forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ForkSource<E: Engine> {
    /// The request that it was begun with.
    pub order: E::Order,
    /// Its successes so far, and those that it had from an earlier run.
    pub answers: Vec<AnswerEntry<E>>,
}
