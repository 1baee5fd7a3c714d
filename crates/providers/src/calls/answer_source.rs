//! The source of an answer.

use serde::{Deserialize, Serialize};

use domain::Sha256Digest;

/// A provider that is not asked any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// The provider's id, as it is set.
    pub provider: String,
    /// The time until which it is not asked, in milliseconds since 1970; `None` for the rest of the
    /// run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// The source of an answer. The default names no provider.
#[derive(Debug, Clone, Default)]
pub struct AnswerSource {
    /// The id of the provider that answered, or was asked last; `None` for a photo's host.
    pub provider: Option<String>,
    /// The providers that were asked before and are set aside.
    pub set_aside: Vec<SetAside>,
    /// SHA-256 of the provider's raw body, where one came.
    pub body: Option<Sha256Digest>,
    /// Whether the answer is one of the run that this one was forked from, so that nothing was sent.
    pub is_reused: bool,
    /// The time at which the provider gave the answer to another run, in milliseconds since 1970, where it is
    /// remembered, so that nothing was sent.
    pub given_ms: Option<u64>,
}
