//! Where an answer came from.

use serde::{Deserialize, Serialize};

use crate::domain::Sha256Digest;

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
