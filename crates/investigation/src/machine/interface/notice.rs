//! The notices of the machine.

use domain::{Limits, Side};
use kernel::Millis;

use super::capture::CaptureReport;
use super::endings::{ErrorReport, FinalReport, NoPathReport};
use super::reports::{EdgeReport, PersonRef};
use super::spent::Spent;

/// A notice to viewers, with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that led to it.
    pub at: Millis,
    /// One event for the viewers.
    pub kind: NoticeKind,
}

/// The kind of event that a notice is.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The line about what is being tried.
    Status(Status),
    /// A verified edge.
    Evidence(EdgeReport),
    /// The chain as of now.
    PathUpdate(Vec<PersonRef>),
    /// What came of opening a page that shows photos of the final chain.
    PageCapture(CaptureReport),
    /// A chain from A to B. This is the last notice.
    Final(Box<FinalReport>),
    /// An honest no. This is the last notice.
    NoPath(Box<NoPathReport>),
    /// An error with which the run could not go on. This is the last notice.
    Error(ErrorReport),
}

impl NoticeKind {
    /// Returns whether no notice comes after it.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Final(_) | Self::NoPath(_) | Self::Error(_))
    }
}

/// The names of the states.
//= spec Worker State Machine
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateName {
    /// Initialize session.
    S0,
    /// Direct edge attempt.
    S1,
    /// Candidate discovery.
    S2,
    /// Select next expansion.
    S3,
    /// Verify next edge.
    S4,
    /// Bridge toward target.
    S5,
    /// Finalize success.
    S6,
    /// Finalize failure.
    S7,
}

impl StateName {
    /// Returns the name under which it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S0 => "S0",
            Self::S1 => "S1",
            Self::S2 => "S2",
            Self::S3 => "S3",
            Self::S4 => "S4",
            Self::S5 => "S5",
            Self::S6 => "S6",
            Self::S7 => "S7",
        }
    }
}

/// The status of a run: what is being tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// The state that told this; for an answer, the state that had asked for it.
    pub state: StateName,
    /// One line for people.
    pub message: String,
    /// The number of edges between the start of the side and the frontier.
    pub hop: u32,
    /// The person whose surroundings are looked at.
    pub frontier: Option<PersonRef>,
    /// The half of the search that the frontier belongs to.
    pub side: Option<Side>,
    /// All that the run has spent so far.
    pub spent: Spent,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
    /// The name of a person who is looked for only because the planner guessed so.
    pub guess: Option<String>,
    /// The links that are only hinted as of now, where they have changed: nobody has looked at their photos yet.
    pub hinted: Option<Vec<[PersonRef; 2]>>,
}
