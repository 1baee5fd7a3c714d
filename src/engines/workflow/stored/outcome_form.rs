//! The stored forms of the outcomes of a workflow's commands, in JSON and back without loss.

use serde::{Deserialize, Serialize};

use crate::chat::{ChatReply, ModelToolCall};
use crate::domain::{Failure, FailureKind};
use crate::engines::workflow::machine::{ChildEnd, ChildFailure, Outcome};

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
    Chatted(ResultForm<ReplyForm, ChatFailureForm>),
    /// The result of a run of another engine.
    Investigated(ResultForm<ChildForm, ChildFailureForm>),
    /// The time has passed.
    Waited,
}

/// The stored form of a `Result`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResultForm<T, F> {
    /// The thing that was asked for.
    Ok(T),
    /// The reason why the thing that was asked for did not come.
    Failed(F),
}

/// The answer of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyForm {
    text: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<ModelCallForm>,
}

/// A tool that a model calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCallForm {
    id: String,
    tool: String,
    arguments: String,
}

/// The reason why a model did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatFailureForm {
    kind: String,
    detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
}

/// The end of a run that this run began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildForm {
    run: String,
    path: Vec<String>,
    message: String,
}

/// The reason why a run that this run began came to no end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildFailureForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    message: String,
}

impl<T, F> ResultForm<T, F> {
    fn of<A, B>(result: &Result<A, B>, ok: impl Fn(&A) -> T, failed: impl Fn(&B) -> F) -> Self {
        match result {
            Ok(value) => Self::Ok(ok(value)),
            Err(error) => Self::Failed(failed(error)),
        }
    }

    fn is_ok(&self) -> bool {
        matches!(self, Self::Ok(_))
    }

    fn read<A, B>(
        self,
        ok: impl Fn(T) -> Option<A>,
        failed: impl Fn(F) -> Option<B>,
    ) -> Option<Result<A, B>> {
        Some(match self {
            Self::Ok(value) => Ok(ok(value)?),
            Self::Failed(error) => Err(failed(error)?),
        })
    }
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
                Self::Chatted(ResultForm::of(result, ReplyForm::of, ChatFailureForm::of))
            }
            Outcome::Investigated(result) => {
                Self::Investigated(ResultForm::of(result, ChildForm::of, ChildFailureForm::of))
            }
            Outcome::Waited => Self::Waited,
        }
    }

    pub(super) fn read(self) -> Option<Outcome> {
        Some(match self {
            Self::Called(result) => {
                Outcome::Called(result.read(ToolResultForm::read, |form| Some(form.read()))?)
            }
            Self::Listed(result) => Outcome::Listed(result.read(
                |tools| Some(tools.into_iter().map(ToolForm::read).collect()),
                |form| Some(form.read()),
            )?),
            Self::Chatted(result) => {
                Outcome::Chatted(result.read(|form| Some(form.read()), ChatFailureForm::read)?)
            }
            Self::Investigated(result) => Outcome::Investigated(
                result.read(|form| Some(form.read()), |form| Some(form.read()))?,
            ),
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
            Self::Waited => true,
        }
    }
}

impl ReplyForm {
    fn of(reply: &ChatReply) -> Self {
        let calls = reply.calls.iter().map(|call| ModelCallForm {
            id: call.id.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
        });
        Self {
            text: reply.text.clone(),
            model: reply.model.clone(),
            calls: calls.collect(),
        }
    }

    fn read(self) -> ChatReply {
        let calls = self.calls.into_iter().map(|call| ModelToolCall {
            id: call.id,
            tool: call.tool,
            arguments: call.arguments,
        });
        ChatReply {
            calls: calls.collect(),
            text: self.text,
            model: self.model,
        }
    }
}

impl ChatFailureForm {
    fn of(failure: &Failure) -> Self {
        Self {
            kind: failure.kind.as_str().to_owned(),
            detail: failure.detail.clone(),
            retry_after_ms: failure.retry_after_ms,
            provider: failure.provider.clone(),
        }
    }

    fn read(self) -> Option<Failure> {
        let kinds = FailureKind::ALL.into_iter();
        let kind = kinds.into_iter().find(|kind| kind.as_str() == self.kind)?;
        let mut failure = Failure::new(kind, self.detail);
        failure.retry_after_ms = self.retry_after_ms;
        failure.provider = self.provider;
        Some(failure)
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

impl ChildFailureForm {
    fn of(failure: &ChildFailure) -> Self {
        Self {
            run: failure.run.clone(),
            message: failure.message.clone(),
        }
    }

    fn read(self) -> ChildFailure {
        ChildFailure {
            run: self.run,
            message: self.message,
        }
    }
}
