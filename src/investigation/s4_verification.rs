//! S4: is the chosen person really beside the frontier?

use std::collections::VecDeque;

use crate::domain::{EvidenceRef, Pair, PersonIndex, Side};

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
        let planned = self.planner.take_queries();
        let mut queries: VecDeque<String> = planned
            .into_iter()
            .filter(|query| own.contains(query))
            .collect();
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
        let start = self.knowledge.people.bound(side);
        let path = start.map(|start| {
            crate::domain::reach(self.knowledge.together(), start, |p| self.may_be_on_path(p))
                .path_to(candidate)
        });
        if let Some(mut path) = path {
            if side == Side::B {
                path.reverse();
            }
            let path = path
                .into_iter()
                .map(|person| report::person_ref(&self.knowledge, person));
            let path = path.collect();
            self.tell(Told::PathUpdate(path));
        }
        self.state = State::Bridge {
            reached: candidate,
            asked: false,
        };
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
        let people = (
            self.knowledge.person_of(one),
            self.knowledge.person_of(other),
        );
        let (Some(from), Some(to)) = people else {
            return;
        };
        let edge = self.knowledge.together().edge(from, to);
        if edge.is_none_or(|edge| !edge.evidence().contains(&reference)) {
            return;
        }
        self.survey = None;
        self.accept(from, to);
    }

    /// Accepts an edge of the one-sided path and goes where the state's table says.
    fn accept(&mut self, from: PersonIndex, to: PersonIndex) {
        let subject = self.knowledge.subject_of(to);
        let Route::OneSided(route) = &mut self.route else {
            return;
        };
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
            .map(|subject| report::subject_ref(&self.knowledge, subject));
        let path = path.collect();
        self.tell(Told::PathUpdate(path));
    }
}
