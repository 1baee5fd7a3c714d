//! The stored form of what a tool answered.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use domain::Sha256Digest;
use domain::chat::ImageRef;

use crate::machine::{Block, LeftOut, ToolDescription, ToolFailure, ToolResult};

/// The most blocks of one answer.
const BLOCKS_MAX: usize = 1_000;
/// The longest media type of an answer's bytes, in bytes.
const MIME_TYPE_BYTES_MAX: usize = 200;

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
