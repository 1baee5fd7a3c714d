//! The part of S6 before pages are captured: searches after the first chain, to make it shorter or more certain, or to
//! confirm it.
//!
//! A search for an edge names both its people. The edge that would help most is searched for first. This is lazy search
//! (arXiv 1710.04101), which pays for an edge of a hypothesised path only when that edge decides.
//!
//! A link that rests on one photo may be the recogniser's mistake, or a collage that looks like a photo. If a search
//! for both its people brings no second photo, a chain without the link is preferred.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use domain::{Chain, Edge, EvidenceGraph, Pair, PersonIndex, Reach};

use crate::machine::budget::CallKind;
use crate::machine::facts::{AskedQuery, Facts, Query, query};
use crate::machine::states::{Move, SearchesLeft, State, View};
use crate::machine::telling::{Teller, counted};

use super::Memory;

/// The most people considered at each distance from an end. Those who were seen with the most other people are
/// preferred.
const PEOPLE_PER_DISTANCE_MAX: usize = 12;

/// A search for two people together.
struct PolishSearch {
    two: [PersonIndex; 2],
    query: Query,
    why: String,
}

/// Searches in turn for a photo that makes the chain shorter and one that makes it more certain. Then confirms its
/// doubtful links.
pub fn polish(
    memory: &mut Memory,
    chain: &Chain,
    left: SearchesLeft,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let number = (facts.limits().polish_searches_max).saturating_sub(left.polish);
    let search = if left.polish == 0 {
        None
    } else if number.is_multiple_of(2) {
        shortcut(facts, chain).or_else(|| second_look(facts, chain))
    } else {
        second_look(facts, chain).or_else(|| shortcut(facts, chain))
    };
    match search {
        Some(search) => {
            teller.status(search.why);
            let subject = |person| facts.knowledge().subject_of(person);
            let further = State::Polish {
                chain: Box::new(chain.clone()),
                left: SearchesLeft {
                    polish: left.polish - 1,
                    ..left
                },
            };
            Move::search(search.query, search.two.map(subject).to_vec(), further)
        }
        None if view.scheduler().has_surveys() => Move::Rest,
        None => confirm(memory, chain, left, view, teller),
    }
}

/// Returns a search for two people whose photo would make the chain shorter.
fn shortcut(facts: &Facts, chain: &Chain) -> Option<PolishSearch> {
    let ends = [*chain.people.first()?, *chain.people.last()?];
    let hops = u32::try_from(chain.hops()).unwrap_or(u32::MAX);
    let JoiningSearch { two, query, hops } =
        joining(facts, facts.together(), ends, hops.checked_sub(1)?)?;
    let [one, other] = two.map(|person| facts.name(person));
    let why = format!(
        "Asking for {one} with {other}: a photo of both would make a chain of {}.",
        counted(hops, "hop", "hops")
    );
    Some(PolishSearch { two, query, why })
}

/// Returns a search for one more photo of the chain's least certain edge.
fn second_look(facts: &Facts, chain: &Chain) -> Option<PolishSearch> {
    let (edge, query) = least_certain(facts, chain, &|_| true)?;
    let (one, other) = edge.pair().people();
    let why = format!(
        "Looking for another photo of {} with {}: {} of them, at {:.1} %.",
        facts.name(one),
        facts.name(other),
        counted(edge.evidence().len(), "photo", "photos"),
        edge.confidence().percent()
    );
    let two = [one, other];
    Some(PolishSearch { two, query, why })
}

/// A search for two people whose photo would make a chain.
#[derive(Debug)]
pub struct JoiningSearch {
    pub two: [PersonIndex; 2],
    pub query: Query,
    /// The chain's length, in hops.
    pub hops: usize,
}

/// Returns the most promising search for two people whose photo would make a chain of at most `hops_max` hops between
/// these ends, in this graph. Pairs of people who were seen with the most people in common come first, then pairs that
/// make the chain shortest, then pairs of the best connected people.
pub fn joining(
    facts: &Facts,
    graph: &EvidenceGraph,
    [from, to]: [PersonIndex; 2],
    hops_max: u32,
) -> Option<JoiningSearch> {
    let near_max = hops_max.checked_sub(1)?;
    let near_from = near(facts, &facts.reach_in(graph, from), near_max);
    let near_to = near(facts, &facts.reach_in(graph, to), near_max);
    let mut best: Option<(_, JoiningSearch)> = None;
    for (one, to_one) in near_from {
        let is_near = |(_, to_other): &&(PersonIndex, u32)| *to_other <= near_max - to_one;
        for &(other, to_other) in near_to.iter().filter(is_near) {
            let hops = to_one + 1 + to_other;
            let Some(query) = unasked_for(facts, one, other) else {
                continue;
            };
            let rank = (
                common(facts, one, other),
                Reverse(hops),
                degree(facts, one).min(degree(facts, other)),
                Reverse((one, other)),
            );
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                let two = [one, other];
                let hops = usize::try_from(hops).unwrap_or(usize::MAX);
                best = Some((rank, JoiningSearch { two, query, hops }));
            }
        }
    }
    best.map(|(_, search)| search)
}

