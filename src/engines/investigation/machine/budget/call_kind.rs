//! The calls that have a budget, and whether one may be sent.

use crate::engines::investigation::machine::interface::{Action, Reason};

/// What a call is paid from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    Search,
    Recognition,
    Planner,
}

impl CallKind {
    /// What an action is paid from; fetching a photo is free.
    pub fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Search { .. } => Some(Self::Search),
            Action::Recognise { .. } => Some(Self::Recognition),
            Action::Plan(_) => Some(Self::Planner),
            Action::Fetch { .. } => None,
        }
    }

    /// Why a run ends that has used it up. Without a planner it goes on.
    pub fn reason(self) -> Reason {
        match self {
            Self::Search | Self::Planner => Reason::SearchBudget,
            Self::Recognition => Reason::RecognitionBudget,
        }
    }
}

/// Whether a call may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Now.
    Granted,
    /// When others of its kind are answered: what is left is kept for their further attempts.
    Later,
    /// Never again.
    Refused(Reason),
}
