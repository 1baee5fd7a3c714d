//! The work after each photo: it finds out who has joined a side, and whether there is a chain
//! within the hops.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use domain::{Chain, Edge, PersonIndex, SeenFace, Side, reach};

use crate::machine::budget::CallKind;
use crate::machine::facts::Facts;
use crate::machine::state::{End, Move, SearchesLeft, State};
use crate::machine::telling::{Teller, counted};
use crate::machine::view::View;

use super::memory::Memory;
use super::s6_confirm::chain_without_doubt;

/// Tells which people have joined a side, and how a chain between the sides changes the run.
pub fn after_photo(
    memory: &mut Memory,
    state: &State,
    view: View,
    teller: &mut Teller,
) -> Option<Move> {
    if !tell_joined(memory, view.facts(), teller) {
        return None;
    }
    let (from, to) = view.facts().typed_pair()?;
    if let Some(chain) = surest_best_chain(memory, view.facts(), from, to) {
        return on_chain(chain, state, view, teller);
    }
    let had_chain = matches!(state, State::Polish { .. } | State::Ending(End::Success(_)));
    had_chain.then(|| {
        // A person of the chain has one more name now, and that name is to be avoided.
        teller.status("The chain leads through somebody to avoid, as it turns out.");
        Move::go(State::Discovery)
    })
}

/// Tells the evidence of each edge that first joins a person to A's or B's side. Returns whether
/// the sides have met, by a chain of any length.
fn tell_joined(memory: &mut Memory, facts: &Facts, teller: &mut Teller) -> bool {
    for side in [Side::A, Side::B] {
        let Some(start) = facts.people().bound(side) else {
            continue;
        };
        teller.join(start, side);
        if !may_have_grown(memory, facts, side, start) {
            continue;
        }
        let reached = reach(facts.together(), start, |_| true);
        let mut news: Vec<(PersonIndex, PersonIndex)> = Vec::new();
        for person in reached.order() {
            if let Some(parent) = reached.parent(*person)
                && teller.join(*person, side)
            {
                news.push((parent, *person));
            }
        }
        memory.note_reached(side, reached.order().iter().copied().collect());
        for (parent, person) in news {
            teller.edge(parent, person);
        }
    }
    memory.note_checked(facts.knowledge().sightings().len());
    let to = facts.people().bound(Side::B);
    to.is_some_and(|to| memory.reached(Side::A).contains(&to))
}

/// Returns whether a photo since the last check shows somebody of the side and somebody else.
fn may_have_grown(memory: &Memory, facts: &Facts, side: Side, start: PersonIndex) -> bool {
    let known = memory.reached(side);
    if !known.contains(&start) {
        return true;
    }
    let sightings = facts.knowledge().sightings().iter();
    sightings.skip(memory.photos_checked()).any(|sighting| {
        let is_known = |face: &SeenFace| known.contains(&face.person);
        sighting.faces.iter().any(is_known) && !sighting.faces.iter().all(is_known)
    })
}

/// Decides what follows from a proven chain: it is the first one, or while polishing perhaps a
/// better one.
fn on_chain(chain: Chain, state: &State, view: View, teller: &mut Teller) -> Option<Move> {
    let unspent = view.budget().unspent(CallKind::Search);
    let limits = view.facts().limits();
    let polish = limits.polish_searches_max.min(unspent);
    let confirm = limits.confirm_searches_max.min(unspent - polish);
    match state {
        State::Polish { chain: known, .. } if **known == chain => None,
        State::Polish { chain: known, left } => {
            let what = match chain.hops().cmp(&known.hops()) {
                Ordering::Less => "shorter than the one before",
                Ordering::Equal => "surer than the one before",
                Ordering::Greater => "longer; the one before led through somebody to avoid",
            };
            teller.chain(&chain);
            teller.status(format!("This chain is {what}."));
            Some(Move::go(State::Polish {
                chain: Box::new(chain),
                left: *left,
            }))
        }
        // A proven chain is told, whatever the end was to be.
        State::Ending(_) => Some(Move::go(State::Ending(End::Success(Box::new(chain))))),
        _ if polish + confirm == 0 => Some(Move::succeed(chain)),
        _ => {
            teller.chain(&chain);
            let more = |searches: u32| {
                let searches = usize::try_from(searches).unwrap_or(usize::MAX);
                counted(searches, "more search", "more searches")
            };
            let what = match (polish, confirm) {
                (0, _) => format!("{} may confirm its most doubtful links", more(confirm)),
                (_, 0) => format!("{} may make it shorter or surer", more(polish)),
                _ => format!(
                    "{} may make it shorter or surer, and {confirm} confirm its most doubtful links",
                    more(polish)
                ),
            };
            let hops = counted(chain.hops(), "hop", "hops");
            let words = format!("A chain of {hops} is proven; up to {what}.");
            Some(Move::Go {
                to: State::Polish {
                    chain: Box::new(chain),
                    left: SearchesLeft { polish, confirm },
                },
                drops_searches: true,
                words: Some(words),
            })
        }
    }
}

/// Returns the best chain by the verified edges; of those that are as short, one without links for which a second photo
/// was looked for in vain. Where chains are polished, a chain whose edges all have a second photo comes before others of
/// equally many hops: one face is seldom taken for another twice.
fn surest_best_chain(
    memory: &Memory,
    facts: &Facts,
    from: PersonIndex,
    to: PersonIndex,
) -> Option<Chain> {
    let together = facts.together();
    let best = facts.best_chain(together, from, to)?;
    let best = chain_without_doubt(memory, facts, &best).unwrap_or(best);
    if facts.limits().polish_searches_max == 0 || best.edges.iter().all(is_confirmed) {
        return Some(best);
    }
    let confirmed: BTreeSet<_> = together
        .edges()
        .filter(|edge| is_confirmed(edge))
        .map(Edge::pair)
        .collect();
    let sure = facts.best_chain(&together.restricted_to(&confirmed), from, to);
    Some(
        sure.filter(|sure| sure.hops() == best.hops())
            .unwrap_or(best),
    )
}

fn is_confirmed(edge: &Edge) -> bool {
    edge.evidence().len() > 1
}
