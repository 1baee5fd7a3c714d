//! The stored form of the machine's inputs. An answer is named by its command, since its content is
//! in an entry of its own.

use serde::{Deserialize, Serialize};

use kernel::{CommandId, Input, LostCall};

/// The stored form of an [`Input`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum InputForm {
    Start,
    Answer(u32),
    Stop { lost: Vec<LostCallForm> },
    Withdrawn { lost: Vec<LostCallForm> },
    Remark(String),
    Resumed { lost: Vec<LostCallForm> },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LostCallForm {
    command: u32,
    attempts: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    throttled: u32,
    nano_usd: u64,
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The longest remark, in bytes. A remark is one sentence.
const REMARK_BYTES_MAX: usize = 1_000;
/// The most lost calls of one input, since no more calls are under way at once.
const LOST_MAX: usize = 16;

impl InputForm {
    pub(super) fn is_plausible(&self) -> bool {
        match self {
            Self::Remark(remark) => remark.len() <= REMARK_BYTES_MAX,
            Self::Stop { lost } | Self::Withdrawn { lost } | Self::Resumed { lost } => {
                lost.len() <= LOST_MAX
            }
            Self::Start | Self::Answer(_) => true,
        }
    }

    pub(super) fn of<Outcome>(input: &Input<Outcome>) -> Self {
        match input {
            Input::Start => Self::Start,
            Input::Answer(answer) => Self::Answer(answer.command.0),
            Input::Stop { lost } => Self::Stop { lost: forms(lost) },
            Input::Withdrawn { lost } => Self::Withdrawn { lost: forms(lost) },
            Input::Remark(remark) => Self::Remark(remark.clone()),
            Input::Resumed { lost } => Self::Resumed { lost: forms(lost) },
        }
    }

    /// Returns the input. For an answer it returns the command's number, by which the answer is
    /// found among those that arrived.
    pub(super) fn read<Outcome>(self) -> Result<Input<Outcome>, CommandId> {
        Ok(match self {
            Self::Start => Input::Start,
            Self::Answer(command) => return Err(CommandId(command)),
            Self::Stop { lost } => Input::Stop { lost: calls(lost) },
            Self::Withdrawn { lost } => Input::Withdrawn { lost: calls(lost) },
            Self::Remark(remark) => Input::Remark(remark),
            Self::Resumed { lost } => Input::Resumed { lost: calls(lost) },
        })
    }
}

fn forms(lost: &[LostCall]) -> Vec<LostCallForm> {
    lost.iter().map(LostCallForm::of).collect()
}

fn calls(lost: Vec<LostCallForm>) -> Vec<LostCall> {
    lost.into_iter().map(LostCallForm::read).collect()
}

impl LostCallForm {
    fn of(lost: &LostCall) -> Self {
        Self {
            command: lost.command.0,
            attempts: lost.attempts,
            throttled: lost.throttled,
            nano_usd: lost.nano_usd,
        }
    }

    fn read(self) -> LostCall {
        LostCall {
            command: CommandId(self.command),
            attempts: self.attempts,
            throttled: self.throttled,
            nano_usd: self.nano_usd,
        }
    }
}
