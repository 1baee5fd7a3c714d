//! The people of a side with the best search for each.

use domain::PersonIndex;

use crate::machine::advice::Candidate;
use crate::machine::facts::{ListKey, Query, Subject};

/// One person of a side, with what the search values in them.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub person: PersonIndex,
    /// The number of edges from the side's start.
    pub depth: u32,
    /// The estimated number of their photos that were not seen yet.
    pub unseen_estimate: f64,
    /// The estimate, raised if they were never searched for and lowered if often.
    pub unseen_weighted: f64,
    /// The part of the estimate that one search would find.
    pub fresh: f64,
    pub is_asked: bool,
    pub is_exhausted: bool,
}

impl Standing {
    /// Returns in words for the user how many photos of them are thought to be unseen.
    pub fn words(&self) -> String {
        let before = if self.is_asked {
            ""
        } else {
            ", not searched for yet"
        };
        // It is never "about 0", since a person who is weighed may be in one more photo.
        let photos = self.unseen_estimate.max(1.0);
        let noun = if photos < 1.5 { "photo" } else { "photos" };
        format!("about {photos:.0} {noun} unseen{before}")
    }

    /// Returns in words for the user how much there may be to see of the person who is named beside
    /// somebody.
    pub fn words_of_partner(&self, name: &str) -> String {
        format!("and about {:.0} of {name}", self.unseen_estimate.max(1.0))
    }
}

/// A way in which more photos may be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// An image search, by its place, is asked for a page of its list.
    Search { source: usize, page: u32 },
    /// What a list has left over is looked at.
    LookOn { list: ListKey },
}

/// A search that may be made next.
#[derive(Debug, Clone)]
pub struct Probe {
    pub query: Query,
    pub named: Vec<Subject>,
    /// The search's worth, without a unit: it is only compared with others.
    pub worth: f64,
    pub one: Standing,
    /// The person of the other side who is named beside them.
    pub partner: Option<Standing>,
    pub lookup: Lookup,
}

/// A candidate with the best search for them.
#[derive(Debug, Clone)]
pub struct RankedCandidate {
    pub candidate: Candidate,
    pub probe: Probe,
}

/// Returns the candidates alone, in the same order.
pub fn candidates_of(table: &[RankedCandidate]) -> Vec<&Candidate> {
    table.iter().map(|row| &row.candidate).collect()
}
