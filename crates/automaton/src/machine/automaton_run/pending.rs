//! What is not decided yet: a failure, an action that was made anew, an end before its last look.

use crate::machine::drift::Fault;
use crate::machine::grammar::Cause;
use crate::machine::interface::{Ending, Place};
use crate::machine::states::Line;

/// An action that failed.
pub(super) struct Failed {
    pub(super) place: Place,
    pub(super) cause: Cause,
    pub(super) message: String,
}

/// An action that was made anew, until it has been carried out.
#[derive(Debug, Clone)]
pub(super) struct Tried {
    pub(super) place: Place,
    /// The action as it was.
    pub(super) old: Line,
    /// The number of times that it was made anew.
    pub(super) times: u32,
}

/// A run that ends once the page was looked at.
#[derive(Debug, Clone)]
pub(super) struct Examined {
    pub(super) ending: Ending,
    /// The states that failed, and the part of each.
    pub(super) failed: Vec<(usize, Fault)>,
}
