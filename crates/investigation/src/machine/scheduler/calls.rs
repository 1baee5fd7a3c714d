//! The calls in flight, each with the purpose of its answer, and the answers.

use domain::{Failure, FoundHits, Life, PhotoFailure, PlanAnswer, RecalledPhoto, SidesToConnect};
use kernel::CommandId;

use crate::machine::facts::Subject;
use crate::machine::interface::{Action, CaptureReport, Fetched, Outcome, PhotoPage, Recognised};

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
        table: Vec<Subject>,
        allowed_queries: Vec<String>,
    },
    Capture {
        page: PhotoPage,
    },
    Lives,
    Recall,
}

impl Purpose {
    /// Returns the survey that the call belongs to.
    pub fn survey(&self) -> Option<SurveyNumber> {
        match self {
            Self::Search { survey }
            | Self::Fetch { survey, .. }
            | Self::Recognise { survey, .. } => Some(*survey),
            Self::Plan { .. } | Self::Capture { .. } | Self::Lives | Self::Recall => None,
        }
    }

    /// Returns the photo that the call is about.
    pub fn photo(&self) -> Option<&SurveyPhoto> {
        match self {
            Self::Fetch { photo, .. } | Self::Recognise { photo, .. } => Some(photo),
            Self::Search { .. }
            | Self::Plan { .. }
            | Self::Capture { .. }
            | Self::Lives
            | Self::Recall => None,
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

/// The answer to a call, with its purpose.
#[derive(Debug)]
pub enum AnsweredCall {
    Search(AnsweredSearch),
    Fetch(AnsweredFetch),
    Photo(AnsweredPhoto),
    Advice(AnsweredAdvice),
    Capture(CaptureReport),
    Lives(Vec<Life>),
    Recalled(Vec<RecalledPhoto>),
    /// The number of remembered photos that make a chain between these sides.
    Connected {
        sides: Box<SidesToConnect>,
        photos: usize,
    },
    /// The answer is of another kind than its command expects.
    Misfit,
}

#[derive(Debug)]
pub struct AnsweredSearch {
    pub survey: SurveyNumber,
    /// The requested search.
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
    /// The most attempts that the call could have made.
    pub attempts_max: u32,
    pub result: Result<Recognised, Failure>,
}

#[derive(Debug)]
pub struct AnsweredAdvice {
    /// The people in the table of candidates that the planner's question contained.
    pub table: Vec<Subject>,
    pub allowed_queries: Vec<String>,
    pub result: Result<PlanAnswer, Failure>,
}

impl PendingCall {
    /// Converts the call's outcome to the answer that its purpose expects.
    pub(super) fn answered(self, command: CommandId, outcome: Outcome) -> AnsweredCall {
        let call = self;
        match (call.purpose, outcome) {
            (Purpose::Recall, Outcome::Connected(photos)) => match call.action {
                Action::Connect(sides) => AnsweredCall::Connected { sides, photos },
                _ => AnsweredCall::Misfit,
            },
            (Purpose::Search { survey }, Outcome::Searched(result)) => {
                AnsweredCall::Search(AnsweredSearch {
                    survey,
                    action: call.action,
                    result: result.map(FoundHits::from),
                })
            }
            (Purpose::Search { survey }, Outcome::Found(found)) => {
                AnsweredCall::Search(AnsweredSearch {
                    survey,
                    action: call.action,
                    result: Ok(found),
                })
            }
            (Purpose::Fetch { survey, photo }, Outcome::Fetched(result)) => {
                AnsweredCall::Fetch(AnsweredFetch {
                    survey,
                    photo,
                    fetched_by: command,
                    result,
                })
            }
            (
                Purpose::Recognise {
                    survey,
                    photo,
                    fetched,
                },
                Outcome::Recognised(result),
            ) => AnsweredCall::Photo(AnsweredPhoto {
                survey,
                photo,
                fetched,
                attempts_max: call.attempts_max,
                result,
            }),
            (
                Purpose::Plan {
                    table,
                    allowed_queries,
                },
                Outcome::Planned(result),
            ) => AnsweredCall::Advice(AnsweredAdvice {
                table,
                allowed_queries,
                result,
            }),
            (Purpose::Capture { page }, Outcome::Captured(result)) => {
                AnsweredCall::Capture(CaptureReport { page, result })
            }
            (Purpose::Lives, Outcome::Lives(lives)) => AnsweredCall::Lives(lives),
            (Purpose::Recall, Outcome::Recalled(photos)) => AnsweredCall::Recalled(photos),
            _ => AnsweredCall::Misfit,
        }
    }
}
