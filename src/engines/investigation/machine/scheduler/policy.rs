//! What a plan lets the scheduler do.

use crate::domain::{Limits, Pace};

/// Which searches may begin beside those under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// None: a search begins alone.
    Nothing,
    /// Any.
    Anything,
    /// Up to so many, where a slot would stay empty.
    WhereSlotsAreLeft { surveys_max: usize },
}

/// What may be under way together. Plain values, as of now.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Photos that a search asks for.
    pub hits_per_search: u32,
    /// New photos of a search that are looked at.
    pub photos_per_search: u32,
    /// One photo at a time.
    pub is_frugal: bool,
    pub beside: Beside,
    /// Whether a photo may be deferred: the next search is made beside it, so that no slot is
    /// lost.
    pub may_defer: bool,
    /// Pairs of people that searches have named so far.
    pub pairs_named: usize,
}

impl Policy {
    /// One search after the other, each with the photos that are looked at.
    //= spec S2 "num=5"
    pub fn one_at_a_time(limits: &Limits) -> Self {
        Self {
            hits_per_search: limits.images_per_search,
            photos_per_search: limits.images_per_search,
            is_frugal: limits.pace == Pace::Frugal,
            beside: Beside::Nothing,
            may_defer: false,
            pairs_named: 0,
        }
    }
}
