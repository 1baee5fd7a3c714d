//! S2: who stands beside the frontier?

use crate::domain::{Pair, PersonIndex, Side};

use super::both_ends::Frontier;
use super::machine::{Investigation, Route, State};
use super::notice::Reason;
use super::query;
use super::ranking::Candidate;
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

    /// Each typed person once; from then on S3 says who is next.
    fn discover_both_ends(&mut self) {
        let Route::BothEnds(route) = &self.route else {
            return;
        };
        let start = route.start_to_ask().and_then(|side| {
            let query = self.next_single(Subject::Typed(side), route)?;
            Some((side, query))
        });
        match start {
            Some((side, query)) => self.expand_start(side, query),
            None => {
                self.state = State::Choice {
                    planner_answered: false,
                }
            }
        }
    }

    /// Asks about a typed person, recognised or not.
    pub(super) fn expand_start(&mut self, side: Side, query: String) {
        let subject = Subject::Typed(side);
        let frontier = Frontier {
            side,
            subject,
            depth: 0,
        };
        self.expand(frontier, query, vec![subject]);
    }

    /// Asks about a candidate of a side: what the planner wants, or else the best there is.
    pub(super) fn expand_candidate(&mut self, candidate: &Candidate, planned: Option<String>) {
        let subject = self.knowledge.subject_of(candidate.person);
        let frontier = Frontier {
            side: candidate.side,
            subject,
            depth: candidate.depth,
        };
        if let Some(query) = planned {
            let named = self.subjects_named(&query, subject);
            self.expand(frontier, query, named);
        } else if let Some(probe) = &candidate.probe {
            self.expand(frontier, probe.query.clone(), probe.named.clone());
        }
    }

    fn expand(&mut self, frontier: Frontier, query: String, named: Vec<Subject>) {
        let people = match named.as_slice() {
            [one, other] => self
                .knowledge
                .person_of(*one)
                .zip(self.knowledge.person_of(*other))
                .and_then(|(one, other)| Pair::new(one, other)),
            _ => None,
        };
        let Route::BothEnds(route) = &mut self.route else {
            return;
        };
        route.turn = frontier.side.other();
        route.note(&query, &named, people);
        route.frontier = Some(frontier);
        self.note_frontier(frontier.subject);
        self.state = State::Discovery;
        self.begin_survey(query, named);
    }

    /// The frontier, and the typed people whose pair template with it the query is.
    fn subjects_named(&self, query: &str, subject: Subject) -> Vec<Subject> {
        let mut named = vec![subject];
        let name = self.knowledge.name_of(subject);
        for side in [Side::A, Side::B] {
            let typed = self.knowledge.people.typed_name(side).as_str();
            if query == query::pair(name, typed) {
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
                self.end_as(State::Failure(reason));
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
