//! The bodies of calls to a run's object, and of their answers.

use serde::{Deserialize, Serialize};

use crate::journal::{AnswerEntry, AnyOrder, Engine, InvestigationEngine};
use crate::session::creator::CreatorKey;
use crate::session::daily_budget::Refusal;
use crate::session::settings::StartLimits;

/// A run to be begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Creation<E: Engine = InvestigationEngine> {
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
pub struct Fork<E: Engine = InvestigationEngine> {
    /// The token of the run that it is forked from.
    pub run: String,
    /// The successes of that run.
    pub answers: Vec<AnswerEntry<E>>,
}

/// What a run gives to its forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ForkSource<E: Engine = InvestigationEngine> {
    /// The request that it was begun with.
    pub order: E::Order,
    /// Its successes so far, and those that it had from an earlier run.
    pub answers: Vec<AnswerEntry<E>>,
}

/// Which run an idempotency key stands for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reservation {
    /// The token of the run that the key created.
    pub run: String,
    /// The request that the key was used for.
    pub order: AnyOrder,
    /// The run that it is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// The secret of that run, for whoever sends the same key again; none of a key of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}
