//! The exchange between an engine and the conductor: what is wanted and what is told, for any kind
//! of action and outcome.

/// The number of a command, from 1, in the order in which the commands are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandId(pub u32);

/// Something to be carried out; its answer carries the id.
#[derive(Debug, Clone, PartialEq)]
pub struct Command<Action> {
    /// The command's number. A new command has the next one; a command that is sent again after a
    /// crash keeps its own.
    pub id: CommandId,
    /// The most attempts, each of which counts against the budget.
    pub attempts_max: u32,
    /// The most further attempts that may be throttled. Throttled attempts are not charged.
    pub throttled_max: u32,
    /// The time that is left of the run, in milliseconds. No wait may be longer.
    pub time_left_ms: u64,
    /// The longest wait for the answer, or for a sign that it is still to come, in milliseconds. Only calls
    /// that can give such a sign are waited for longer.
    pub silence_ms_max: u64,
    /// The action that is wanted.
    pub action: Action,
}

/// One input of an engine whose commands have outcomes of this kind. Its time is given beside it.
#[derive(Debug, Clone, PartialEq)]
pub enum Input<Outcome> {
    /// The run begins. This input comes once.
    Start,
    /// A command was answered.
    Answer(Answer<Outcome>),
    /// The user ends the run.
    Stop {
        /// The calls that had begun. They are ended by now. A call under way that is not listed
        /// never began.
        lost: Vec<LostCall>,
    },
    /// The calls that were under way when the end was decided are ended.
    Withdrawn {
        /// The calls that had begun.
        lost: Vec<LostCall>,
    },
    /// Something outside the run that viewers should know, as one sentence.
    Remark(String),
    /// The process that conducted the run has died, and another goes on from the journal. The time
    /// since the input before this one does not count as the run's time.
    Resumed {
        /// The calls that were under way, the oldest first. Their answers will never come; the
        /// calls are made again under their numbers.
        lost: Vec<LostCall>,
    },
}

/// A call whose answer will never come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostCall {
    /// The number of the command that asked.
    pub command: CommandId,
    /// The number of attempts that were sent, or may have been.
    pub attempts: u32,
    /// The number of attempts that were throttled and not charged.
    pub throttled: u32,
    /// The most that the attempts may have cost, in billionths of a dollar.
    pub nano_usd: u64,
}

impl LostCall {
    /// Makes the lost call of a command that never began.
    #[must_use]
    pub fn unsent(command: CommandId) -> Self {
        Self {
            command,
            attempts: 0,
            throttled: 0,
            nano_usd: 0,
        }
    }
}

/// The answer to a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<Outcome> {
    /// The number of the command that asked.
    pub command: CommandId,
    /// The number of attempts that were made, at most the command's `attempts_max`; 0 where the
    /// answer was at hand and nothing was sent.
    pub attempts: u32,
    /// The number of further attempts that were throttled and not charged, at most the command's
    /// `throttled_max`.
    pub throttled: u32,
    /// The cost of the attempts, in billionths of a dollar.
    pub nano_usd: u64,
    /// The outcome, by the kind of command.
    pub outcome: Outcome,
    /// Sentences that tell viewers how the answer came.
    pub remarks: Vec<String>,
}
