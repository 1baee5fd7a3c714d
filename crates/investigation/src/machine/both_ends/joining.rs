//! The question for a photo of two people: one that would join both sides, or one more of an edge.

use std::cmp::Reverse;

use domain::{Chain, Edge, EvidenceGraph, PersonIndex, Reach};

use crate::machine::facts::{Facts, Query, query};

/// The most people of each distance from an end who are looked at. Those proven with most people come first.
const PEOPLE_PER_DISTANCE_MAX: usize = 12;

/// A search for two people whose photo would make a chain.
#[derive(Debug)]
pub struct JoiningSearch {
    pub two: [PersonIndex; 2],
    pub query: Query,
    /// The chain's length, in hops.
    pub hops: usize,
}

/// Returns the most promising search for two people whose photo would make a chain between these ends, in this
/// graph, of so many hops at most. The pair with most acquaintances in common comes first, then the one that would
/// make it shortest, then the best known.
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

/// Returns the best known people within this many hops of an end, with their hops.
fn near(facts: &Facts, reached: &Reach, hops_max: u32) -> Vec<(PersonIndex, u32)> {
    let mut near: Vec<(PersonIndex, u32)> = Vec::new();
    for hops in 0..=hops_max {
        let people = reached.order().iter().copied();
        let mut people: Vec<PersonIndex> = people
            .filter(|person| reached.distance(*person) == Some(hops))
            .collect();
        people.sort_by_key(|person| (Reverse(degree(facts, *person)), *person));
        people.truncate(PEOPLE_PER_DISTANCE_MAX);
        near.extend(people.into_iter().map(|person| (person, hops)));
    }
    near
}

/// Returns a query for two people who are not proven together.
fn unasked_for(facts: &Facts, one: PersonIndex, other: PersonIndex) -> Option<Query> {
    let is_new = one != other && facts.together().edge(one, other).is_none();
    if is_new {
        unasked(facts, one, other)
    } else {
        None
    }
}

/// Returns a query for two people that was not asked. Returns `None` where the pair was asked for
/// both ways.
fn unasked(facts: &Facts, one: PersonIndex, other: PersonIndex) -> Option<Query> {
    let (one, other) = (facts.name(one), facts.name(other));
    let is_asked = |query: &Query| facts.knowledge().asked(query.text()).is_some();
    if query::naming_both(one, other).iter().any(is_asked) {
        let event = query::pair_event(one, other);
        return (!is_asked(&event)).then_some(event);
    }
    Some(query::pair(one, other))
}

/// Returns the least certain of a chain's edges that are meant, and a query for it that was not asked: the one with the
/// fewest photos, then one whose only photo nearly looks put together, then the least confidence.
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
            edge.confidence(),
            edge.pair(),
        )
    });
    edges.into_iter().find_map(|edge| {
        let (one, other) = edge.pair().people();
        Some((edge, unasked(facts, one, other)?))
    })
}

/// Returns how many people were seen with both.
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
