//! S4: is the chosen person really beside the frontier?

use std::collections::VecDeque;

use crate::domain::{EvidenceRef, Pair, PersonIndex, Side, reach};

use super::machine::{Investigation, Route, State};
use super::notice::Told;
use super::query;
use super::report;
use super::subject::Subject;

impl Investigation {
    /// One-sided: `{F} {X}`, then `{F} {X} event`, the planner's allowed ones first.
    pub(super) fn verification_queries(&mut self, candidate: PersonIndex) -> VecDeque<String> {
        let Route::OneSided(route) = &self.route else {
            return VecDeque::new();
        };
        let frontier = self.knowledge.name_of(route.frontier().subject).to_owned();
        let name = self.knowledge.people.name(candidate).to_owned();
        let own = [
            query::pair(&frontier, &name),
            query::pair_event(&frontier, &name),
        ];
        let mut queries = VecDeque::from(self.planner.take_queries(&own));
        for query in own {
            if !queries.contains(&query) {
                queries.push_back(query);
            }
        }
        queries
    }

    //= spec S4
    pub(super) fn step_verification(
        &mut self,
        candidate: PersonIndex,
        mut queries: VecDeque<String>,
    ) {
        let Route::OneSided(route) = &mut self.route else {
            self.pass_proven(candidate);
            return;
        };
        let frontier = route.frontier().subject;
        if let Some(query) = queries.pop_front() {
            self.state = State::Verification { candidate, queries };
            let subject = self.knowledge.subject_of(candidate);
            self.begin_survey(query, vec![frontier, subject]);
        } else {
            route.frontier_mut().failed.insert(candidate);
            let name = self.knowledge.people.name(candidate);
            let message = format!("Unable to verify {name} as an intermediate; trying another...");
            self.status(message);
            self.state = State::Choice {
                planner_answered: false,
            };
        }
    }

    /// Both ends: the discovery photo already proves the pair, no call is needed.
    fn pass_proven(&mut self, candidate: PersonIndex) {
        let Route::BothEnds(route) = &self.route else {
            return;
        };
        let side = route.frontier.map_or(Side::A, |frontier| frontier.side);
        if let Some(start) = self.knowledge.people.bound(side) {
            let reached = reach(self.knowledge.together(), start, |person| {
                self.may_be_on_path(person)
            });
            self.tell_proven(candidate, reached.parent(candidate));
            let mut path = reached.path_to(candidate);
            if side == Side::B {
                path.reverse();
            }
            self.tell_path(&path);
        }
        self.state = State::Bridge {
            reached: candidate,
            asked: false,
        };
    }

    fn tell_proven(&mut self, candidate: PersonIndex, parent: Option<PersonIndex>) {
        let together = self.knowledge.together();
        let edge = parent.and_then(|parent| together.edge(parent, candidate));
        if let (Some(parent), Some(edge)) = (parent, edge) {
            let beside = self.knowledge.people.name(parent);
            let name = self.knowledge.people.name(candidate);
            let photos: Vec<String> = edge.evidence().iter().map(ToString::to_string).collect();
            let message = format!(
                "{name} is already proven beside {beside} by {}; no search is needed.",
                photos.join(", ")
            );
            self.status(message);
        }
    }

    /// Tells the chain as it stands, unless it was just told.
    pub(super) fn tell_path(&mut self, people: &[PersonIndex]) {
        if self.told_path != people {
            self.told_path = people.to_vec();
            let path = people
                .iter()
                .map(|person| report::person_ref(&self.knowledge, *person));
            let path = path.collect();
            self.tell(Told::PathUpdate(path));
        }
    }

    /// The two people whom the one-sided plan wants to see together now.
    pub(super) fn wanted_subjects(&self) -> Option<(Subject, Subject)> {
        let target = Subject::Typed(Side::B);
        match (&self.route, &self.state) {
            (_, State::Direct { .. }) => Some((Subject::Typed(Side::A), target)),
            (Route::OneSided(route), State::Verification { candidate, .. }) => Some((
                route.frontier().subject,
                self.knowledge.subject_of(*candidate),
            )),
            (_, State::Bridge { reached, .. }) => {
                Some((self.knowledge.subject_of(*reached), target))
            }
            _ => None,
        }
    }

    /// One-sided: a photo of both wanted people at the threshold accepts their edge.
    pub(super) fn check_wanted_pair(&mut self, reference: EvidenceRef) {
        let Some((one, other)) = self.wanted_subjects() else {
            return;
        };
        if !self.are_shown(one, other, reference) {
            return;
        }
        let people = (
            self.knowledge.person_of(one),
            self.knowledge.person_of(other),
        );
        let (Some(from), Some(to)) = people else {
            return;
        };
        self.drop_surveys();
        self.accept(from, to);
    }

    /// Accepts an edge of the one-sided path and goes where the state's table says.
    fn accept(&mut self, from: PersonIndex, to: PersonIndex) {
        let subject = self.knowledge.subject_of(to);
        let Route::OneSided(route) = &mut self.route else {
            return;
        };
        self.planner.forget_suggestions();
        route.accepted.extend(Pair::new(from, to));
        route.extend(subject);
        for person in [from, to] {
            self.joined.entry(person).or_insert(Side::A);
        }
        self.tell_edge(from, to);
        self.tell_one_sided_path();
        if subject == Subject::Typed(Side::B) {
            self.succeed_one_sided();
        } else {
            self.state = State::Bridge {
                reached: to,
                asked: false,
            };
        }
    }

    pub(super) fn tell_one_sided_path(&mut self) {
        let Route::OneSided(route) = &self.route else {
            return;
        };
        let path = route
            .path()
            .filter_map(|subject| self.knowledge.person_of(subject));
        let path: Vec<PersonIndex> = path.collect();
        self.tell_path(&path);
    }
}
