//! The kinds of calls that have a budget, and whether one may be sent.

use crate::machine::interface::{Action, Reason};

/// The budget from which a call is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    Search,
    Recognition,
    Planner,
    Page,
    Conversion,
}

impl CallKind {
    /// Returns the budget from which an action is paid. Returns `None` for fetching a photo as it is and for
    /// questions to the memory, which are free.
    pub fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Search { .. } => Some(Self::Search),
            Action::Recognise { .. } => Some(Self::Recognition),
            Action::Plan(_) => Some(Self::Planner),
            Action::Capture { .. } => Some(Self::Page),
            Action::Fetch {
                may_convert: true, ..
            }
            | Action::FetchKnown {
                may_convert: true, ..
            } => Some(Self::Conversion),
            Action::Fetch { .. }
            | Action::FetchKnown { .. }
            | Action::Recall(_)
            | Action::Connect(_) => None,
        }
    }

    /// Returns why a run ends that has used the budget up. Without a planner, a page or a conversion it goes on.
    pub fn reason(self) -> Reason {
        match self {
            Self::Search | Self::Planner | Self::Page => Reason::SearchBudget,
            Self::Recognition | Self::Conversion => Reason::RecognitionBudget,
        }
    }
}

/// The permission to send a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The call may be sent now.
    Granted,
    /// The call may be sent when others of its kind are answered. What is left is kept for their
    /// further attempts.
    Later,
    /// The call may never be sent.
    Refused(Reason),
}
