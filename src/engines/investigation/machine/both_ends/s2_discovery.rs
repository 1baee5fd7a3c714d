//! S2: who stands beside the two typed people?

use crate::engines::investigation::machine::facts::Subject;
use crate::engines::investigation::machine::state::{Move, State};
use crate::engines::investigation::machine::telling::Teller;
use crate::engines::investigation::machine::view::View;

use super::expand::{expand_start, next_single};
use super::memory::Memory;

/// Searches for each typed person once. From then on S3 says who is next.
//= spec S2
pub fn discover(memory: &mut Memory, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let start = memory.start_to_ask().and_then(|side| {
        let query = next_single(memory, facts, Subject::Typed(side))?;
        Some((side, query))
    });
    match start {
        Some((side, query)) => expand_start(memory, side, query, facts, teller),
        None => Move::go(State::CHOICE),
    }
}
