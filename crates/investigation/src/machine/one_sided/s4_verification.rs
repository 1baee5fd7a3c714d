//! S4: is the chosen person really beside the frontier?

use std::collections::VecDeque;

use domain::PersonIndex;

use crate::machine::facts::Query;
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::path::Path;

/// Asks one query after the other. The candidate has failed when none is left. A photo that shows
/// both accepts the edge by itself.
//= spec S4
pub fn verify(
    path: &mut Path,
    candidate: PersonIndex,
    mut queries: VecDeque<Query>,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    if let Some(query) = queries.pop_front() {
        let subject = facts.knowledge().subject_of(candidate);
        let two = [path.frontier().subject, subject];
        return Move::search_for_pair(query, two, State::Verification { candidate, queries });
    }
    path.note_failed(candidate);
    let name = facts.name(candidate);
    teller.status(format!(
        "Unable to verify {name} as an intermediate; trying another..."
    ));
    Move::go(State::CHOICE)
}
