//! The bodies of calls to a run's object, and of their answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use domain::Secret;
use engine::Machine;
use engine::budget::Refusal;
use engine::journal::AnswerEntry;
use settings::StartLimits;

use crate::door::{CreatorKey, KeyClaim};

use super::secrets_form;

/// A run to be begun. The Worker sends the order and the answers as the JSON that they are; an object reads
/// them as their engine has them ([`CreationOf`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Creation<Order, Answers> {
    /// The token that the run shall have.
    pub run: String,
    /// The order that was asked for and accepted.
    pub order: Order,
    /// The key of the secret that the run's creator gets; `None` from a Worker of an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<CreatorKey>,
    /// The answers of the run that the new run is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork<Answers>>,
    /// The secrets that came with the request, by their names. The object stores none of them.
    #[serde(
        default,
        with = "secrets_form",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub secrets: BTreeMap<String, Secret>,
    /// The host at which the Worker was asked for the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The one who starts the run, where the budget of the day has to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starter: Option<Starter>,
    /// The idempotency key that the run takes; `None` where no key was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyClaim>,
    /// When the run that begins this run expires, in milliseconds since 1970. Until then this run is
    /// kept, so that it can be deleted with that run. `None` for a run that somebody asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_until_ms: Option<u64>,
}

/// The result of a [`Creation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CreateAnswer {
    /// This creation has begun the run.
    Begun,
    /// The run was there since before: another creation has begun it.
    Found,
    /// The run was there, and was deleted.
    Deleted,
    /// The run is not there, and nothing is reserved for it.
    Refused(Refusal),
    /// The run is not there, since another run has its idempotency key by now.
    KeyTaken,
}

/// A run that is deleted with the run that began it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChildDeletion {
    /// The token of the run, which may not have been begun yet, and then never is.
    pub run: String,
    /// The time at which the run that began it expires, in milliseconds since 1970.
    pub expires_ms: u64,
}

/// The number of runs that a deletion has removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletionCount {
    /// The number of runs that are gone: the one that was asked for, and those that it began.
    pub deleted: u32,
    /// The number of runs that it began whose objects have not answered yet; they are asked again.
    pub pending: u32,
}

/// The one who starts a run, and what holds for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starter {
    /// The digest of the starter's address.
    pub client: String,
    /// The limits of today, of one client and of all together.
    pub limits: StartLimits,
}

/// The answers with which a forked run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fork<Answers> {
    /// The token of the run that it is forked from.
    pub run: String,
    /// The successes of that run.
    pub answers: Answers,
}

/// The order and answers that a run gives to its forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForkSource<Order, Answers> {
    /// The request that it was begun with.
    pub order: Order,
    /// The run's successes so far, and those that it had from an earlier run.
    pub answers: Answers,
}

/// A [`Creation`] as the engine of its run reads it.
pub type CreationOf<E> = Creation<<E as Machine>::Order, Vec<AnswerEntry<E>>>;
/// A [`Creation`] as the Worker passes it on.
pub type CreationJson = Creation<Box<RawValue>, Box<RawValue>>;
/// A [`Fork`] as the engine of its run reads it.
pub type ForkOf<E> = Fork<Vec<AnswerEntry<E>>>;
/// A [`ForkSource`] as the engine of its run has it.
pub type ForkSourceOf<E> = ForkSource<<E as Machine>::Order, Vec<AnswerEntry<E>>>;
/// A [`ForkSource`] as the Worker passes it on.
pub type ForkSourceJson = ForkSource<Box<RawValue>, Box<RawValue>>;
