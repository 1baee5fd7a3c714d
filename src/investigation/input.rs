//! What the machine is told.

use crate::domain::{Face, Failure, Hit, Limits, Name, PhotoDigest, PhotoFailure, PlanAnswer};

use super::command::CommandId;

/// The question of one run, already accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Where the chain starts.
    pub person_a: Name,
    /// Where it ends.
    pub person_b: Name,
    /// People that may not be on the path.
    pub avoid: Vec<Name>,
    /// What the run may do and spend.
    pub limits: Limits,
}

impl Request {
    /// Whether a recognised name is one that may not be on the path.
    #[must_use]
    pub fn avoids(&self, folded: &str) -> bool {
        self.avoid.iter().any(|name| name.folded() == folded)
    }
}

/// One input of the machine, with the time in [`super::Investigation::handle`].
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Begin; once.
    Start,
    /// What came of a command.
    Answer(Answer),
    /// The user ends the run.
    Stop {
        /// Attempts made by now of the command under way; 0 where none began.
        attempts: u32,
        /// What they cost, or may have cost, in billionths of a dollar.
        nano_usd: u64,
    },
    /// Something outside the search that viewers should know, as one sentence.
    Remark(String),
    /// Whoever conducted the run has died, and another goes on from the journal. The time since
    /// the input before this one is no time of the run.
    Resumed {
        /// The calls that were under way: their answers will never come.
        lost: Vec<LostCall>,
    },
}

/// A call whose answer was lost with its conductor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostCall {
    /// Which command.
    pub command: CommandId,
    /// Attempts that were sent, or may have been.
    pub attempts: u32,
    /// What they may have cost, in billionths of a dollar.
    pub nano_usd: u64,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Which command.
    pub command: CommandId,
    /// Attempts that were made, at most the command's `attempts_max`; 0 where the answer was at
    /// hand and nothing was sent.
    pub attempts: u32,
    /// What the attempts cost, in billionths of a dollar.
    pub nano_usd: u64,
    /// The outcome.
    pub outcome: Outcome,
}

/// A photo whose bytes came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Of the bytes.
    pub digest: PhotoDigest,
    /// The original could not be had; these are the smaller copy's bytes.
    pub is_thumbnail: bool,
}

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Of a search.
    Searched(Result<Vec<Hit>, Failure>),
    /// Of fetching a photo.
    Fetched(Result<Fetched, PhotoFailure>),
    /// Of recognising a fetched photo.
    Recognised(Result<Vec<Face>, Failure>),
    /// Of asking the planner.
    Planned(Result<PlanAnswer, Failure>),
}
