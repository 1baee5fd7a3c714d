//! The planner's guesses, which are searched for beside A and then beside B.

use domain::{Name, Side};

use crate::machine::advice::{Advice, is_recognised, numbered_rows};
use crate::machine::facts::{Facts, Frontier, ListKey, Query, Subject, query};
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::memory::Memory;
use super::ranked::{RankedCandidate, candidates_of};

/// Looks for the next guess. Returns `None` where nobody is guessed, or the answer to the last one
/// is awaited.
pub fn next_guess(
    memory: &mut Memory,
    table: &[RankedCandidate],
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Option<Move> {
    let facts = view.facts();
    let guesses = advice.guesses();
    while let Some((name, side)) = guesses.next() {
        if side == Side::B && is_looked_for_beside_a(view, &name) {
            // The searches under way say whether there is such a person at all.
            return None;
        }
        guesses.remove_next();
        // A name that the first search has not shown once does not help.
        let is_in_vain = side == Side::B && !is_recognised(facts, &name.folded());
        let query = guess_query(facts, &name, side);
        if is_in_vain || facts.knowledge().asked(query.text()).is_some() {
            continue;
        }
        if side == Side::A {
            guesses.add_beside_b(name.clone());
        }
        return Some(begin(memory, table, (&name, side), query, facts, teller));
    }
    None
}

fn begin(
    memory: &mut Memory,
    table: &[RankedCandidate],
    (name, side): (&Name, Side),
    query: Query,
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    let guess = name.as_str();
    let typed = Subject::Typed(side);
    let frontier = Frontier {
        side,
        subject: typed,
        depth: 0,
    };
    let list = ListKey {
        query: query.text().to_owned(),
        source: 0,
    };
    memory.begin_guess(frontier, list);
    teller.move_to(frontier);
    let table = numbered_rows(&candidates_of(table));
    let reason = "a guess of the planner, to be proven by photos";
    teller.keep_decision(table, guess, reason);
    let beside = facts.typed_name(side);
    teller.guess(
        guess,
        format!("The planner guesses {guess}; looking beside {beside}."),
    );
    Move::search(query, vec![typed], State::Discovery)
}

fn guess_query(facts: &Facts, name: &Name, side: Side) -> Query {
    let typed = facts.typed_name(side);
    match side {
        Side::A => query::pair(typed, name.as_str()),
        Side::B => query::pair(name.as_str(), typed),
    }
}

fn is_looked_for_beside_a(view: View, name: &Name) -> bool {
    let query = guess_query(view.facts(), name, Side::A);
    let mut surveys = view.scheduler().surveys();
    surveys.any(|survey| survey.query() == query.text())
}
