//! S2: who stands beside the frontier?

use crate::domain::{PersonIndex, Side};

use super::both_ends::Frontier;
use super::machine::{Investigation, Route, State};
use super::notice::Reason;
use super::query;
use super::ranking::{Candidate, next_discovery};
use super::subject::Subject;

impl Investigation {
    //= spec S2
    pub(super) fn step_discovery(&mut self) {
        match &self.route {
            Route::OneSided(_) => self.discover_one_sided(),
            Route::BothEnds(_) => self.discover_both_ends(),
        }
    }

    /// All three queries of the frontier, then the choice among those it was seen with.
    fn discover_one_sided(&mut self) {
        let Route::OneSided(route) = &mut self.route else {
            return;
        };
        let frontier = route.frontier_mut();
        let subject = frontier.subject;
        let template = frontier.templates_asked;
        frontier.templates_asked += 1;
        self.note_frontier(subject);
        match query::discovery(self.knowledge.name_of(subject), template) {
            Some(query) => self.begin_survey(query, vec![subject]),
            None => {
                self.state = State::Choice {
                    planner_answered: false,
                }
            }
        }
    }

    /// Each typed person once; from then on S3 says whose turn it is.
    fn discover_both_ends(&mut self) {
        let Route::BothEnds(route) = &self.route else {
            return;
        };
        let start = [route.turn, route.turn.other()]
            .into_iter()
            .find(|side| route.times_asked(Subject::Typed(*side)) == 0);
        match start {
            Some(side) => self.expand_start(side),
            None => {
                self.state = State::Choice {
                    planner_answered: false,
                }
            }
        }
    }

    /// Asks about a typed person, recognised or not.
    pub(super) fn expand_start(&mut self, side: Side) {
        let subject = Subject::Typed(side);
        let query = next_discovery(&self.knowledge, subject);
        self.expand(
            Frontier {
                side,
                subject,
                depth: 0,
            },
            query,
            vec![subject],
        );
    }

    /// Asks about a candidate of a side.
    pub(super) fn expand_candidate(&mut self, candidate: &Candidate, query: Option<String>) {
        let subject = self.knowledge.subject_of(candidate.person);
        let query = query.or_else(|| next_discovery(&self.knowledge, subject));
        let frontier = Frontier {
            side: candidate.side,
            subject,
            depth: candidate.depth,
        };
        let named = self.subjects_named(query.as_deref(), subject);
        self.expand(frontier, query, named);
    }

    fn expand(&mut self, frontier: Frontier, query: Option<String>, named: Vec<Subject>) {
        let Route::BothEnds(route) = &mut self.route else {
            return;
        };
        route.turn = frontier.side.other();
        *route.asked.entry(frontier.subject).or_insert(0) += 1;
        route.frontier = Some(frontier);
        self.note_frontier(frontier.subject);
        self.state = State::Discovery;
        if let Some(query) = query {
            self.begin_survey(query, named);
        }
    }

    /// The frontier, and the typed people whose pair template with it the query is.
    fn subjects_named(&self, query: Option<&str>, subject: Subject) -> Vec<Subject> {
        let mut named = vec![subject];
        let name = self.knowledge.name_of(subject);
        for side in [Side::A, Side::B] {
            let typed = self.knowledge.people.typed_name(side).as_str();
            if query == Some(query::pair(name, typed).as_str()) {
                named.push(Subject::Typed(side));
            }
        }
        named
    }

    /// Back along the path to the nearest person with something left to try; none left: S7.
    //= spec Frontier Strategy
    pub(super) fn next_frontier(&mut self) {
        self.planner.forget_suggestions();
        loop {
            let Route::OneSided(route) = &mut self.route else {
                return;
            };
            let dropped: Option<PersonIndex> = self.knowledge.person_of(route.frontier().subject);
            if !route.step_back(dropped, self.spend.photos.looked) {
                let reason = if route.hop_limited {
                    Reason::HopLimit
                } else {
                    Reason::NoCandidates
                };
                self.state = State::Failure(reason);
                return;
            }
            let templates_left = route.frontier().templates_asked < query::DISCOVERY.len();
            if templates_left {
                self.state = State::Discovery;
            } else if self.has_one_sided_candidate() {
                self.state = State::Choice {
                    planner_answered: false,
                };
            } else {
                continue;
            }
            self.tell_one_sided_path();
            return;
        }
    }

    fn has_one_sided_candidate(&mut self) -> bool {
        let Route::OneSided(route) = &self.route else {
            return false;
        };
        let (candidates, hop_limited) = self.one_sided_candidates(route);
        if let Route::OneSided(route) = &mut self.route {
            route.hop_limited |= hop_limited;
        }
        !candidates.is_empty()
    }
}
