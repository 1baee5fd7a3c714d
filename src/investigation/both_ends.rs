//! The both-ends plan's memory, and its check after each photo.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{Pair, PersonIndex, SeenFace, Side, reach};

use super::machine::{Investigation, Route, State};
use super::notice::Told;
use super::ranking::Candidate;
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
    /// Who was chosen last, until they are searched for.
    pub(super) chosen: Option<Box<Candidate>>,
    /// Queries that were begun: none is asked again, also while its answer is awaited.
    pub(super) begun: BTreeSet<String>,
    /// Two people who were named together.
    pub(super) paired: BTreeSet<Pair>,
    /// Who is connected with A and with B.
    reached: [BTreeSet<PersonIndex>; 2],
    /// So many photos are taken into account there.
    photos_checked: usize,
}

impl BothEnds {
    pub(super) fn new() -> Self {
        Self {
            turn: Side::A,
            asked: BTreeMap::new(),
            frontier: None,
            chosen: None,
            begun: BTreeSet::new(),
            paired: BTreeSet::new(),
            reached: [BTreeSet::new(), BTreeSet::new()],
            photos_checked: 0,
        }
    }

    /// Notes a search before it is made.
    pub(super) fn note(&mut self, query: &str, named: &[Subject], people: Option<Pair>) {
        self.begun.insert(query.to_owned());
        self.paired.extend(people);
        for subject in named {
            *self.asked.entry(*subject).or_insert(0) += 1;
        }
    }

    fn reached(&self, side: Side) -> &BTreeSet<PersonIndex> {
        let [from_a, from_b] = &self.reached;
        match side {
            Side::A => from_a,
            Side::B => from_b,
        }
    }

    fn reached_mut(&mut self, side: Side) -> &mut BTreeSet<PersonIndex> {
        let [from_a, from_b] = &mut self.reached;
        match side {
            Side::A => from_a,
            Side::B => from_b,
        }
    }

    /// A typed person who was not asked about yet, the side in turn first.
    pub(super) fn start_to_ask(&self) -> Option<Side> {
        let mut sides = [self.turn, self.turn.other()].into_iter();
        sides.find(|side| self.times_asked(Subject::Typed(*side)) == 0)
    }

    pub(super) fn times_asked(&self, subject: Subject) -> u32 {
        self.asked.get(&subject).copied().unwrap_or(0)
    }
}

impl Investigation {
    /// After each photo: who has joined a side, and is there a path within the hops?
    pub(super) fn check_both_ends(&mut self) {
        if !self.tell_joined() {
            return;
        }
        let Some((from, to)) = self.typed_pair() else {
            return;
        };
        match self.best_now(from, to) {
            Some(chain) => self.on_chain(chain),
            None if matches!(self.state, State::Polish { .. } | State::Success(_)) => {
                // Somebody of the chain has one more name now, and that one is to be avoided.
                self.status("The chain leads through somebody to avoid, as it turns out.");
                self.state = State::Discovery;
            }
            None => {}
        }
    }

    /// Tells the evidence of each edge that first joins a person to A's or B's side. True where
    /// the sides have met, by a chain of any length.
    fn tell_joined(&mut self) -> bool {
        for side in [Side::A, Side::B] {
            let Some(start) = self.knowledge.people.bound(side) else {
                continue;
            };
            self.joined.entry(start).or_insert(side);
            if !self.may_have_grown(side, start) {
                continue;
            }
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
            if let Route::BothEnds(route) = &mut self.route {
                *route.reached_mut(side) = reached.order().iter().copied().collect();
            }
            for (parent, person) in news {
                self.tell_edge(parent, person);
            }
        }
        let Route::BothEnds(route) = &mut self.route else {
            return false;
        };
        route.photos_checked = self.knowledge.sightings().len();
        let to = self.knowledge.people.bound(Side::B);
        to.is_some_and(|to| route.reached(Side::A).contains(&to))
    }

    /// Whether a photo since the last check shows somebody of the side and somebody else.
    fn may_have_grown(&self, side: Side, start: PersonIndex) -> bool {
        let Route::BothEnds(route) = &self.route else {
            return false;
        };
        let known = route.reached(side);
        if !known.contains(&start) {
            return true;
        }
        let sightings = self.knowledge.sightings().iter();
        sightings.skip(route.photos_checked).any(|sighting| {
            let is_known = |face: &SeenFace| known.contains(&face.person);
            sighting.faces.iter().any(is_known) && !sighting.faces.iter().all(is_known)
        })
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
