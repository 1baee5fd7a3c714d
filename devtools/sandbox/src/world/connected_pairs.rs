//! Draws random pairs of people who are connected. The pairs are reproducible by seed, and none occurs twice.

use std::collections::BTreeSet;

use crate::hash::{below, hash};

use super::definition::World;
use super::distance::ConnectedPair;

/// The number of draws per wanted pair, enough for a filter that accepts one pair in a hundred.
const DRAWS_PER_PAIR: usize = 100;
/// The largest number of people for whom all pairs that were not drawn are tried.
const SWEPT_PEOPLE_MAX: usize = 2_000;

impl World {
    /// Returns up to `count` connected pairs of different people that `filter` accepts. The seed determines the draws,
    /// which are uniform over the people who are in a photo.
    #[must_use]
    pub fn connected_pairs(
        &self,
        seed: u64,
        count: usize,
        filter: impl Fn(&Self, ConnectedPair) -> bool,
    ) -> Vec<ConnectedPair> {
        let present: Vec<usize> = (0..self.people.len())
            .filter(|person| !self.photos_of(*person).is_empty())
            .collect();
        self.connected_pairs_among(&present, seed, count, filter)
    }

    /// Like [`connected_pairs`](Self::connected_pairs), but draws from these people, who must be distinct. If the draws
    /// find too few pairs among at most two thousand people, all pairs that were not drawn are tried, so that none is
    /// missed.
    #[must_use]
    pub fn connected_pairs_among(
        &self,
        people: &[usize],
        seed: u64,
        count: usize,
        filter: impl Fn(&Self, ConnectedPair) -> bool,
    ) -> Vec<ConnectedPair> {
        let mut search = PairSearch {
            world: self,
            tried: BTreeSet::new(),
            pairs: Vec::new(),
        };
        search.draw(people, seed, count, &filter);
        if search.pairs.len() < count && people.len() <= SWEPT_PEOPLE_MAX {
            search.sweep(people, seed, count, &filter);
        }
        search.pairs
    }
}

/// The pairs found so far, and those already tried.
struct PairSearch<'world> {
    world: &'world World,
    /// The pairs tried so far. The lower index of a pair comes first.
    tried: BTreeSet<(usize, usize)>,
    pairs: Vec<ConnectedPair>,
}

impl PairSearch<'_> {
    fn draw(
        &mut self,
        people: &[usize],
        seed: u64,
        count: usize,
        filter: &impl Fn(&World, ConnectedPair) -> bool,
    ) {
        let draw = |attempt: usize, end: &str| {
            let number = hash(&["pair".into(), seed.into(), attempt.into(), end.into()]);
            people.get(below(number, people.len())).copied()
        };
        for attempt in 0..count.saturating_mul(DRAWS_PER_PAIR) {
            let (Some(from), Some(to)) = (draw(attempt, "from"), draw(attempt, "to")) else {
                return;
            };
            if self.pairs.len() >= count {
                return;
            }
            if from == to || !self.tried.insert((from.min(to), from.max(to))) {
                continue;
            }
            if let Some(hops) = self.world.shortest(from, to) {
                let pair = ConnectedPair { from, to, hops };
                if filter(self.world, pair) {
                    self.pairs.push(pair);
                }
            }
        }
    }

    /// Tries the pairs that were not drawn, in an order that the seed determines.
    fn sweep(
        &mut self,
        people: &[usize],
        seed: u64,
        count: usize,
        filter: &impl Fn(&World, ConnectedPair) -> bool,
    ) {
        let mut rest: Vec<(u64, ConnectedPair)> = Vec::new();
        for (position, from) in people.iter().copied().enumerate() {
            let hops = self.world.hops_from(from, None);
            for to in people.iter().copied().skip(position + 1) {
                if from == to || !self.tried.insert((from.min(to), from.max(to))) {
                    continue;
                }
                if let Some(hops) = hops.get(to).copied().flatten() {
                    let pair = ConnectedPair { from, to, hops };
                    if filter(self.world, pair) {
                        let parts = ["rest".into(), seed.into(), from.into(), to.into()];
                        rest.push((hash(&parts), pair));
                    }
                }
            }
        }
        rest.sort_unstable_by_key(|(order, pair)| (*order, pair.from, pair.to));
        let missing = count.saturating_sub(self.pairs.len());
        let rest = rest.into_iter().map(|(_, pair)| pair);
        self.pairs.extend(rest.take(missing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connected_pairs_are_connected_and_stay_the_same() {
        let world = World::generate(7, 60, 120);
        let pairs = world.connected_pairs(1, 20, |_, pair| pair.hops >= 2);
        assert_eq!(pairs.len(), 20);
        assert!(
            pairs
                .iter()
                .all(|pair| world.shortest(pair.from, pair.to) == Some(pair.hops))
        );
        assert!(pairs.iter().all(|pair| pair.hops >= 2));
        assert_eq!(
            world.connected_pairs(1, 20, |_, pair| pair.hops >= 2),
            pairs
        );
        assert_ne!(
            world.connected_pairs(2, 20, |_, pair| pair.hops >= 2),
            pairs
        );
        assert_eq!(world.connected_pairs(1, 5, |_, _| false), []);
    }

    #[test]
    fn where_draws_find_too_few_all_there_are_come_out() {
        let world = World::generate(7, 60, 120);
        let mut far: Vec<(usize, usize)> = Vec::new();
        for from in 0..60 {
            let hops = world.hops_from(from, None);
            let others = (from + 1..60).filter(|to| hops[*to].is_some_and(|hops| hops >= 3));
            far.extend(others.map(|to| (from, to)));
        }
        let ends = |pair: &ConnectedPair| (pair.from.min(pair.to), pair.from.max(pair.to));
        let pairs = world.connected_pairs(1, 2_000, |_, pair| pair.hops >= 3);
        let mut found: Vec<(usize, usize)> = pairs.iter().map(ends).collect();
        found.sort_unstable();
        assert_eq!(found, far);
        // A hundred draws among 1,770 pairs rarely find the one wanted pair, so the enumeration must.
        for wanted in far.iter().take(20) {
            let pairs = world.connected_pairs(1, 1, |_, pair| ends(&pair) == *wanted);
            assert_eq!(pairs.len(), 1);
        }
    }

    #[test]
    fn only_the_people_given_are_drawn() {
        let world = World::generate(7, 60, 120);
        let people: Vec<usize> = (10..30).collect();
        let pairs = world.connected_pairs_among(&people, 3, 30, |_, _| true);
        assert_eq!(pairs.len(), 30);
        let is_given = |person: &usize| people.contains(person);
        assert!(
            pairs
                .iter()
                .all(|pair| is_given(&pair.from) && is_given(&pair.to))
        );
    }
}
