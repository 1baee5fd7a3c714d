//! The accepted path, and what was tried from each person on it.

use std::collections::{BTreeMap, BTreeSet};

use domain::{EvidenceGraph, Pair, PersonIndex, Side};

use crate::machine::facts::{Facts, Frontier, Subject};

/// A person on the path, and what was tried from there.
#[derive(Debug, Clone)]
struct PathStep {
    subject: Subject,
    /// The number of discovery templates asked so far.
    templates_asked: usize,
    /// The candidates that could not be verified from here, or led nowhere.
    failed: BTreeSet<PersonIndex>,
}

/// The path as accepted so far, A first.
//= spec Frontier Strategy
#[derive(Debug, Clone)]
pub struct Path {
    first: PathStep,
    further: Vec<PathStep>,
    /// The edges that were ever accepted, including those that led nowhere.
    accepted: BTreeSet<Pair>,
    /// Whether a way on was given up only because of the hop limit.
    is_hop_limited: bool,
    /// The number of edges of the longest accepted path.
    hops_reached: u32,
    /// The people from whom there was no way on. For each, the number of edges from A at which that
    /// was, and the number of photos that had been looked at by then.
    exhausted: BTreeMap<PersonIndex, (u32, u32)>,
}

impl Path {
    pub fn new() -> Self {
        Self {
            first: PathStep::new(Subject::Typed(Side::A)),
            further: Vec::new(),
            accepted: BTreeSet::new(),
            is_hop_limited: false,
            hops_reached: 0,
            exhausted: BTreeMap::new(),
        }
    }

    fn last(&self) -> &PathStep {
        self.further.last().unwrap_or(&self.first)
    }

    fn last_mut(&mut self) -> &mut PathStep {
        self.further.last_mut().unwrap_or(&mut self.first)
    }

    /// Returns the last person of the path, where the search is.
    pub fn frontier(&self) -> Frontier {
        Frontier {
            side: Side::A,
            subject: self.last().subject,
            depth: self.accepted_edges(),
        }
    }

    /// Returns k, the number of accepted edges on the path.
    pub fn accepted_edges(&self) -> u32 {
        u32::try_from(self.further.len()).unwrap_or(u32::MAX)
    }

    /// Returns everybody on the path whom the recogniser has seen, A first.
    pub fn people(&self, facts: &Facts) -> Vec<PersonIndex> {
        std::iter::once(&self.first)
            .chain(&self.further)
            .filter_map(|step| facts.knowledge().person_of(step.subject))
            .collect()
    }

    /// Returns the edges that were accepted, on the path or before.
    pub fn verified(&self, facts: &Facts) -> EvidenceGraph {
        facts.together().restricted_to(&self.accepted)
    }

    pub fn hops_reached(&self) -> u32 {
        self.hops_reached
    }

    pub fn is_hop_limited(&self) -> bool {
        self.is_hop_limited
    }

    /// Notes that a way on was given up only because of the hop limit.
    pub fn note_hop_limit(&mut self) {
        self.is_hop_limited = true;
    }

    /// Returns the number of the next discovery template for the last person, which counts as asked
    /// from now on.
    pub fn next_template(&mut self) -> usize {
        let last = self.last_mut();
        last.templates_asked += 1;
        last.templates_asked - 1
    }

    /// Returns the number of discovery templates asked for the last person.
    pub fn templates_asked(&self) -> usize {
        self.last().templates_asked
    }

    /// Notes that a candidate could not be verified from the last person.
    pub fn note_failed(&mut self, candidate: PersonIndex) {
        self.last_mut().failed.insert(candidate);
    }

    /// Returns whether a candidate could not be verified from the last person, or led nowhere.
    pub fn has_failed(&self, candidate: PersonIndex) -> bool {
        self.last().failed.contains(&candidate)
    }

    /// Accepts an edge, whose far end is the last person from now on.
    pub fn accept(&mut self, from: PersonIndex, to: PersonIndex, subject: Subject) {
        self.accepted.extend(Pair::new(from, to));
        self.further.push(PathStep::new(subject));
        self.hops_reached = self.hops_reached.max(self.accepted_edges());
    }

    /// Drops the last person, who stays failed for the one before. Returns false where only A is
    /// left.
    pub fn step_back(&mut self, dropped: Option<PersonIndex>, photos_looked: u32) -> bool {
        let depth = self.accepted_edges();
        if self.further.pop().is_none() {
            return false;
        }
        if let Some(dropped) = dropped {
            self.exhausted.insert(dropped, (depth, photos_looked));
        }
        self.last_mut().failed.extend(dropped);
        true
    }

    /// Returns whether a person, reached over this many edges, could only lead where they led
    /// before: they are as far from A as then or farther, and no photo was looked at since. Without
    /// this the plan would walk every simple path among people who are all known already, without
    /// making one call.
    pub fn is_exhausted(&self, person: PersonIndex, depth: u32, photos_looked: u32) -> bool {
        self.exhausted
            .get(&person)
            .is_some_and(|(before, photos)| depth >= *before && photos_looked == *photos)
    }
}

impl PathStep {
    fn new(subject: Subject) -> Self {
        Self {
            subject,
            templates_asked: 0,
            failed: BTreeSet::new(),
        }
    }
}
