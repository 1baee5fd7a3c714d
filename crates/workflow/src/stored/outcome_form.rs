//! The stored forms of the outcomes of a workflow's commands, in JSON and back without loss.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use engine::{FailureForm, ReplyForm, ResultForm};

use crate::machine::{AutomateEnd, ChildEnd, ChildFailure, Outcome};

use super::tool_form::{ToolFailureForm, ToolForm, ToolResultForm};

/// The stored form of an [`Outcome`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkflowOutcomeForm {
    /// The result of calling a tool.
    Called(ResultForm<ToolResultForm, ToolFailureForm>),
    /// The result of asking for the list of tools.
    Listed(ResultForm<Vec<ToolForm>, ToolFailureForm>),
    /// The result of asking a language model.
    Chatted(ResultForm<ReplyForm, FailureForm>),
    /// The result of a run of another engine.
    Investigated(ResultForm<ChildForm, ChildFailureForm>),
    /// The result of an automaton.
    Automated(ResultForm<AutomateEndForm, ChildFailureForm>),
    /// The time has passed.
    Waited,
}

/// The error of a form that this program did not write.
struct Unreadable;

/// The end of a run that this run began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildForm {
    run: String,
    path: Vec<String>,
    message: String,
}

/// The end of an automaton that this run began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AutomateEndForm {
    run: String,
    value: Value,
    message: String,
}

/// The reason why a run that this run began came to no end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildFailureForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    message: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unknown: bool,
}

impl WorkflowOutcomeForm {
    pub(super) fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Called(result) => Self::Called(ResultForm::of(
                result,
                ToolResultForm::of,
                ToolFailureForm::of,
            )),
            Outcome::Listed(result) => Self::Listed(ResultForm::of(
                result,
                |tools| tools.iter().map(ToolForm::of).collect(),
                ToolFailureForm::of,
            )),
            Outcome::Chatted(result) => {
                Self::Chatted(ResultForm::of(result, ReplyForm::of, FailureForm::of))
            }
            Outcome::Investigated(result) => {
                Self::Investigated(ResultForm::of(result, ChildForm::of, ChildFailureForm::of))
            }
            Outcome::Automated(result) => Self::Automated(ResultForm::of(
                result,
                AutomateEndForm::of,
                ChildFailureForm::of,
            )),
            Outcome::Waited => Self::Waited,
        }
    }

    pub(super) fn read(self) -> Option<Outcome> {
        self.read_parts().ok()
    }

    fn read_parts(self) -> Result<Outcome, Unreadable> {
        Ok(match self {
            Self::Called(result) => Outcome::Called(
                result.read(|form| form.read().ok_or(Unreadable), |form| Ok(form.read()))?,
            ),
            Self::Listed(result) => Outcome::Listed(result.read(
                |tools| Ok(tools.into_iter().map(ToolForm::read).collect()),
                |form| Ok(form.read()),
            )?),
            Self::Chatted(result) => Outcome::Chatted(
                result.read(|form| Ok(form.read()), |form| form.read().ok_or(Unreadable))?,
            ),
            Self::Investigated(result) => {
                Outcome::Investigated(result.read(|form| Ok(form.read()), |form| Ok(form.read()))?)
            }
            Self::Automated(result) => {
                Outcome::Automated(result.read(|form| Ok(form.read()), |form| Ok(form.read()))?)
            }
            Self::Waited => Outcome::Waited,
        })
    }

    /// Returns whether the outcome is what was asked for. A tool that says that it failed may do
    /// better another time.
    pub(super) fn is_success(&self) -> bool {
        match self {
            Self::Called(result) => result.is_ok(),
            Self::Listed(result) => result.is_ok(),
            Self::Chatted(result) => result.is_ok(),
            Self::Investigated(result) => result.is_ok(),
            Self::Automated(result) => result.is_ok(),
            Self::Waited => true,
        }
    }
}

impl ChildForm {
    fn of(end: &ChildEnd) -> Self {
        Self {
            run: end.run.clone(),
            path: end.path.clone(),
            message: end.message.clone(),
        }
    }

    fn read(self) -> ChildEnd {
        ChildEnd {
            run: self.run,
            path: self.path,
            message: self.message,
        }
    }
}

impl AutomateEndForm {
    fn of(end: &AutomateEnd) -> Self {
        Self {
            run: end.run.clone(),
            value: end.value.clone(),
            message: end.message.clone(),
        }
    }

    fn read(self) -> AutomateEnd {
        AutomateEnd {
            run: self.run,
            value: self.value,
            message: self.message,
        }
    }
}

impl ChildFailureForm {
    fn of(failure: &ChildFailure) -> Self {
        Self {
            run: failure.run.clone(),
            message: failure.message.clone(),
            unknown: failure.is_unknown,
        }
    }

    fn read(self) -> ChildFailure {
        ChildFailure {
            run: self.run,
            message: self.message,
            is_unknown: self.unknown,
        }
    }
}
