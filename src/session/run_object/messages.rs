//! The bodies of calls to a run's object, and of their answers.

use serde::{Deserialize, Serialize};

use crate::journal::{AnswerEntry, Order};

/// A run to be begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Creation {
    /// The token that it shall have.
    pub run: String,
    /// What was asked for and accepted.
    pub order: Order,
    /// The answers of the run that it is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
    /// The host at which the Worker was asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// What a forked run begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fork {
    /// The token of the run that it is forked from.
    pub run: String,
    /// The successes of that run.
    pub answers: Vec<AnswerEntry>,
}

/// What a run gives to its forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForkSource {
    /// The request that it was begun with.
    pub order: Order,
    /// Its successes so far, and those that it had from an earlier run.
    pub answers: Vec<AnswerEntry>,
}

/// Which run an idempotency key stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// The token of the run that the key created.
    pub run: String,
    /// The request that the key was used for.
    pub order: Order,
    /// The run that it is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
}
