//! The choice of the next search: whom to name, one person or one of each side.

use crate::domain::{Confidence, Pair, PersonIndex, Side};
use crate::engines::investigation::machine::advice::{Candidate, TABLE_ROWS_MAX, has_planner};
use crate::engines::investigation::machine::facts::{Facts, query};
use crate::engines::investigation::machine::view::View;
use crate::sorted;

use super::expand::next_single;
use super::memory::Memory;
use super::policy::hits_per_search;
use super::ranked::{Probe, RankedCandidate, Standing};
use super::sides::{Best, PARTNERS_MAX, Sides};
use super::unseen_photos::UnseenPhotos;

/// The factor for the photos of a person who was not searched for: people about whom nothing is
/// known may be better than they look.
const EXPLORATION_WEIGHT: f64 = 1.5;
/// The weight of each further search that names a person, against all pairs that were named. A
/// person who stands near the other side is soon seen with it, so that each search in vain counts
/// against them. Where hardly any pair is together, it says little.
const AGAIN_LOSS: f64 = 10.0;
/// The most rows of both sides' tables. The typed people are not the planner's to choose, so that
/// there may be two more.
const ROWS_MAX: usize = TABLE_ROWS_MAX + 2;

/// Returns the tables of both sides, A first, each with the most worthwhile person first.
pub fn tables(memory: &Memory, view: View) -> [Vec<RankedCandidate>; 2] {
    let facts = view.facts();
    let sides = sides(memory, facts);
    let ranked = [Side::A, Side::B].map(|side| ranked(side, &sides, memory, facts));
    let [of_a, of_b] = [&ranked[0], &ranked[1]].map(Vec::len);
    // A planner may name somebody of either side who stands further down the table by then.
    let rows = |of_other_side: usize| {
        if has_planner(view.budget()) {
            ROWS_MAX
        } else {
            ROWS_MAX - of_other_side.min(ROWS_MAX / 2)
        }
    };
    let table = |side, ranked: Vec<(Standing, Best)>, rows| {
        let ranked = ranked.into_iter().take(rows);
        let candidates =
            ranked.filter_map(|(one, best)| candidate(side, &one, best, memory, facts));
        candidates.collect()
    };
    let [ranked_a, ranked_b] = ranked;
    [
        table(Side::A, ranked_a, rows(of_b)),
        table(Side::B, ranked_b, rows(of_a)),
    ]
}

/// Returns the queries that were asked, first those one more of whose photos is worth most. Equals
/// stay in the order in which they were asked.
pub fn queries_by_worth(memory: &Memory, facts: &Facts) -> Vec<String> {
    let sides = sides(memory, facts);
    let knowledge = facts.knowledge();
    let worth = |query: &String| {
        let asked = knowledge.asked(query)?;
        let named = asked.named().iter();
        let people: Vec<PersonIndex> = named
            .filter_map(|subject| knowledge.person_of(*subject))
            .collect();
        Some((sides.worth_of_photo_of(&people), query.clone()))
    };
    let mut queries: Vec<(f64, String)> = knowledge.queries().iter().filter_map(worth).collect();
    sorted::sort_by(&mut queries, |(left, _), (right, _)| right.total_cmp(left));
    queries.into_iter().map(|(_, query)| query).collect()
}

/// Returns both sides as they stand now.
fn sides<'plan>(memory: &'plan Memory, facts: &Facts) -> Sides<'plan> {
    let limits = facts.limits();
    let hits = usize::try_from(hits_per_search(limits)).unwrap_or(usize::MAX);
    let estimate = UnseenPhotos::of(facts.knowledge(), hits);
    let typed = facts.typed_pair();
    Sides::new(
        [Side::A, Side::B].map(|side| standings(side, memory, facts, &estimate)),
        (limits.images_per_search, limits.hops),
        memory.paired(),
        typed.and_then(|(a, b)| Pair::new(a, b)),
    )
}

