//! People of a side with the best search for each.

use crate::domain::PersonIndex;
use crate::engines::investigation::machine::advice::Candidate;
use crate::engines::investigation::machine::facts::{Query, Subject};

/// One person of a side, as the search values them.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub person: PersonIndex,
    /// Edges from the side's start.
    pub depth: u32,
    /// Photos of them not seen yet, by estimate.
    pub unseen_estimate: f64,
    /// The estimate, more if they were never searched for, less if often.
    pub unseen_weighted: f64,
    /// Of the estimate, what one search would find.
    pub fresh: f64,
    pub is_asked: bool,
    pub is_exhausted: bool,
}

impl Standing {
    /// What is thought of their photos, in words for the user.
    pub fn words(&self) -> String {
        let before = if self.is_asked {
            ""
        } else {
            ", not searched for yet"
        };
        // Never "about 0": whoever is weighed may be in one more.
        let photos = self.unseen_estimate.max(1.0);
        let noun = if photos < 1.5 { "photo" } else { "photos" };
        format!("about {photos:.0} {noun} unseen{before}")
    }

    /// How much there may be to see of who is named beside somebody.
    pub fn words_of_partner(&self, name: &str) -> String {
        format!("and about {:.0} of {name}", self.unseen_estimate.max(1.0))
    }
}

/// A search that may be made next.
#[derive(Debug, Clone)]
pub struct Probe {
    pub query: Query,
    pub named: Vec<Subject>,
    /// In no unit: only to compare with others.
    pub worth: f64,
    pub one: Standing,
    /// Who of the other side is named beside them.
    pub partner: Option<Standing>,
}

/// A candidate with the best search for them.
#[derive(Debug, Clone)]
pub struct RankedCandidate {
    pub candidate: Candidate,
    pub probe: Probe,
}

/// The candidates alone, in the same order.
pub fn candidates_of(table: &[RankedCandidate]) -> Vec<&Candidate> {
    table.iter().map(|row| &row.candidate).collect()
}
