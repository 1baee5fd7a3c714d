//! What the machine wants done.

use crate::domain::{PlanQuestion, SearchQuestion};

/// The number of a command, from 1, in the order of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandId(pub u32);

/// Something to be carried out; its answer carries the id.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// A new command has the next number; one that is sent again after a crash keeps its own.
    pub id: CommandId,
    /// How often it may be tried; each attempt counts against the budget.
    pub attempts_max: u32,
    /// How many more attempts may be throttled: those are not charged.
    pub throttled_max: u32,
    /// How much of the run's time is left, in milliseconds; no wait may be longer.
    pub time_left_ms: u64,
    /// One call, or for a photo up to three addresses.
    pub action: Action,
}

/// The four things that a run does outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Search for images; at most `count` hits are wanted.
    Search {
        /// Whom to find: each search engine makes its own query of it.
        question: SearchQuestion,
        /// How many hits are wanted.
        count: u32,
    },
    /// Fetch a photo, by its first address that gives one. The conductor keeps the bytes
    /// as long as [`crate::investigation::Investigation::needs_photo`] says so.
    Fetch {
        /// The address of the photo.
        image_url: String,
        /// The address of the original, where that of the photo is a copy's.
        original_url: Option<String>,
        /// The address of the small copy, for when neither can be had.
        thumbnail_url: Option<String>,
    },
    /// Recognise the people in the photo that this earlier command fetched.
    Recognise {
        /// The command that fetched it.
        fetched_by: CommandId,
    },
    /// Ask the planner whom to try next.
    Plan(PlanQuestion),
}
