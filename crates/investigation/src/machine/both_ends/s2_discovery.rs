//! S2: who stands beside the two typed people?

use crate::machine::facts::Subject;
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::expand::expand_start;
use super::lookup::SingleSearches;
use super::memory::Memory;
use super::question_worth::QuestionWorth;

/// Searches for each typed person once. From then on S3 says who is next.
//= spec S2
pub fn discover(memory: &mut Memory, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let start = memory.start_to_ask().and_then(|side| {
        let worth = QuestionWorth::of(facts);
        let searches = SingleSearches::of(memory, view, &worth);
        let search = searches.best(Subject::Typed(side))?;
        Some((side, search))
    });
    match start {
        Some((side, search)) => expand_start(memory, side, search, facts, teller),
        None => Move::go(State::CHOICE),
    }
}
