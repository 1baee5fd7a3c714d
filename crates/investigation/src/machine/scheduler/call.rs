//! A call under way, and the purpose of its answer.

use domain::{
    Failure, FoundHits, PersonIndex, PhotoFailure, PlanAnswer, RecalledPhoto, SidesToConnect,
};
use kernel::CommandId;

use crate::machine::interface::{Action, CaptureReport, Fetched, PhotoPage, Recognised};

use super::survey::{SurveyNumber, SurveyPhoto};

/// A command whose answer is awaited.
#[derive(Debug, Clone)]
pub struct PendingCall {
    pub action: Action,
    pub purpose: Purpose,
    pub attempts_max: u32,
}

/// The purpose of a call's answer.
#[derive(Debug, Clone)]
pub enum Purpose {
    Search {
        survey: SurveyNumber,
    },
    Fetch {
        survey: SurveyNumber,
        photo: SurveyPhoto,
    },
    Recognise {
        survey: SurveyNumber,
        photo: SurveyPhoto,
        fetched: Fetched,
    },
    Plan {
        table: Vec<PersonIndex>,
        allowed_queries: Vec<String>,
    },
    Capture {
        page: PhotoPage,
    },
    Recall,
}

/// The result of a call, with its purpose.
#[derive(Debug)]
pub enum AnsweredCall {
    Search(AnsweredSearch),
    Fetch(AnsweredFetch),
    Photo(AnsweredPhoto),
    Advice(AnsweredAdvice),
    Capture(CaptureReport),
    Recalled(Vec<RecalledPhoto>),
    /// So many remembered photos make a chain between these sides.
    Connected {
        sides: Box<SidesToConnect>,
        photos: usize,
    },
    /// The answer is of another kind than the command.
    Misfit,
}

#[derive(Debug)]
pub struct AnsweredSearch {
    pub survey: SurveyNumber,
    /// The search that was asked for.
    pub action: Action,
    pub result: Result<FoundHits, Failure>,
}

#[derive(Debug)]
pub struct AnsweredFetch {
    pub survey: SurveyNumber,
    pub photo: SurveyPhoto,
    pub fetched_by: CommandId,
    pub result: Result<Fetched, PhotoFailure>,
}

#[derive(Debug)]
pub struct AnsweredPhoto {
    pub survey: SurveyNumber,
    pub photo: SurveyPhoto,
    pub fetched: Fetched,
    /// The most attempts that the recogniser might have been asked.
    pub attempts_max: u32,
    pub result: Result<Recognised, Failure>,
}

#[derive(Debug)]
pub struct AnsweredAdvice {
    /// The people of the table about which the planner was asked.
    pub table: Vec<PersonIndex>,
    pub allowed_queries: Vec<String>,
    pub result: Result<PlanAnswer, Failure>,
}

/// The consequence of a call whose answer was lost.
#[derive(Debug)]
pub enum Lost {
    /// The call is sent again, or nobody waits for it.
    NothingToDo,
    /// The run's time is over.
    OutOfTime,
    /// The call may not be sent again, and the run goes on without it.
    NotAgain(Purpose),
}

impl Purpose {
    /// Returns the survey for which the call is.
    pub fn survey(&self) -> Option<SurveyNumber> {
        match self {
            Self::Search { survey }
            | Self::Fetch { survey, .. }
            | Self::Recognise { survey, .. } => Some(*survey),
            Self::Plan { .. } | Self::Capture { .. } | Self::Recall => None,
        }
    }

    /// Returns the photo that the call is about.
    pub fn photo(&self) -> Option<&SurveyPhoto> {
        match self {
            Self::Fetch { photo, .. } | Self::Recognise { photo, .. } => Some(photo),
            Self::Search { .. } | Self::Plan { .. } | Self::Capture { .. } | Self::Recall => None,
        }
    }

    pub fn is_fetch(&self) -> bool {
        matches!(self, Self::Fetch { .. })
    }

    pub fn is_recognise(&self) -> bool {
        matches!(self, Self::Recognise { .. })
    }

    pub fn is_recall(&self) -> bool {
        matches!(self, Self::Recall)
    }

    pub fn is_plan(&self) -> bool {
        matches!(self, Self::Plan { .. })
    }
}
