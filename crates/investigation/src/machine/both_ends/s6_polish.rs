//! S6 before its end: searches after the first chain, to make it shorter or surer.
//!
//! An edge is looked for by naming both its people, and first where it would help most: this is
//! lazy search (arXiv 1710.04101), which pays for an edge of a hypothesised path only when that
//! edge decides.

use domain::{Chain, PersonIndex};

use crate::machine::facts::{Facts, Query};
use crate::machine::state::{Move, SearchesLeft, State};
use crate::machine::telling::{Teller, counted};
use crate::machine::view::View;

use super::joining::{JoiningSearch, joining, least_certain};
use super::memory::Memory;
use super::s6_confirm::confirm;

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
