//! The stored form of a provider's failure.

use serde::{Deserialize, Serialize};

use domain::{Failure, FailureKind};

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
            detail: failure.detail().to_owned(),
            retry_after_ms: failure.retry_after_ms(),
            provider: failure.provider().map(str::to_owned),
        }
    }

    /// Reads the failure back. Returns `None` where it is of no kind that this program knows.
    #[must_use]
    pub fn read(self) -> Option<Failure> {
        let failure = Failure::new(FailureKind::named(&self.kind)?, self.detail);
        let failure = failure.after(self.retry_after_ms);
        Some(match self.provider {
            Some(provider) => failure.of(&provider),
            None => failure,
        })
    }
}
