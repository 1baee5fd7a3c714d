//! What came of an action on a page.

use super::area::Point;

/// An action that was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Done {
    /// The point where it happened, where it has one.
    pub point: Option<Point>,
    /// Whether the element was gone and the fallback's box was taken.
    pub has_fallen_back: bool,
}

/// The reason why an action was not carried out, in words without the value of any secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionFailure {
    /// The action failed: it changed nothing that it was meant to, or something else than that.
    Failed(String),
    /// The action is forbidden: its address or its secret does not belong to the page's origin.
    Refused(String),
    /// The action was sent, and nobody knows what came of it.
    UnknownOutcome(String),
    /// The browser was gone before the action was sent.
    BrowserGone(String),
}

impl ActionFailure {
    /// Returns the failure in other words.
    #[must_use]
    pub fn with_words(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Failed(words) => Self::Failed(change(words)),
            Self::Refused(words) => Self::Refused(change(words)),
            Self::UnknownOutcome(words) => Self::UnknownOutcome(change(words)),
            Self::BrowserGone(words) => Self::BrowserGone(change(words)),
        }
    }
}

/// The browser is gone or does not answer; the words say what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserGone(pub String);
