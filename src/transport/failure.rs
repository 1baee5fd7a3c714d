//! Why a request got no ordinary answer.

use engine::Problem;
use worker::{Error, KvError, Response};

use super::replies;

/// What a handler gives.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// The reason why something was not done.
pub(crate) enum Failure {
    /// What was asked for is refused, which is an answer too.
    Refused(Problem),
    /// The platform failed.
    Platform(Error),
}

impl Failure {
    /// Answers with a refusal; a failure of the platform is left to the caller.
    pub(crate) fn into_response(self) -> Result<Response, Error> {
        match self {
            Self::Refused(problem) => replies::problem(&problem),
            Self::Platform(error) => Err(error),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Platform(error)
    }
}

impl From<KvError> for Failure {
    fn from(error: KvError) -> Self {
        Self::Platform(error.into())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Platform(error.into())
    }
}
