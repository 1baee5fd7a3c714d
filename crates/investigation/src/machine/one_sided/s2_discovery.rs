//! S2: who stands beside the frontier?

use crate::machine::facts::query;
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::path::Path;

/// Asks all three queries of the frontier. Then comes the choice among the people with whom it was
/// seen.
//= spec S2
pub fn discover(path: &mut Path, view: View, teller: &mut Teller) -> Move {
    let subject = path.frontier().subject;
    let template = path.next_template();
    teller.look_around(subject);
    match query::discovery(view.facts().knowledge().name_of(subject), template) {
        Some(query) => Move::search(query, vec![subject], State::Discovery),
        None => Move::go(State::CHOICE),
    }
}
