//! What the machine is told.

use crate::domain::{
    Face, Failure, Hit, Limits, Name, PhotoCopy, PhotoFailure, PlanAnswer, Sha256Digest,
    TypedPerson, Veto,
};

use super::command::CommandId;

/// The question of one run, already accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Where the chain starts.
    pub person_a: TypedPerson,
    /// Where it ends.
    pub person_b: TypedPerson,
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

/// One input of the machine, with the time in [`crate::investigation::Investigation::handle`].
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Begin; once.
    Start,
    /// What came of a command.
    Answer(Answer),
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
    /// Something outside the search that viewers should know, as one sentence.
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
pub struct Answer {
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

/// A photo whose bytes came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The digest of the bytes that came.
    pub digest: Sha256Digest,
    /// Which of the photo's addresses gave them.
    pub copy: PhotoCopy,
}

/// What a photo shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recognised {
    /// Who is in it, in the recogniser's order.
    pub faces: Vec<Face>,
    /// Why it proves nothing about those who are in it, as its pixels show.
    pub veto: Option<Veto>,
}

impl From<Vec<Face>> for Recognised {
    /// Nothing speaks against the photo.
    fn from(faces: Vec<Face>) -> Self {
        Self { faces, veto: None }
    }
}

/// The outcome of a command, one variant for each [`super::Action`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Of a search.
    Searched(Result<Vec<Hit>, Failure>),
    /// Of fetching a photo.
    Fetched(Result<Fetched, PhotoFailure>),
    /// Of recognising a fetched photo.
    Recognised(Result<Recognised, Failure>),
    /// Of asking the planner.
    Planned(Result<PlanAnswer, Failure>),
}
