//! The choice of a query about somebody's surroundings.

use domain::{Pair, Side};

use crate::machine::facts::{AskedQuery, Facts, Frontier, ListKey, Query, Subject, query};
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::hinted::{HintedSides, photos_at_once};
use super::lookup::SingleSearch;
use super::memory::Memory;
use super::ranked::{Lookup, RankedCandidate};

/// Asks about a typed person, recognised or not.
pub fn expand_start(
    memory: &mut Memory,
    side: Side,
    search: SingleSearch,
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    let subject = Subject::Typed(side);
    let frontier = Frontier {
        side,
        subject,
        depth: 0,
    };
    let part = (search.source, search.page);
    let name = facts.knowledge().name_of(subject);
    let question = (query::single(name, search.wording), vec![subject]);
    expand(memory, frontier, part, question, facts, teller)
}

/// Asks about a candidate of a side: the query that the planner wants, or else the best there is.
pub fn expand_candidate(
    memory: &mut Memory,
    ranked: RankedCandidate,
    planned: Option<Query>,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let candidate = &ranked.candidate;
    let subject = facts.knowledge().subject_of(candidate.person);
    let frontier = Frontier {
        side: candidate.side,
        subject,
        depth: candidate.depth,
    };
    let probe = ranked.probe;
    match (planned, probe.lookup) {
        (Some(query), _) => {
            let named = subjects_named(facts, &query, subject);
            expand(memory, frontier, (0, 0), (query, named), facts, teller)
        }
        (None, Lookup::Search { source, page }) => {
            let question = (probe.query, probe.named);
            expand(memory, frontier, (source, page), question, facts, teller)
        }
        (None, Lookup::LookOn { list }) => look_on(memory, frontier, list, view, teller),
    }
}

/// Looks at what a list has left over. It may have been looked at meanwhile.
pub fn look_on(
    memory: &mut Memory,
    frontier: Frontier,
    list: ListKey,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let asked = facts.knowledge().list(&list);
    let places = asked.map(|asked| best_left(asked, view));
    let places = places.unwrap_or_default();
    if places.is_empty() {
        return Move::go(State::CHOICE);
    }
    memory.look_on(frontier);
    teller.look_around(frontier.subject);
    Move::LookOn {
        photos: vec![(list, places)],
        to: State::Discovery,
    }
}

/// Returns the places of the photos that a list has left over and that are worth most by their hints.
fn best_left(asked: &AskedQuery, view: View) -> Vec<usize> {
    let facts = view.facts();
    let size = |photos| usize::try_from(photos).unwrap_or(usize::MAX);
    let photos = facts.limits().images_per_search;
    if !facts.knowledge().hints().has_names() {
        return view.scheduler().leftovers_of(asked, size(photos));
    }
    let photos = size(photos_at_once(photos));
    let sides = HintedSides::of(facts);
    let left = view.scheduler().leftovers_of(asked, usize::MAX).into_iter();
    let worth = |place: usize| {
        asked
            .hits()
            .get(place)
            .map_or(0.0, |hit| sides.worth_of(facts, hit))
    };
    let mut left: Vec<(f64, usize)> = left.map(|place| (worth(place), place)).collect();
    left.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    left.into_iter()
        .take(photos)
        .map(|(_, place)| place)
        .collect()
}

fn expand(
    memory: &mut Memory,
    frontier: Frontier,
    (source, page): (usize, u32),
    (query, named): (Query, Vec<Subject>),
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
    let list = ListKey {
        query: query.text().to_owned(),
        source,
    };
    memory.expand(frontier, list, &named, people);
    teller.look_around(frontier.subject);
    Move::search_at((source, page), query, named, State::Discovery)
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
