//! S6 before its end: searches after the first chain, to make it shorter or surer.
//!
//! An edge is looked for by naming both its people, and first where it would help most: this is
//! lazy search (arXiv 1710.04101), which pays for an edge of a hypothesised path only when that
//! edge decides.

use std::cmp::Reverse;

use crate::domain::{Chain, Edge, PersonIndex, Reach};
use crate::engines::investigation::machine::facts::{Facts, Query};
use crate::engines::investigation::machine::state::{Move, SearchesLeft, State};
use crate::engines::investigation::machine::telling::{Teller, counted};
use crate::engines::investigation::machine::view::View;
use crate::sorted;

use super::memory::Memory;
use super::s6_confirm::confirm;
use super::second_photo::unasked;

/// The most people of each distance from an end who are looked at for a shorter way. Those proven
/// with most people come first.
const PEOPLE_PER_DISTANCE_MAX: usize = 12;

/// A search for two people who are asked for together.
struct PolishSearch {
    two: [PersonIndex; 2],
    query: Query,
    why: String,
}

/// Searches in turn for a photo that makes the chain shorter and one that makes it surer. Then its doubtful
/// links are confirmed.
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

/// Returns a search for two people whose photo would make the chain shorter. The pair with most
/// acquaintances in common comes first, then the one that would make it shortest, then the best
/// known.
fn shortcut(facts: &Facts, chain: &Chain) -> Option<PolishSearch> {
    let (from, to) = (*chain.people.first()?, *chain.people.last()?);
    let hops = u32::try_from(chain.hops()).unwrap_or(u32::MAX);
    let hops_max = hops.checked_sub(2)?;
    let near_from = near(facts, &facts.reach(from), hops_max);
    let near_to = near(facts, &facts.reach(to), hops_max);
    let mut best: Option<(_, PolishSearch)> = None;
    for (one, to_one) in near_from {
        let is_near = |(_, to_other): &&(PersonIndex, u32)| *to_other <= hops_max - to_one;
        for &(other, to_other) in near_to.iter().filter(is_near) {
            let length = to_one + 1 + to_other;
            let Some(query) = unasked_for(facts, one, other) else {
                continue;
            };
            let rank = (
                common(facts, one, other),
                Reverse(length),
                degree(facts, one).min(degree(facts, other)),
                Reverse((one, other)),
            );
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                let why = format!(
                    "Asking for {} with {}: a photo of both would make a chain of {}.",
                    facts.name(one),
                    facts.name(other),
                    counted(usize::try_from(length).unwrap_or(0), "hop", "hops")
                );
                let two = [one, other];
                best = Some((rank, PolishSearch { two, query, why }));
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
        sorted::sort_by_key(&mut people, |person| {
            (Reverse(degree(facts, *person)), *person)
        });
        people.truncate(PEOPLE_PER_DISTANCE_MAX);
        near.extend(people.into_iter().map(|person| (person, hops)));
    }
    near
}

/// Returns a search for the chain's least certain edge: the one with the fewest photos, then the
/// least confidence.
fn second_look(facts: &Facts, chain: &Chain) -> Option<PolishSearch> {
    let mut edges: Vec<&Edge> = chain.edges.iter().collect();
    sorted::sort_by_key(&mut edges, |edge| {
        (edge.evidence().len().min(2), edge.confidence(), edge.pair())
    });
    edges.into_iter().find_map(|edge| {
        let (one, other) = edge.pair().people();
        let query = unasked(facts, one, other)?;
        let why = format!(
            "Looking for another photo of {} with {}: {} of them, at {:.1} %.",
            facts.name(one),
            facts.name(other),
            counted(edge.evidence().len(), "photo", "photos"),
            edge.confidence().percent()
        );
        let two = [one, other];
        Some(PolishSearch { two, query, why })
    })
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
