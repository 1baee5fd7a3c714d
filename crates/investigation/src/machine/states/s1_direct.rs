//! S1: a photo of both at once.

use domain::Side;

use crate::machine::facts::{Subject, query};
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

/// Asks `{A} {B}`, and where that finds nothing the fallback template. Then comes S2. A photo that
/// shows both ends the survey by itself.
//= spec S1
pub fn ask(asked: u32, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let [name_a, name_b] = [Side::A, Side::B].map(|side| facts.typed_name(side));
    let first = query::pair(name_a, name_b);
    let found = facts.knowledge().asked(first.text());
    let query = match asked {
        0 => {
            teller.status("Searching for direct visual connections...");
            first
        }
        1 if found.is_some_and(|asked| asked.hits().is_empty()) => {
            query::pair_together(name_a, name_b)
        }
        _ => {
            let words = "Expanding search to find strong intermediates...";
            return Move::go_saying(State::Discovery, words);
        }
    };
    let two = [Subject::Typed(Side::A), Subject::Typed(Side::B)];
    Move::search_for_pair(query, two, State::Direct { asked: asked + 1 })
}
