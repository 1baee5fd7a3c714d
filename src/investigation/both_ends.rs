//! The both-ends plan's memory, and its check after each photo.

use std::collections::BTreeMap;

use crate::domain::{PersonIndex, Side, best_chain, reach};

use super::machine::{Investigation, State};
use super::notice::Told;
use super::report;
use super::subject::Subject;

/// Whose surroundings are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frontier {
    pub(super) side: Side,
    pub(super) subject: Subject,
    /// Edges from the side's start.
    pub(super) depth: u32,
}

/// Where both halves of the search stand.
#[derive(Debug, Clone)]
pub(super) struct BothEnds {
    /// Whose turn it is.
    pub(super) turn: Side,
    /// How often each person's surroundings were asked for.
    pub(super) asked: BTreeMap<Subject, u32>,
    /// The frontier of the survey under way, or of the last one.
    pub(super) frontier: Option<Frontier>,
}

impl BothEnds {
    pub(super) fn new() -> Self {
        Self {
            turn: Side::A,
            asked: BTreeMap::new(),
            frontier: None,
        }
    }

    pub(super) fn times_asked(&self, subject: Subject) -> u32 {
        self.asked.get(&subject).copied().unwrap_or(0)
    }
}

impl Investigation {
    /// After each photo: who has joined a side, and is there a path within the hops?
    pub(super) fn check_both_ends(&mut self) {
        self.tell_joined();
        let Some((from, to)) = self.typed_pair() else {
            return;
        };
        let chain = best_chain(
            self.knowledge.together(),
            from,
            to,
            self.request.limits.hops,
            |person| self.may_be_on_path(person),
            |person| self.knowledge.people.name(person),
        );
        if let Some(chain) = chain {
            self.survey = None;
            self.state = State::Success(Box::new(chain));
        }
    }

    /// Tells the evidence of each edge that first joins a person to A's or B's side.
    fn tell_joined(&mut self) {
        for side in [Side::A, Side::B] {
            let Some(start) = self.knowledge.people.bound(side) else {
                continue;
            };
            self.joined.entry(start).or_insert(side);
            let reached = reach(self.knowledge.together(), start, |_| true);
            let mut news: Vec<(PersonIndex, PersonIndex)> = Vec::new();
            for person in reached.order() {
                if let Some(parent) = reached.parent(*person)
                    && !self.joined.contains_key(person)
                {
                    self.joined.insert(*person, side);
                    news.push((parent, *person));
                }
            }
            for (parent, person) in news {
                self.tell_edge(parent, person);
            }
        }
    }

    /// Tells an edge with its photos, once.
    pub(super) fn tell_edge(&mut self, from: PersonIndex, to: PersonIndex) {
        let Some(edge) = self.knowledge.together().edge(from, to) else {
            return;
        };
        if self.told_edges.insert(edge.pair()) {
            let report = report::edge(&self.knowledge, from, to, edge);
            self.tell(Told::Evidence(report));
        }
    }
}
