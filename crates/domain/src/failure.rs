//! The kinds of providers' failures. The machine decides by the kind how to react.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The roles of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provider {
    /// The image search.
    Search,
    /// The recogniser of people in photos.
    Recogniser,
    /// The language model that suggests whom to try next.
    Planner,
}

/// The reason why a provider gave no usable answer.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    EnumString,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FailureKind {
    /// Requests were sent too fast. The call may be retried after a pause.
    Throttled,
    /// A quota or a credit is used up. Retrying helps only after the quota is renewed or the credit is paid for.
    Quota,
    /// The provider refused this request as invalid.
    Refused,
    /// The product is closed to this customer or has ended.
    Closed,
    /// A key, a permission or a setting is wrong.
    Misconfigured,
    /// The answer cannot be read.
    Malformed,
    /// The answer's body is longer than its bound.
    TooLarge,
    /// The recogniser cannot read this one image.
    BadImage,
    /// The provider did not answer, broke off its answer, or answered with a server error.
    Down,
    /// From now on another provider is used instead, but this call has no attempt left.
    HandedOver,
    /// The answer cannot be read. From now on another provider is used instead.
    MalformedHandedOver,
}

impl FailureKind {
    /// Every kind of failure.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name under which the kind is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the kind that is stored under this name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns whether another provider with the same role is used from now on. If so, the role remains available
    /// despite the failure.
    #[must_use]
    pub fn is_handed_over(self) -> bool {
        matches!(self, Self::HandedOver | Self::MalformedHandedOver)
    }

    /// Returns whether the request may be retried within the run.
    #[must_use]
    pub fn is_transient(self) -> bool {
        matches!(self, Self::Throttled | Self::Down)
    }
}

/// A provider's failure, after the conductor's retries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The kind of the failure.
    pub kind: FailureKind,
    /// The other fields. They are boxed because a large failure would make every `Result` that holds one large.
    #[serde(flatten)]
    about: Box<About>,
}

impl Failure {
    /// Makes a failure without a hint of when to retry.
    #[must_use]
    pub fn new(kind: FailureKind, detail: impl Into<String>) -> Self {
        let about = Box::new(About {
            detail: detail.into(),
            retry_after_ms: None,
            provider: None,
        });
        Self { kind, about }
    }

    /// Returns one short sentence for people. It contains no keys, headers, or addresses that contain a key.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.about.detail
    }

    /// Returns the sentence of [`Self::detail`] for modification.
    pub fn detail_mut(&mut self) -> &mut String {
        &mut self.about.detail
    }

    /// Returns the wait that the provider requested, in milliseconds; `None` if it requested none.
    #[must_use]
    pub fn retry_after_ms(&self) -> Option<u64> {
        self.about.retry_after_ms
    }

    /// Returns the id of the failed provider, if known.
    #[must_use]
    pub fn provider(&self) -> Option<&str> {
        self.about.provider.as_deref()
    }

    /// Sets the id of the failed provider.
    #[must_use]
    pub fn of(mut self, provider: &str) -> Self {
        self.about.provider = Some(provider.to_owned());
        self
    }

    /// Sets the provider's hint of when to retry, in milliseconds.
    #[must_use]
    pub fn after(mut self, retry_after_ms: Option<u64>) -> Self {
        self.about.retry_after_ms = retry_after_ms;
        self
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
}

/// The reason why one photo could not be examined. The run continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PhotoFailure {
    /// The photo's bytes could not be fetched, because of a dead link, a refusal, a timeout or a forbidden address.
    Unfetchable(String),
    /// The recogniser does not accept the photo's bytes, because of their format or size.
    Unreadable(String),
}
