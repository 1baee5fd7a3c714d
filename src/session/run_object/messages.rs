//! The bodies of calls to the run's object.

use serde::{Deserialize, Serialize};

use crate::journal::{Answered, Order};

/// What the Worker hands over to create a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Creation {
    /// The run's token.
    pub run: String,
    /// The accepted question.
    pub order: Order,
    /// The answers of the run that this one is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Fork>,
}

/// What a forked run begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fork {
    /// The token of the run that it is forked from.
    pub run: String,
    /// That run's answers.
    pub answers: Vec<Answered>,
}

/// An idempotency key's run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// The run's token.
    pub run: String,
    /// The question that the key was used for.
    pub order: Order,
    /// The run that it is forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
}
