//! S6: the best path in the verified edges.

use std::borrow::Cow;

use crate::domain::{Chain, EvidenceGraph, PersonIndex, Side, best_chain};

use super::machine::{Investigation, Route, State};
use super::notice::{FinalReport, Reason, Told};
use super::report;

impl Investigation {
    /// One-sided: the path ends at B; the best path in all accepted edges is the answer.
    pub(super) fn succeed_one_sided(&mut self) {
        match self.best_accepted() {
            Some(chain) => self.end_as(State::Success(Box::new(chain))),
            None => self.end_with_internal_error("an accepted path is not in its own graph"),
        }
    }

    fn best_accepted(&self) -> Option<Chain> {
        let (from, to) = self.typed_pair()?;
        self.best_in(&self.verified(), from, to)
    }

    /// The best chain in a graph that the question allows.
    pub(super) fn best_in(
        &self,
        graph: &EvidenceGraph,
        from: PersonIndex,
        to: PersonIndex,
    ) -> Option<Chain> {
        best_chain(
            graph,
            from,
            to,
            self.request.limits.hops,
            |person| self.may_be_on_path(person),
            |person| self.knowledge.people.name(person),
        )
    }

    /// One-sided: a photo that came after the end was decided may be one more of an accepted edge; or
    /// show that the path leads through somebody to avoid.
    pub(super) fn renew_one_sided(&mut self) {
        self.state = match self.best_accepted() {
            Some(chain) => State::Success(Box::new(chain)),
            None => State::Failure(Reason::NoCandidates),
        };
    }

    /// The edges that this plan verifies: one-sided those it accepted, both ends all.
    pub(super) fn verified(&self) -> Cow<'_, EvidenceGraph> {
        match &self.route {
            Route::OneSided(route) => {
                Cow::Owned(self.knowledge.together().restricted_to(&route.accepted))
            }
            Route::BothEnds(_) => Cow::Borrowed(self.knowledge.together()),
        }
    }

    //= spec S6
    pub(super) fn finish_with_chain(&mut self, chain: &Chain) -> bool {
        self.tell_chain(chain);
        let path: Vec<_> = chain
            .people
            .iter()
            .map(|person| report::person_ref(&self.knowledge, *person))
            .collect();
        let edges = chain
            .people
            .iter()
            .zip(chain.people.iter().skip(1))
            .zip(&chain.edges)
            .map(|((from, to), edge)| report::edge(&self.knowledge, *from, *to, edge))
            .collect();
        let final_report = FinalReport {
            path,
            edges,
            bottleneck: chain.bottleneck().percent(),
            cumulative: chain.cumulative(),
            certificate: self.certificate(chain),
            other_paths: self.other_paths(chain),
            graph: self.graph_report(&chain.people),
            spent: self.spent(),
        };
        self.final_path = Some(chain.people.clone());
        self.tell(Told::Final(Box::new(final_report)));
        self.state = State::Ended;
        true
    }

    /// The graph around the given people; with none given, around A and B.
    pub(super) fn graph_report(&self, people: &[PersonIndex]) -> super::notice::GraphReport {
        let typed = [Side::A, Side::B]
            .into_iter()
            .filter_map(|side| self.knowledge.people.bound(side));
        let centre: Vec<_> = if people.is_empty() {
            typed.collect()
        } else {
            people.to_vec()
        };
        report::graph(&self.knowledge, &self.verified(), &centre, &self.joined)
    }
}
