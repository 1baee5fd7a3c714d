//! The one-sided plan's memory: the accepted path, and what was tried from each person on it.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{Pair, PersonIndex, Side};

use super::subject::Subject;

/// A person on the path, and what was tried from there.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) subject: Subject,
    /// Discovery templates asked so far.
    pub(super) templates_asked: usize,
    /// Candidates that could not be verified from here, or led nowhere.
    pub(super) failed: BTreeSet<PersonIndex>,
}

/// The path as accepted so far, A first.
//= spec Frontier Strategy
#[derive(Debug, Clone)]
pub(super) struct OneSided {
    first: Step,
    further: Vec<Step>,
    /// All edges ever accepted, also those that led nowhere.
    pub(super) accepted: BTreeSet<Pair>,
    /// A way on was given up only because of the hop limit.
    pub(super) hop_limited: bool,
    /// The longest accepted path.
    pub(super) hops_reached: u32,
    /// People from whom there was no way on: at how many edges from A, when so many photos had
    /// been looked at.
    exhausted: BTreeMap<PersonIndex, (u32, u32)>,
}

impl OneSided {
    pub(super) fn new() -> Self {
        Self {
            first: Step::new(Subject::Typed(Side::A)),
            further: Vec::new(),
            accepted: BTreeSet::new(),
            hop_limited: false,
            hops_reached: 0,
            exhausted: BTreeMap::new(),
        }
    }

    /// The last person of the path.
    pub(super) fn frontier(&self) -> &Step {
        self.further.last().unwrap_or(&self.first)
    }

    pub(super) fn frontier_mut(&mut self) -> &mut Step {
        self.further.last_mut().unwrap_or(&mut self.first)
    }

    /// k, the number of accepted edges on the path.
    pub(super) fn accepted_edges(&self) -> u32 {
        u32::try_from(self.further.len()).unwrap_or(u32::MAX)
    }

    /// Everybody on the path, A first.
    pub(super) fn path(&self) -> impl Iterator<Item = Subject> + '_ {
        std::iter::once(&self.first)
            .chain(&self.further)
            .map(|step| step.subject)
    }

    /// Puts an accepted person at the end of the path.
    pub(super) fn extend(&mut self, subject: Subject) {
        self.further.push(Step::new(subject));
        self.hops_reached = self.hops_reached.max(self.accepted_edges());
    }

    /// Drops the last person, who stays failed for the one before. False where only A is left.
    pub(super) fn step_back(&mut self, dropped: Option<PersonIndex>, photos_looked: u32) -> bool {
        let depth = self.accepted_edges();
        if self.further.pop().is_none() {
            return false;
        }
        if let Some(dropped) = dropped {
            self.exhausted.insert(dropped, (depth, photos_looked));
        }
        self.frontier_mut().failed.extend(dropped);
        true
    }

    /// Whether a person, reached over so many edges, could only lead where it led before: as far
    /// from A as then or farther, and no photo was looked at since. Without this the plan would
    /// walk every simple path among people who are all known already, and that without one call.
    pub(super) fn is_exhausted(&self, person: PersonIndex, depth: u32, photos_looked: u32) -> bool {
        self.exhausted
            .get(&person)
            .is_some_and(|(before, photos)| depth >= *before && photos_looked == *photos)
    }
}

impl Step {
    fn new(subject: Subject) -> Self {
        Self {
            subject,
            templates_asked: 0,
            failed: BTreeSet::new(),
        }
    }
}
