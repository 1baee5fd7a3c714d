//! The choice of the next search: whom to name, one person or one of each side.

use domain::{Pair, PersonIndex, Side};

use crate::machine::advice::{TABLE_ROWS_MAX, has_planner};
use crate::machine::facts::{AskedQuery, Facts, ListKey};
use crate::machine::view::View;

use super::memory::Memory;
use super::question_worth::QuestionWorth;
use super::ranked::{Probe, RankedCandidate, Standing};
use super::sides::{PairSearch, Sides};
use super::unseen_photos::UnseenPhotos;
use super::weighing::Weighing;

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
    let weighing = Weighing::of(memory, view);
    let pair_search = |pair| weighing.pair_search(pair);
    let sides = sides(memory, facts, weighing.worth(), &pair_search);
    let [of_a, of_b] = [Side::A, Side::B].map(|side| weighing.ranked(side, &sides));
    // A planner may name somebody of either side who stands further down the table by then.
    let rows = |of_other_side: usize| {
        if has_planner(view.budget()) {
            ROWS_MAX
        } else {
            ROWS_MAX - of_other_side.min(ROWS_MAX / 2)
        }
    };
    let (rows_a, rows_b) = (rows(of_b.len()), rows(of_a.len()));
    [(Side::A, of_a, rows_a), (Side::B, of_b, rows_b)].map(|(side, ranked, rows)| {
        let ranked = ranked.into_iter().take(rows);
        ranked.filter_map(|one| weighing.row(side, &one)).collect()
    })
}

/// Returns the lists that were found, first those one more of whose photos is worth most. Equals
/// stay in the order in which they were asked for.
pub fn lists_by_worth(memory: &Memory, facts: &Facts) -> Vec<ListKey> {
    let none = |_| None;
    let worth = QuestionWorth::of(facts);
    let sides = sides(memory, facts, &worth, &none);
    let knowledge = facts.knowledge();
    let worth = |(key, asked): (&ListKey, &AskedQuery)| {
        let named = asked.named().iter();
        let people: Vec<PersonIndex> = named
            .filter_map(|subject| knowledge.person_of(*subject))
            .collect();
        (sides.worth_of_photo_of(&people), key.clone())
    };
    let mut lists: Vec<(f64, ListKey)> = knowledge.lists().map(worth).collect();
    lists.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    lists.into_iter().map(|(_, list)| list).collect()
}

/// Returns both sides as they stand now.
fn sides<'plan>(
    memory: &Memory,
    facts: &Facts,
    worth: &QuestionWorth,
    pair_search: &'plan dyn Fn(Pair) -> Option<PairSearch>,
) -> Sides<'plan> {
    let limits = facts.limits();
    let estimate = UnseenPhotos::of(facts.knowledge(), worth);
    Sides::new(
        [Side::A, Side::B].map(|side| standings(side, memory, facts, &estimate)),
        (limits.images_per_search, limits.hops),
        pair_search,
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
            unseen_weighted: unseen_estimate * exploration(asked, memory.pairs_named()),
            fresh: estimate.fresh(*person, photos),
            is_asked: asked > 0,
            is_exhausted: estimate.is_exhausted(*person),
        })
    };
    let mut standings: Vec<Standing> = reached.order().iter().filter_map(standing).collect();
    standings.sort_by(|left, right| {
        (right.unseen_weighted.total_cmp(&left.unseen_weighted))
            .then(left.person.cmp(&right.person))
    });
    standings
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
