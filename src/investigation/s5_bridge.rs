//! S5: from the person just reached straight to the target?

use crate::domain::{PersonIndex, Side};

use super::machine::{Investigation, Route, State};
use super::query;
use super::subject::Subject;

impl Investigation {
    //= spec S5
    pub(super) fn step_bridge(&mut self, reached: PersonIndex, asked: bool) {
        match &self.route {
            Route::OneSided(route) => {
                let accepted_edges = route.accepted_edges();
                self.bridge_one_sided(reached, accepted_edges, asked);
            }
            Route::BothEnds(_) => self.bridge_both_ends(reached),
        }
    }

    fn bridge_one_sided(&mut self, reached: PersonIndex, accepted_edges: u32, asked: bool) {
        let hops = self.request.limits.hops;
        let name = self.knowledge.people.name(reached).to_owned();
        let target = self.request.person_b.as_str().to_owned();
        // k+1 <= hops: one more edge may end the path.
        if !asked && accepted_edges < hops {
            self.state = State::Bridge {
                reached,
                asked: true,
            };
            self.status(format!(
                "Checking whether {name} connects directly to {target}..."
            ));
            let subject = self.knowledge.subject_of(reached);
            let named = vec![subject, Subject::Typed(Side::B)];
            self.begin_survey(query::pair(&name, &target), named);
        } else if accepted_edges + 2 <= hops {
            self.status("No direct edge found; expanding again...");
            self.state = State::Discovery;
        } else {
            self.status(format!(
                "No direct edge found, and the path cannot grow beyond {hops}."
            ));
            if let Route::OneSided(route) = &mut self.route {
                route.hop_limited = true;
            }
            self.next_frontier();
        }
    }

    /// Both ends: the search goes on around the person; a bridging query is asked only where the
    /// planner wants it, since any photo that joins the sides ends the run.
    fn bridge_both_ends(&mut self, reached: PersonIndex) {
        let Route::BothEnds(route) = &mut self.route else {
            return;
        };
        let chosen = route.chosen.take();
        let candidate = chosen.filter(|candidate| candidate.person == reached);
        let planned = self.planned_query_for(reached);
        match candidate {
            Some(candidate) => self.expand_candidate(&candidate, planned),
            None => {
                self.state = State::Choice {
                    planner_answered: false,
                }
            }
        }
    }

    fn planned_query_for(&mut self, person: PersonIndex) -> Option<String> {
        let name = self.knowledge.people.name(person).to_owned();
        let own: Vec<String> =
            (0..query::DISCOVERY.len())
                .filter_map(|template| query::discovery(&name, template))
                .chain([Side::A, Side::B].into_iter().map(|side| {
                    query::pair(&name, self.knowledge.people.typed_name(side).as_str())
                }))
                .collect();
        let planned = self.planner.take_queries(&own);
        planned
            .into_iter()
            .find(|query| self.knowledge.asked(query).is_none())
    }
}