/// Returns everybody who is connected to a side's start and near enough.
fn standings(side: Side, memory: &Memory, facts: &Facts, estimate: &UnseenPhotos) -> Vec<Standing> {
    let Some(start) = facts.people().bound(side) else {
        return Vec::new();
    };
    let other_start = facts.people().bound(side.other());
    let photos = f64::from(facts.limits().images_per_search);
    let reached = facts.reach(start);
    let standing = |person: &PersonIndex| {
        let depth = reached.distance(*person)?;
        if depth >= facts.limits().hops || Some(*person) == other_start {
            return None;
        }
        let subject = facts.knowledge().subject_of(*person);
        // S1 has named the typed people once.
        let asked = memory.times_asked(subject) + u32::from(depth == 0);
        let unseen_estimate = estimate.unseen(*person);
        Some(Standing {
            person: *person,
            depth,
            unseen_estimate,
            unseen_weighted: unseen_estimate * exploration(asked, memory.paired().len()),
            fresh: estimate.fresh(*person, photos),
            is_asked: asked > 0,
            is_exhausted: estimate.is_exhausted(*person),
        })
    };
    let mut standings: Vec<Standing> = reached.order().iter().filter_map(standing).collect();
    sorted::sort_by(&mut standings, |left, right| {
        (right.unseen_weighted.total_cmp(&left.unseen_weighted))
            .then(left.person.cmp(&right.person))
    });
    standings
}

/// Returns a side's people with the best search for each, the best first.
fn ranked(side: Side, sides: &Sides, memory: &Memory, facts: &Facts) -> Vec<(Standing, Best)> {
    let best = |(position, one): (usize, &Standing)| {
        let partners = if position < PARTNERS_MAX {
            sides.side(side.other())
        } else {
            &[]
        };
        let subject = facts.knowledge().subject_of(one.person);
        let has_single = !one.is_asked || next_single(memory, facts, subject).is_some();
        Some((*one, sides.best_for(side, one, has_single, partners)?))
    };
    let people = sides.side(side).iter().enumerate();
    let mut ranked: Vec<(Standing, Best)> = people.filter_map(best).collect();
    // The sort is stable, so that of equals the one seen first comes first.
    sorted::sort_by(&mut ranked, |(_, left), (_, right)| {
        right.worth.total_cmp(&left.worth)
    });
    ranked
}

fn candidate(
    side: Side,
    one: &Standing,
    best: Best,
    memory: &Memory,
    facts: &Facts,
) -> Option<RankedCandidate> {
    let candidate = Candidate {
        person: one.person,
        side,
        depth: one.depth,
        count: facts.knowledge().times_found_in_others(one.person),
        degree: facts.together().degree(one.person),
        best_confidence: best_confidence(facts, one.person),
        name: facts.name(one.person).to_owned(),
    };
    Some(RankedCandidate {
        candidate,
        probe: probe(side, one, best, memory, facts)?,
    })
}

fn probe(side: Side, one: &Standing, best: Best, memory: &Memory, facts: &Facts) -> Option<Probe> {
    let subject = |person| facts.knowledge().subject_of(person);
    let mut named = vec![subject(one.person)];
    let query = match best.partner {
        None => next_single(memory, facts, subject(one.person))?,
        Some(partner) => {
            named.push(subject(partner.person));
            let (name, other_name) = (facts.name(one.person), facts.name(partner.person));
            match side {
                Side::A => query::pair_in_company(name, other_name),
                Side::B => query::pair_in_company(other_name, name),
            }
        }
    };
    Some(Probe {
        query,
        named,
        worth: best.worth,
        one: *one,
        partner: best.partner,
    })
}

/// Returns why a search is the best, in words for the user.
pub fn reason_of(probe: &Probe, facts: &Facts) -> String {
    let words = probe.one.words();
    match probe.partner {
        None => words,
        Some(partner) => {
            let name = facts.name(partner.person);
            format!("{words}, {}", partner.words_of_partner(name))
        }
    }
}

fn best_confidence(facts: &Facts, person: PersonIndex) -> Confidence {
    let together = facts.together();
    together
        .neighbours(person)
        .filter_map(|neighbour| Some(together.edge(person, neighbour)?.confidence()))
        .max()
        .unwrap_or(Confidence::ZERO)
}

/// Returns the factor for the photos of a person whom this many searches named, in a run that named
/// this many pairs.
fn exploration(searches: u32, pairs: usize) -> f64 {
    let pairs = 1.0 + f64::from(u32::try_from(pairs).unwrap_or(u32::MAX));
    match searches.checked_sub(1) {
        None => EXPLORATION_WEIGHT,
        Some(again) => pairs / (pairs + AGAIN_LOSS * f64::from(again)),
    }
}

#[cfg(test)]
mod tests {
    use super::exploration;

    #[test]
    fn who_was_never_named_comes_first_and_who_was_named_in_vain_last() {
        assert!(exploration(0, 1) > exploration(1, 1));
        assert!(exploration(1, 1) > 4.0 * exploration(2, 1));
        assert!(exploration(2, 1) > 1.5 * exploration(3, 1));
    }

    #[test]
    fn where_hardly_any_pair_is_together_one_more_in_vain_says_little() {
        assert!(exploration(2, 40) > 0.8 * exploration(1, 40));
    }
}
