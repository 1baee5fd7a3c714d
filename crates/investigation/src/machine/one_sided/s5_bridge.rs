//! S5: from the person just reached straight to the target?

use domain::{PersonIndex, Side};

use crate::machine::advice::Advice;
use crate::machine::facts::{Subject, query};
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::next_frontier::next_frontier;
use super::path::Path;

/// Searches once for both, then goes on from the person reached, as far as the hops allow.
//= spec S5
pub fn bridge(
    path: &mut Path,
    (reached, asked): (PersonIndex, bool),
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let hops = facts.limits().hops;
    // The condition is k+1 <= hops: one more edge may end the path.
    if !asked && path.accepted_edges() < hops {
        let name = facts.name(reached);
        let target = facts.typed_name(Side::B);
        teller.status(format!(
            "Checking whether {name} connects directly to {target}..."
        ));
        let two = [
            facts.knowledge().subject_of(reached),
            Subject::Typed(Side::B),
        ];
        let asked = State::Bridge {
            reached,
            asked: true,
        };
        return Move::search_for_pair(query::pair(name, target), two, asked);
    }
    if path.accepted_edges() + 2 <= hops {
        teller.status("No direct edge found; expanding again...");
        return Move::go(State::Discovery);
    }
    teller.status(format!(
        "No direct edge found, and the path cannot grow beyond {hops}."
    ));
    path.note_hop_limit();
    next_frontier(path, view, advice, teller)
}
