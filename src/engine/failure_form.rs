//! The stored form of a provider's failure.

use serde::{Deserialize, Serialize};

use crate::domain::{Failure, FailureKind};

/// The stored form of a [`Failure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureForm {
    kind: String,
    detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
}

impl FailureForm {
    /// Returns the stored form of a failure.
    #[must_use]
    pub fn of(failure: &Failure) -> Self {
        Self {
            kind: failure.kind.as_str().to_owned(),
            detail: failure.detail.clone(),
            retry_after_ms: failure.retry_after_ms,
            provider: failure.provider.clone(),
        }
    }

    /// Reads the failure back. Returns `None` where it is of no kind that this program knows.
    #[must_use]
    pub fn read(self) -> Option<Failure> {
        Some(Failure {
            kind: FailureKind::named(&self.kind)?,
            detail: self.detail,
            retry_after_ms: self.retry_after_ms,
            provider: self.provider,
        })
    }
}
