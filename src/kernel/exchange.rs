//! What an engine wants done and what it is told, for any kind of action and outcome.

/// The number of a command, from 1, in the order of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandId(pub u32);

/// Something to be carried out; its answer carries the id.
#[derive(Debug, Clone, PartialEq)]
pub struct Command<Action> {
    /// A new command has the next number; one that is sent again after a crash keeps its own.
    pub id: CommandId,
    /// How often it may be tried; each attempt counts against the budget.
    pub attempts_max: u32,
    /// How many more attempts may be throttled: those are not charged.
    pub throttled_max: u32,
    /// How much of the run's time is left, in milliseconds; no wait may be longer.
    pub time_left_ms: u64,
    /// What is to be done.
    pub action: Action,
}

/// One input of an engine, whose commands have outcomes of this kind. Its time is given beside it.
#[derive(Debug, Clone, PartialEq)]
pub enum Input<Outcome> {
    /// Begin; once.
    Start,
    /// What came of a command.
    Answer(Answer<Outcome>),
    /// The user ends the run.
    Stop {
        /// The calls that are under way, ended by now. One that is not named never began.
        lost: Vec<LostCall>,
    },
    /// The calls that were under way when the end was decided are ended.
    Withdrawn {
        /// Those that had begun.
        lost: Vec<LostCall>,
    },
    /// Something outside the run that viewers should know, as one sentence.
    Remark(String),
    /// Whoever conducted the run has died, and another goes on from the journal. The time since
    /// the input before this one is no time of the run.
    Resumed {
        /// The calls that were under way, the oldest first: their answers will never come. They are
        /// asked for again under their numbers.
        lost: Vec<LostCall>,
    },
}

/// A call whose answer will never come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostCall {
    /// The number of the command that asked.
    pub command: CommandId,
    /// Attempts that were sent, or may have been.
    pub attempts: u32,
    /// Attempts that were throttled and not charged.
    pub throttled: u32,
    /// What they may have cost, in billionths of a dollar.
    pub nano_usd: u64,
}

impl LostCall {
    /// Of a command that never began.
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

/// What came of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<Outcome> {
    /// The number of the command that asked.
    pub command: CommandId,
    /// Attempts that were made, at most the command's `attempts_max`; 0 where the answer was at
    /// hand and nothing was sent.
    pub attempts: u32,
    /// Attempts beside these that were throttled and not charged, at most the command's
    /// `throttled_max`.
    pub throttled: u32,
    /// What the attempts cost, in billionths of a dollar.
    pub nano_usd: u64,
    /// What came, by the kind of command.
    pub outcome: Outcome,
    /// What viewers should know of how it came, a sentence each.
    pub remarks: Vec<String>,
}
