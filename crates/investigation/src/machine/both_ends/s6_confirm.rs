//! S6 before its end: searches for a second photo of the chain's most doubtful links.
//!
//! A link that rests on one photo may be the recogniser's mistake, or a collage that looks like a photo. Where a
//! search for both its people shows them no second time, a chain that does without it is preferred.

use std::collections::BTreeSet;

use domain::{Chain, Edge, EvidenceGraph, Pair, PersonIndex};

use crate::machine::budget::CallKind;
use crate::machine::facts::{AskedQuery, Facts, Query};
use crate::machine::state::{Move, SearchesLeft, State};
use crate::machine::telling::Teller;
use crate::machine::view::View;

use super::joining::{JoiningSearch, joining, least_certain};
use super::memory::Memory;

/// Searches for a second photo of the most doubtful link, as long as searches are left for it; where there is none,
/// once for another way. Then comes the end.
pub fn confirm(
    memory: &mut Memory,
    chain: &Chain,
    left: SearchesLeft,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let (chain, doubted) = after_check(memory, chain, facts, teller);
    let chain = Box::new(chain);
    let subjects =
        |two: [PersonIndex; 2]| two.map(|one| facts.knowledge().subject_of(one)).to_vec();
    if doubted.is_some()
        && view.budget().unspent(CallKind::Search) > 0
        && let Some(search) = other_way(memory, facts, &chain)
    {
        let [one, other] = search.two.map(|person| facts.name(person));
        teller.status(format!(
            "Asking for {one} with {other}: a photo of both would make another way."
        ));
        let further = State::Polish { chain, left };
        return Move::search(search.query, subjects(search.two), further);
    }
    let Some(further) = left.confirm.checked_sub(1) else {
        return Move::succeed(*chain);
    };
    let Some((edge, query)) = most_doubtful(memory, facts, &chain) else {
        return Move::succeed(*chain);
    };
    let (one, other) = edge.pair().people();
    let why = if facts.rests_on_doubt(edge) {
        "its only photo is doubtful"
    } else {
        "this link is the most doubtful"
    };
    teller.status(format!(
        "Looking for a second photo of {} with {}: {why}.",
        facts.name(one),
        facts.name(other)
    ));
    memory.begin_check(edge.pair(), query.text().to_owned());
    let left = SearchesLeft {
        confirm: further,
        ..left
    };
    Move::search(query, subjects([one, other]), State::Polish { chain, left })
}

/// Takes in what the last search for a second photo has shown. Returns the chain that is the best by now, and the link
/// of it that has no second photo.
fn after_check(
    memory: &mut Memory,
    chain: &Chain,
    facts: &Facts,
    teller: &mut Teller,
) -> (Chain, Option<Pair>) {
    let as_it_was = (chain.clone(), None);
    let Some((pair, query)) = memory.end_check() else {
        return as_it_was;
    };
    let asked = facts.knowledge().asked(&query);
    if !asked.is_some_and(AskedQuery::is_answered) {
        return as_it_was;
    }
    memory.note_checked_link(pair);
    let (one, other) = pair.people();
    let edge = facts.together().edge(one, other);
    if !edge.is_some_and(rests_on_one_photo) {
        return as_it_was;
    }
    let no_second = format!(
        "No second photo of {} with {} was found",
        facts.name(one),
        facts.name(other)
    );
    match chain_without_doubt(memory, facts, chain) {
        Some(better) if better != *chain => {
            teller.status(format!("{no_second}; this chain does without that link."));
            teller.chain(&better);
            (better, None)
        }
        _ => {
            teller.status(format!("{no_second}."));
            (chain.clone(), Some(pair))
        }
    }
}

/// Returns a search for two people whose photo would make a chain without doubted links that is as short.
fn other_way(memory: &Memory, facts: &Facts, chain: &Chain) -> Option<JoiningSearch> {
    let ends = [*chain.people.first()?, *chain.people.last()?];
    let hops = u32::try_from(chain.hops()).unwrap_or(u32::MAX);
    joining(facts, &without_doubted(memory, facts)?, ends, hops)
}

/// Returns the graph without the links for which a second photo was looked for in vain. Returns `None` where there is
/// no such link.
fn without_doubted(memory: &Memory, facts: &Facts) -> Option<EvidenceGraph> {
    let together = facts.together();
    let is_doubted = |edge: &&Edge| memory.is_checked_link(edge.pair()) && rests_on_one_photo(edge);
    together.edges().find(is_doubted)?;
    let trusted = together.edges().filter(|edge| !is_doubted(edge));
    let trusted: BTreeSet<Pair> = trusted.map(Edge::pair).collect();
    Some(together.restricted_to(&trusted))
}

/// Returns the best chain that has none of the links for which a second photo was looked for in vain, and is as short as
/// this one. Returns `None` where there is none, or no such link. A longer chain would rest on more links, of which one
/// is as likely to be false.
pub fn chain_without_doubt(memory: &Memory, facts: &Facts, chain: &Chain) -> Option<Chain> {
    let (from, to) = chain.people.first().zip(chain.people.last())?;
    let other = facts.best_chain(&without_doubted(memory, facts)?, *from, *to)?;
    (other.hops() <= chain.hops()).then_some(other)
}

/// Returns the link that rests on one photo and is the least certain, with a query for it that was not asked.
fn most_doubtful<'chain>(
    memory: &Memory,
    facts: &Facts,
    chain: &'chain Chain,
) -> Option<(&'chain Edge, Query)> {
    least_certain(facts, chain, &|edge| {
        rests_on_one_photo(edge) && !memory.is_checked_link(edge.pair())
    })
}

fn rests_on_one_photo(edge: &Edge) -> bool {
    edge.evidence().len() == 1
}
