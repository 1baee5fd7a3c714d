//! S6: the best path in the verified edges, and the pages that show its photos.

use domain::Chain;

use crate::machine::interface::{FinalReport, NoticeKind};
use crate::machine::plan::PlanMemory;
use crate::machine::state::{Move, State};
use crate::machine::telling::{
    Teller, certificate, edge_report, next_page, other_paths, person_ref,
};
use crate::machine::view::View;

/// Opens the pages of the chain's photos where that is wanted, one after the other, and then tells the chain
/// with its proof, which is the last notice.
//= spec S6
pub fn finish(chain: &Chain, plan: &PlanMemory, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    teller.chain(chain);
    if facts.limits().captures_pages
        && let Some(page) = next_page(facts, chain)
    {
        return Move::Capture {
            page,
            chain: Box::new(chain.clone()),
        };
    }
    let verified = plan.verified(facts);
    let path = chain.people.iter();
    let neighbours = chain.people.iter().zip(chain.people.iter().skip(1));
    let edges = neighbours.zip(&chain.edges);
    let report = FinalReport {
        path: path.map(|person| person_ref(facts, *person)).collect(),
        edges: edges
            .map(|((from, to), edge)| edge_report(facts, *from, *to, edge))
            .collect(),
        bottleneck: chain.bottleneck().percent(),
        cumulative: chain.cumulative(),
        certificate: certificate(facts, chain, |link| plan.is_checked_link(link)),
        other_paths: other_paths(facts, &verified, chain),
        graph: plan.graph(facts, &chain.people, teller.joined()),
        spent: view.budget().spent(),
    };
    teller.tell(NoticeKind::Final(Box::new(report)));
    Move::go(State::Ended {
        path: Some(chain.people.clone()),
    })
}
