//! What a tool answers.

use serde_json::Value;

use crate::Problem;

use super::members::Members;

/// An answer of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The answer as a value of the form that the tool's schema has; `None` where it failed.
    pub value: Option<Value>,
    /// The answer in words.
    pub text: String,
    /// Whether the tool failed.
    pub is_error: bool,
}

/// The place of a run for whoever calls: what an answer says of it beside what the run found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPlace {
    /// The run's token.
    pub run: String,
    /// The address at which a person sees the run.
    pub address: String,
    /// The secret with which the caller may stop the run, where it is theirs.
    pub secret: Option<String>,
}

impl CallPlace {
    /// Returns the members that the answer about every run has, in this state.
    #[must_use]
    pub fn members(&self, state: &str) -> Members {
        let mut members = Members::default();
        members.add_text("run", &self.run);
        members.add("address", self.address.as_str().into());
        members.add_text("state", state);
        members
    }
}

impl Answer {
    /// Makes an answer.
    #[must_use]
    pub fn new(members: Members, text: String) -> Self {
        Self {
            value: Some(members.into_value()),
            text,
            is_error: false,
        }
    }

    /// Makes the answer about a run that goes on, with what it told last; strangers' words in it are quoted already.
    #[must_use]
    pub fn going_on(place: &CallPlace, progress: Option<&str>) -> Self {
        let mut members = place.members("going_on");
        let mut text = format!(
            "The run goes on, and nothing is lost: call get_run with run {} to wait for its end. A person sees it at {}",
            place.run, place.address
        );
        if let Some(secret) = &place.secret {
            members.add("secret", secret.as_str().into());
            text.push_str(". stop_run ends it with the secret in this answer");
        } else {
            text.push_str(
                ". stop_run ends it for whoever began it: with the secret that was told there, or in the session of \
                 that call. Whoever finds a run by the same call a moment later is told no secret, since it may be \
                 somebody else's",
            );
        }
        if let Some(progress) = progress {
            members.add("message", progress.into());
            text.push_str(". It told last: ");
            text.push_str(progress);
        }
        Self::new(members, text)
    }

    /// Makes the answer of a tool that failed. The words are this program's own, and say what to do.
    #[must_use]
    pub fn failed(text: impl Into<String>) -> Self {
        Self {
            value: None,
            text: text.into(),
            is_error: true,
        }
    }

    /// Makes the answer of a tool that was refused.
    #[must_use]
    pub fn refused(problem: &Problem) -> Self {
        Self::failed(problem.detail())
    }
}
