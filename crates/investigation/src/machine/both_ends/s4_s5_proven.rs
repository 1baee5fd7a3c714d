//! S4 and S5: the discovery photo already proves the candidate, so that no call is needed, and the
//! search goes on around them.

use domain::{PersonIndex, Side};

use crate::machine::advice::Advice;
use crate::machine::facts::{Facts, Query, query};
use crate::machine::state::{Move, State};
use crate::machine::telling::{Teller, counted};
use crate::machine::view::View;

use super::expand::expand_candidate;
use super::memory::Memory;

/// Tells the proof, once, and the path to the candidate.
//= spec S4
pub fn verify(memory: &Memory, candidate: PersonIndex, view: View, teller: &mut Teller) -> Move {
    let facts = view.facts();
    let side = memory.frontier().map_or(Side::A, |frontier| frontier.side);
    if let Some(start) = facts.people().bound(side) {
        let reached = facts.reach(start);
        if let Some(parent) = reached.parent(candidate) {
            tell_proof(facts, candidate, parent, teller);
        }
        let mut path = reached.path_to(candidate);
        if side == Side::B {
            path.reverse();
        }
        teller.path(&path);
    }
    Move::go(State::Bridge {
        reached: candidate,
        asked: false,
    })
}

fn tell_proof(facts: &Facts, candidate: PersonIndex, parent: PersonIndex, teller: &mut Teller) {
    let Some(edge) = facts.together().edge(parent, candidate) else {
        return;
    };
    if teller.is_new_proof(edge.pair()) {
        let (name, beside) = (facts.name(candidate), facts.name(parent));
        let photos = counted(edge.evidence().len(), "photo", "photos");
        teller.status(format!(
            "{name} is already proven beside {beside}, by {photos}."
        ));
    }
}

/// Asks a bridging query only where the planner wants it, since any photo that joins the sides ends
/// the run.
//= spec S5
pub fn bridge(
    memory: &mut Memory,
    reached: PersonIndex,
    view: View,
    advice: &mut Advice,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let chosen = memory.take_chosen(reached);
    let planned = planned_query(facts, reached, advice);
    match chosen {
        Some(chosen) => expand_candidate(memory, *chosen, planned, view, teller),
        None => Move::go(State::CHOICE),
    }
}

fn planned_query(facts: &Facts, person: PersonIndex, advice: &mut Advice) -> Option<Query> {
    let name = facts.name(person);
    let templates = 0..query::DISCOVERY.len();
    let pairs = [Side::A, Side::B].map(|side| query::pair(name, facts.typed_name(side)));
    let own: Vec<Query> = templates
        .filter_map(|template| query::discovery(name, template))
        .chain(pairs)
        .collect();
    let mut planned = advice.take_queries(&own).into_iter();
    planned.find(|query| facts.knowledge().asked(query.text()).is_none())
}
