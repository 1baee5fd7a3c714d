//! The choice of a query about somebody's surroundings.

use crate::domain::{Pair, Side};
use crate::engines::investigation::machine::facts::{Facts, Frontier, Query, Subject, query};
use crate::engines::investigation::machine::state::{Move, State};
use crate::engines::investigation::machine::telling::Teller;

use super::memory::Memory;
use super::ranked::RankedCandidate;

/// Returns the first query about one person that was neither asked nor begun.
pub fn next_single(memory: &Memory, facts: &Facts, subject: Subject) -> Option<Query> {
    let knowledge = facts.knowledge();
    let name = knowledge.name_of(subject);
    (0..query::DISCOVERY.len())
        .filter_map(|template| query::discovery(name, template))
        .find(|query| knowledge.asked(query.text()).is_none() && !memory.has_begun(query.text()))
}

/// Asks about a typed person, recognised or not.
pub fn expand_start(
    memory: &mut Memory,
    side: Side,
    query: Query,
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    let subject = Subject::Typed(side);
    let frontier = Frontier {
        side,
        subject,
        depth: 0,
    };
    expand(memory, frontier, query, vec![subject], facts, teller)
}

/// Asks about a candidate of a side: the query that the planner wants, or else the best there is.
pub fn expand_candidate(
    memory: &mut Memory,
    ranked: RankedCandidate,
    planned: Option<Query>,
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    let candidate = &ranked.candidate;
    let subject = facts.knowledge().subject_of(candidate.person);
    let frontier = Frontier {
        side: candidate.side,
        subject,
        depth: candidate.depth,
    };
    let (query, named) = match planned {
        Some(query) => {
            let named = subjects_named(facts, &query, subject);
            (query, named)
        }
        None => (ranked.probe.query, ranked.probe.named),
    };
    expand(memory, frontier, query, named, facts, teller)
}

fn expand(
    memory: &mut Memory,
    frontier: Frontier,
    query: Query,
    named: Vec<Subject>,
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    let person = |subject: &Subject| facts.knowledge().person_of(*subject);
    let people = match named.as_slice() {
        [one, other] => {
            (person(one).zip(person(other))).and_then(|(one, other)| Pair::new(one, other))
        }
        _ => None,
    };
    memory.expand(frontier, query.text(), &named, people);
    teller.look_around(frontier.subject);
    Move::search(query, named, State::Discovery)
}

/// Returns the frontier, and each typed person for whom the query is the pair template with the
/// frontier.
fn subjects_named(facts: &Facts, query: &Query, subject: Subject) -> Vec<Subject> {
    let mut named = vec![subject];
    let name = facts.knowledge().name_of(subject);
    for side in [Side::A, Side::B] {
        if *query == query::pair(name, facts.typed_name(side)) {
            named.push(Subject::Typed(side));
        }
    }
    named
}
