//! What the machine wants done.

use crate::domain::PlanQuestion;

/// The number of a command, from 1, in the order of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandId(pub u32);

/// Something to be carried out; its answer carries the id.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// Its number.
    pub id: CommandId,
    /// How often it may be tried; each attempt counts against the budget.
    pub attempts_max: u32,
    /// How much of the run's time is left, in milliseconds; no wait may be longer.
    pub time_left_ms: u64,
    /// What.
    pub action: Action,
}

/// The four things that a run does outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Search for images; at most `count` hits are wanted.
    Search {
        /// The query.
        query: String,
        /// Hits wanted.
        count: u32,
    },
    /// Fetch a photo, the original first and then the smaller copy. The conductor keeps the bytes
    /// until they are recognised or the next photo is fetched.
    Fetch {
        /// The photo.
        image_url: String,
        /// The smaller copy.
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
