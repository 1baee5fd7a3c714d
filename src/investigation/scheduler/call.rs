//! A call under way, and what its answer is for.

use crate::domain::{Failure, Hit, PersonIndex, PhotoFailure, PlanAnswer};
use crate::investigation::interface::{Action, CommandId, Fetched, Recognised};

use super::survey::{Photo, SurveyNumber};

/// A command whose answer is awaited.
#[derive(Debug, Clone)]
pub struct Call {
    pub action: Action,
    pub purpose: Purpose,
    pub attempts_max: u32,
}

/// What a call's answer is for.
#[derive(Debug, Clone)]
pub enum Purpose {
    Search {
        survey: SurveyNumber,
    },
    Fetch {
        survey: SurveyNumber,
        photo: Photo,
    },
    Recognise {
        survey: SurveyNumber,
        photo: Photo,
        fetched: Fetched,
    },
    Plan {
        table: Vec<PersonIndex>,
        allowed_queries: Vec<String>,
    },
}

/// What came of a call, with what it was for.
#[derive(Debug)]
pub enum Answered {
    Search {
        survey: SurveyNumber,
        result: Result<Vec<Hit>, Failure>,
    },
    Fetch {
        survey: SurveyNumber,
        photo: Photo,
        fetched_by: CommandId,
        result: Result<Fetched, PhotoFailure>,
    },
    Recognise {
        survey: SurveyNumber,
        photo: Photo,
        fetched: Fetched,
        /// How often it might have been tried.
        attempts_max: u32,
        result: Result<Recognised, Failure>,
    },
    Plan {
        table: Vec<PersonIndex>,
        allowed_queries: Vec<String>,
        result: Result<PlanAnswer, Failure>,
    },
    /// The answer is of another kind than the command.
    Misfit,
}

/// What becomes of a call whose answer was lost.
#[derive(Debug)]
pub enum Lost {
    /// It is sent again, or nobody waits for it.
    Settled,
    /// The run's time is over.
    OutOfTime,
    /// It may not be sent again.
    Final(Purpose),
}

impl Purpose {
    /// The survey that it is for.
    pub fn survey(&self) -> Option<SurveyNumber> {
        match self {
            Self::Search { survey }
            | Self::Fetch { survey, .. }
            | Self::Recognise { survey, .. } => Some(*survey),
            Self::Plan { .. } => None,
        }
    }

    /// The photo that it is about.
    pub fn photo(&self) -> Option<&Photo> {
        match self {
            Self::Fetch { photo, .. } | Self::Recognise { photo, .. } => Some(photo),
            Self::Search { .. } | Self::Plan { .. } => None,
        }
    }

    pub fn is_fetch(&self) -> bool {
        matches!(self, Self::Fetch { .. })
    }

    pub fn is_recognise(&self) -> bool {
        matches!(self, Self::Recognise { .. })
    }

    pub fn is_plan(&self) -> bool {
        matches!(self, Self::Plan { .. })
    }
}
