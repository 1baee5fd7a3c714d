//! The reasons why a request has no ordinary response.

use engine::Problem;
use worker::{Error, KvError, Response};

use super::replies;

/// The result of a handler.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// The reason why a request failed.
pub(crate) enum Failure {
    /// The request is refused. The refusal becomes the response.
    Refused(Problem),
    /// The platform failed, so there is no response.
    Platform(Error),
}

impl Failure {
    /// Converts a refusal to a response. Returns a failure of the platform unchanged.
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
