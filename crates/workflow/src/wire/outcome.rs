//! The stored forms of the outcomes of a workflow's commands, in JSON and back without loss.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use domain::Sha256Digest;
use domain::chat::ImageRef;
use engine::{FailureForm, ReplyForm, ResultForm};

use crate::machine::{
    AutomateEnd, Block, ChildEnd, ChildFailure, LeftOut, Outcome, ToolDescription, ToolFailure,
    ToolResult,
};

/// The most blocks of one answer.
const BLOCKS_MAX: usize = 1_000;
/// The longest media type of an answer's bytes, in bytes.
const MIME_TYPE_BYTES_MAX: usize = 200;

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

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultForm {
    blocks: Vec<BlockForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    structured: Option<Value>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
}

/// A block of a tool's content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BlockForm {
    /// A text.
    Text(String),
    /// A picture, kept beside the run.
    Image(BytesForm),
    /// A sound, kept beside the run.
    Audio(BytesForm),
    /// A picture or a sound that is not kept.
    LeftOut(LeftOutForm),
    /// Any other block.
    Other(Value),
}

/// A picture or a sound that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOutForm {
    picture: bool,
    bytes: u64,
    why: String,
}

/// Bytes that are kept beside the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BytesForm {
    sha256: String,
    mime_type: String,
}

impl ToolResultForm {
    pub(super) fn of(result: &ToolResult) -> Self {
        let blocks = result.blocks.iter().map(|block| match block {
            Block::Text(text) => BlockForm::Text(text.clone()),
            Block::Image(image) => BlockForm::Image(BytesForm::of(image)),
            Block::Audio(audio) => BlockForm::Audio(BytesForm::of(audio)),
            Block::LeftOut(media) => BlockForm::LeftOut(LeftOutForm {
                picture: media.is_picture,
                bytes: media.bytes as u64,
                why: media.why.clone(),
            }),
            Block::Other(json) => BlockForm::Other(json.clone()),
        });
        Self {
            blocks: blocks.collect(),
            structured: result.structured.clone(),
            is_error: result.is_error,
        }
    }

    pub(super) fn read(self) -> Option<ToolResult> {
        if self.blocks.len() > BLOCKS_MAX {
            return None;
        }
        let blocks = self.blocks.into_iter().map(|block| {
            Some(match block {
                BlockForm::Text(text) => Block::Text(text),
                BlockForm::Image(image) => Block::Image(image.read()?),
                BlockForm::Audio(audio) => Block::Audio(audio.read()?),
                BlockForm::LeftOut(media) => Block::LeftOut(LeftOut {
                    is_picture: media.picture,
                    bytes: usize::try_from(media.bytes).ok()?,
                    why: media.why,
                }),
                BlockForm::Other(json) => Block::Other(json),
            })
        });
        Some(ToolResult {
            blocks: blocks.collect::<Option<_>>()?,
            structured: self.structured,
            is_error: self.is_error,
        })
    }
}

impl BytesForm {
    fn of(bytes: &ImageRef) -> Self {
        Self {
            sha256: bytes.digest.to_string(),
            mime_type: bytes.mime_type.clone(),
        }
    }

    fn read(self) -> Option<ImageRef> {
        if self.mime_type.len() > MIME_TYPE_BYTES_MAX {
            return None;
        }
        Some(ImageRef {
            digest: Sha256Digest::parse(&self.sha256)?,
            mime_type: self.mime_type,
        })
    }
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolForm {
    name: String,
    description: String,
    schema: Value,
}

impl ToolForm {
    pub(super) fn of(tool: &ToolDescription) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.description.clone(),
            schema: tool.schema.clone(),
        }
    }

    pub(super) fn read(self) -> ToolDescription {
        ToolDescription {
            name: self.name,
            description: self.description,
            schema: self.schema,
        }
    }
}

/// The reason why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToolFailureForm {
    /// The server refused the call.
    Refused(String),
    /// The call was not sent.
    NotSent(String),
    /// The call was sent, and nobody knows what came of it.
    Unknown(String),
}

impl ToolFailureForm {
    pub(super) fn of(failure: &ToolFailure) -> Self {
        let says = failure.says().to_owned();
        match failure {
            ToolFailure::Refused(_) => Self::Refused(says),
            ToolFailure::NotSent(_) => Self::NotSent(says),
            ToolFailure::UnknownOutcome(_) => Self::Unknown(says),
        }
    }

    pub(super) fn read(self) -> ToolFailure {
        match self {
            Self::Refused(says) => ToolFailure::Refused(says),
            Self::NotSent(says) => ToolFailure::NotSent(says),
            Self::Unknown(says) => ToolFailure::UnknownOutcome(says),
        }
    }
}
