//! The kept form of what the machine is told. An answer is named by its command: what it says is in
//! its own entry.

use serde::{Deserialize, Serialize};

use crate::investigation::{CommandId, Input, LostCall};

/// What the machine is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Given {
    Start,
    Answer(u32),
    Stop { attempts: u32, nano_usd: u64 },
    Remark(String),
    Resumed { lost: Vec<LostForm> },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LostForm {
    command: u32,
    attempts: u32,
    nano_usd: u64,
}

/// A remark is one sentence.
const REMARK_BYTES_MAX: usize = 1_000;
/// So many calls are under way at most.
const LOST_MAX: usize = 16;

impl Given {
    pub(super) fn is_plausible(&self) -> bool {
        match self {
            Self::Remark(remark) => remark.len() <= REMARK_BYTES_MAX,
            Self::Resumed { lost } => lost.len() <= LOST_MAX,
            Self::Start | Self::Answer(_) | Self::Stop { .. } => true,
        }
    }

    pub(super) fn of(input: &Input) -> Self {
        match input {
            Input::Start => Self::Start,
            Input::Answer(answer) => Self::Answer(answer.command.0),
            Input::Stop { attempts, nano_usd } => Self::Stop {
                attempts: *attempts,
                nano_usd: *nano_usd,
            },
            Input::Remark(remark) => Self::Remark(remark.clone()),
            Input::Resumed { lost } => Self::Resumed {
                lost: lost.iter().map(LostForm::of).collect(),
            },
        }
    }

    /// The input; an answer by its command's number, to be found among those that arrived.
    pub(super) fn read(self) -> Result<Input, CommandId> {
        Ok(match self {
            Self::Start => Input::Start,
            Self::Answer(command) => return Err(CommandId(command)),
            Self::Stop { attempts, nano_usd } => Input::Stop { attempts, nano_usd },
            Self::Remark(remark) => Input::Remark(remark),
            Self::Resumed { lost } => Input::Resumed {
                lost: lost.into_iter().map(LostForm::read).collect(),
            },
        })
    }
}

impl LostForm {
    fn of(lost: &LostCall) -> Self {
        Self {
            command: lost.command.0,
            attempts: lost.attempts,
            nano_usd: lost.nano_usd,
        }
    }

    fn read(self) -> LostCall {
        LostCall {
            command: CommandId(self.command),
            attempts: self.attempts,
            nano_usd: self.nano_usd,
        }
    }
}
