//! The place in the search where something happens.

use domain::Side;

use crate::machine::interface::StateName;

use super::subject::Subject;

/// The person whose surroundings are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frontier {
    pub side: Side,
    pub subject: Subject,
    /// The number of edges from the side's start.
    pub depth: u32,
}

/// A place in the search. The result of a call is told of the place that asked for it, wherever the
/// search has gone on to meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub state: StateName,
    pub frontier: Option<Frontier>,
}