/// Returns the best connected people within `hops_max` hops of an end, as pairs of the person and the number of hops.
fn near(facts: &Facts, reached: &Reach, hops_max: u32) -> Vec<(PersonIndex, u32)> {
    let mut near: Vec<(PersonIndex, u32)> = Vec::new();
    for hops in 0..=hops_max {
        let mut people: Vec<PersonIndex> = reached
            .order()
            .iter()
            .copied()
            .filter(|person| reached.distance(*person) == Some(hops))
            .collect();
        people.sort_by_key(|person| (Reverse(degree(facts, *person)), *person));
        people.truncate(PEOPLE_PER_DISTANCE_MAX);
        near.extend(people.into_iter().map(|person| (person, hops)));
    }
    near
}

/// Returns a new query for two people; `None` if a photo already proves their edge.
fn unasked_for(facts: &Facts, one: PersonIndex, other: PersonIndex) -> Option<Query> {
    let is_new = one != other && facts.together().edge(one, other).is_none();
    if is_new {
        unasked(facts, one, other)
    } else {
        None
    }
}

/// Returns a query for two people that was not asked yet; `None` if both queries for the pair were asked.
fn unasked(facts: &Facts, one: PersonIndex, other: PersonIndex) -> Option<Query> {
    let (one, other) = (facts.name(one), facts.name(other));
    let is_asked = |query: &Query| facts.knowledge().asked(query.text()).is_some();
    if query::naming_both(one, other).iter().any(is_asked) {
        let event = query::pair_event(one, other);
        return (!is_asked(&event)).then_some(event);
    }
    Some(query::pair(one, other))
}

/// Returns the least certain of the chain's edges for which `is_meant` returns true, and a new query for it: the edge
/// with the fewest photos, then one whose only photo is doubtful, then the one with the least confidence.
pub fn least_certain<'chain>(
    facts: &Facts,
    chain: &'chain Chain,
    is_meant: &dyn Fn(&Edge) -> bool,
) -> Option<(&'chain Edge, Query)> {
    let mut edges: Vec<&Edge> = chain.edges.iter().filter(|edge| is_meant(edge)).collect();
    edges.sort_by_key(|edge| {
        (
            edge.evidence().len().min(2),
            !facts.rests_on_doubt(edge),
            edge.strength(),
            edge.pair(),
        )
    });
    edges.into_iter().find_map(|edge| {
        let (one, other) = edge.pair().people();
        Some((edge, unasked(facts, one, other)?))
    })
}

/// Returns how many people were seen with both of these.
fn common(facts: &Facts, one: PersonIndex, other: PersonIndex) -> usize {
    let together = facts.together();
    let of_one = together.neighbours(one);
    of_one
        .filter(|person| together.edge(*person, other).is_some())
        .count()
}

fn degree(facts: &Facts, person: PersonIndex) -> usize {
    facts.together().degree(person)
}

/// Searches for a second photo of the most doubtful link, as long as the budget lasts. If none is found, searches once
/// for an equally short chain without that link. Then ends the run.
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

/// Evaluates the last search for a second photo. Returns the best chain now, and the link for which no second photo was
/// found, if the chain still has that link.
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

/// Returns a search for two people whose photo would make an equally short chain without doubted links.
fn other_way(memory: &Memory, facts: &Facts, chain: &Chain) -> Option<JoiningSearch> {
    let ends = [*chain.people.first()?, *chain.people.last()?];
    let hops = u32::try_from(chain.hops()).unwrap_or(u32::MAX);
    joining(facts, &without_doubted(memory, facts)?, ends, hops)
}

/// Returns the graph without the links whose second photo was searched for in vain; `None` if there are no such links.
fn without_doubted(memory: &Memory, facts: &Facts) -> Option<EvidenceGraph> {
    let together = facts.together();
    let is_doubted = |edge: &&Edge| memory.is_checked_link(edge.pair()) && rests_on_one_photo(edge);
    together.edges().find(is_doubted)?;
    let trusted: BTreeSet<Pair> = together
        .edges()
        .filter(|edge| !is_doubted(edge))
        .map(Edge::pair)
        .collect();
    Some(together.restricted_to(&trusted))
}

/// Returns the best chain that is no longer than this one and has no link whose second photo was searched for in vain;
/// `None` if there is no such chain or no such link. A longer chain would have more links, each of which may be false.
pub fn chain_without_doubt(memory: &Memory, facts: &Facts, chain: &Chain) -> Option<Chain> {
    let (from, to) = chain.people.first().zip(chain.people.last())?;
    let other = facts.best_chain(&without_doubted(memory, facts)?, *from, *to)?;
    (other.hops() <= chain.hops()).then_some(other)
}

/// Returns the least certain link that rests on one photo, and a new query for it.
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
