//! The rules that a plan sets for the scheduler.

use domain::{Limits, Pace};

/// The searches that may begin beside those under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// No search: each begins alone.
    Nothing,
    /// Any search.
    Anything,
    /// A search up to this many surveys, where a slot would stay empty.
    WhereSlotsAreLeft { surveys_max: usize },
}

/// The rules for what may be under way together, in plain values as of now.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Whether photos are taken one at a time.
    pub is_frugal: bool,
    pub beside: Beside,
    /// Whether a photo may be deferred. The next search is made beside it, so that no slot is lost.
    pub may_defer: bool,
    /// The number of pairs of people that searches have named so far.
    pub pairs_named: usize,
}

impl Policy {
    /// Makes the policy of one search after the other, each with the photos that are looked at.
    //= spec S2 "num=5"
    pub fn one_at_a_time(limits: &Limits) -> Self {
        Self {
            is_frugal: limits.pace == Pace::Frugal,
            beside: Beside::Nothing,
            may_defer: false,
            pairs_named: 0,
        }
    }
}
