//! Where in the search something happens.

use crate::domain::Side;
use crate::engines::investigation::machine::interface::StateName;

use super::subject::Subject;

/// Whose surroundings are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frontier {
    pub side: Side,
    pub subject: Subject,
    /// Edges from the side's start.
    pub depth: u32,
}

/// A place in the search. What comes of a call is told of the place that asked for it, wherever the
/// search has gone on to meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub state: StateName,
    pub frontier: Option<Frontier>,
}
