//! S6 before its end: searches for a second photo of the chain's most doubtful links.
//!
//! A link that rests on one photo may be the recogniser's mistake, or a collage that looks like a photo. Where a
//! search for both its people shows them no second time, a chain that does without it is preferred.

use crate::domain::{Chain, Edge, Pair, PersonIndex};
use crate::engines::investigation::machine::facts::{AskedQuery, Facts, Query};
use crate::engines::investigation::machine::state::{Move, SearchesLeft, State};
use crate::engines::investigation::machine::telling::Teller;
use crate::engines::investigation::machine::view::View;
use crate::sorted::{self, SortedSet};

use super::memory::Memory;
use super::second_photo::unasked;

/// Searches for a second photo of the most doubtful link, as long as searches are left for it. Then comes the end.
pub fn confirm(
    memory: &mut Memory,
    chain: &Chain,
    left: SearchesLeft,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let chain = after_check(memory, chain, facts, teller);
    let Some(further) = left.confirm.checked_sub(1) else {
        return Move::succeed(chain);
    };
    let Some((pair, query)) = most_doubtful(memory, facts, &chain) else {
        return Move::succeed(chain);
    };
    let (one, other) = pair.people();
    teller.status(format!(
        "Looking for a second photo of {} with {}: this link is the most doubtful.",
        facts.name(one),
        facts.name(other)
    ));
    memory.begin_check(pair, query.text().to_owned());
    let subjects = [one, other].map(|person| facts.knowledge().subject_of(person));
    let left = SearchesLeft {
        confirm: further,
        ..left
    };
    let chain = Box::new(chain);
    Move::search(query, subjects.to_vec(), State::Polish { chain, left })
}

/// Takes in what the last search for a second photo has shown. Returns the chain that is the best by now.
fn after_check(memory: &mut Memory, chain: &Chain, facts: &Facts, teller: &mut Teller) -> Chain {
    let Some((pair, query)) = memory.end_check() else {
        return chain.clone();
    };
    let asked = facts.knowledge().asked(&query);
    if !asked.is_some_and(AskedQuery::is_answered) {
        return chain.clone();
    }
    memory.note_checked_link(pair);
    let edge = facts.together().edge(pair.people().0, pair.people().1);
    if !edge.is_some_and(rests_on_one_photo) {
        return chain.clone();
    }
    let (one, other) = pair.people();
    let no_second = format!(
        "No second photo of {} with {} was found",
        facts.name(one),
        facts.name(other)
    );
    let ends = chain.people.first().zip(chain.people.last());
    let better = ends.and_then(|(from, to)| chain_without_doubt(memory, facts, *from, *to));
    match better {
        Some(better) if better != *chain => {
            teller.status(format!("{no_second}; this chain does without that link."));
            teller.chain(&better);
            better
        }
        _ => {
            teller.status(format!("{no_second}."));
            chain.clone()
        }
    }
}

/// Returns the best chain without the links for which a second photo was looked for in vain. Returns `None` where there
/// is none, or no such link.
pub fn chain_without_doubt(
    memory: &Memory,
    facts: &Facts,
    from: PersonIndex,
    to: PersonIndex,
) -> Option<Chain> {
    let together = facts.together();
    let is_doubted = |edge: &&Edge| memory.is_checked_link(edge.pair()) && rests_on_one_photo(edge);
    together.edges().find(is_doubted)?;
    let trusted = together.edges().filter(|edge| !is_doubted(edge));
    let trusted: SortedSet<Pair> = trusted.map(Edge::pair).collect();
    facts.best_chain(&together.restricted_to(&trusted), from, to)
}

/// Returns the link that rests on one photo and is the least certain, with a query for it that was not asked.
fn most_doubtful(memory: &Memory, facts: &Facts, chain: &Chain) -> Option<(Pair, Query)> {
    let single = chain.edges.iter().filter(|edge| rests_on_one_photo(edge));
    let mut single: Vec<&Edge> = single
        .filter(|edge| !memory.is_checked_link(edge.pair()))
        .collect();
    sorted::sort_by_key(&mut single, |edge| (edge.confidence(), edge.pair()));
    single.into_iter().find_map(|edge| {
        let (one, other) = edge.pair().people();
        Some((edge.pair(), unasked(facts, one, other)?))
    })
}

fn rests_on_one_photo(edge: &Edge) -> bool {
    edge.evidence().len() == 1
}
