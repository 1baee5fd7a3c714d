//! The way back along the path, where there is no way on.

use crate::machine::advice::Advice;
use crate::machine::facts::query;
use crate::machine::interface::Reason;
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::candidates::candidates;
use super::path::Path;

/// Goes back to the nearest person with something left to try. Where there is none, S7 is next.
//= spec Frontier Strategy
pub fn next_frontier(
    path: &mut Path,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    advice.forget_suggestions();
    loop {
        let dropped = facts.knowledge().person_of(path.frontier().subject);
        if !path.step_back(dropped, view.budget().photos_looked()) {
            return Move::fail(if path.is_hop_limited() {
                Reason::HopLimit
            } else {
                Reason::NoCandidates
            });
        }
        let next = if path.templates_asked() < query::DISCOVERY.len() {
            State::Discovery
        } else if candidates(path, view).is_empty() {
            continue;
        } else {
            State::CHOICE
        };
        teller.path(&path.people(facts));
        return Move::go(next);
    }
}
