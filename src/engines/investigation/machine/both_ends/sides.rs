//! The standing of the people of both sides, and the worth of a search that names them.
//!
//! A search that names two people shows a photo of both first, if there is any, out of all their
//! photos. People who are in many photos are likely to be in one together. So a pair is worth the
//! product of the photos of the two that were not seen yet, by estimate. Otherwise such a search
//! finds photos of either, and more often of the one with more photos; so naming somebody of whom
//! nothing is known wastes little. Each of these photos, like each photo that a search for one
//! person finds, may show somebody of the other side: it is worth the photos of that side.
//!
//! The weighing follows West and Leskovec, WWW 2012: hubs while far away, and no people far from
//! the ends where near ones will do.

use crate::domain::{Pair, PersonIndex, Side};
use crate::sorted::SortedSet;

use super::ranked::Standing;

/// The worth of a photo of one person, relative to that of a photo of two, as a way to join the
/// sides.
const CHANCE_MEETING: f64 = 0.3;
/// The loss for each hop from the ends, which makes a search worth less. Shorter chains are better,
/// and people nearer to the ends are connected with them more surely.
const HOP_LOSS: f64 = 0.5;
/// The least mass of a side. Even with nobody known on a side, photos of the other find people.
const MASS_MIN: f64 = 1.0;
/// The most people of a side who are weighed against those of the other: those with most unseen
/// photos.
pub const PARTNERS_MAX: usize = 16;

/// Both sides as they stand.
#[derive(Debug)]
pub struct Sides<'plan> {
    /// The people of both sides. The one with most unseen photos comes first, and of equals the one
    /// seen first.
    of: [Vec<Standing>; 2],
    /// The sum of all unseen photos of each side's people.
    mass: [f64; 2],
    photos_per_search: f64,
    hops_max: u32,
    /// The pairs of people who were named together.
    paired: &'plan SortedSet<Pair>,
    /// A and B, whom S1 has named.
    typed: Option<Pair>,
}

/// The best search that was found for somebody.
#[derive(Debug, Clone, Copy)]
pub struct Best {
    pub worth: f64,
    pub partner: Option<Standing>,
}

impl<'plan> Sides<'plan> {
    /// Makes both sides, A first, for searches of this many photos and chains of this many hops.
    pub fn new(
        of: [Vec<Standing>; 2],
        (photos_per_search, hops_max): (u32, u32),
        paired: &'plan SortedSet<Pair>,
        typed: Option<Pair>,
    ) -> Self {
        let mass = |side: &Vec<Standing>| {
            let unseen = side.iter().map(|one| one.unseen_weighted);
            unseen.sum::<f64>().max(MASS_MIN)
        };
        Self {
            mass: [mass(&of[0]), mass(&of[1])],
            of,
            photos_per_search: f64::from(photos_per_search),
            hops_max,
            paired,
            typed,
        }
    }

    pub fn side(&self, side: Side) -> &[Standing] {
        let [of_a, of_b] = &self.of;
        match side {
            Side::A => of_a,
            Side::B => of_b,
        }
    }

    fn mass(&self, side: Side) -> f64 {
        let [of_a, of_b] = self.mass;
        match side {
            Side::A => of_a,
            Side::B => of_b,
        }
    }

    /// Returns the best search that names this person. Returns `None` where each was made.
    pub fn best_for(
        &self,
        side: Side,
        one: &Standing,
        has_single: bool,
        partners: &[Standing],
    ) -> Option<Best> {
        let mut best = has_single.then(|| Best {
            worth: self.worth_alone(side, one),
            partner: None,
        });
        if one.is_exhausted {
            return best;
        }
        for other in partners.iter().take(PARTNERS_MAX) {
            let worth = self.worth_together(side, one, other);
            let is_better = best.is_none_or(|best| worth > best.worth);
            if is_better && self.may_be_named_together(one, other) {
                best = Some(Best {
                    worth,
                    partner: Some(*other),
                });
            }
        }
        best
    }

    /// Returns whether a search may name the two together: it is a new one, and with a photo of
    /// both the chain would fit the hops.
    fn may_be_named_together(&self, one: &Standing, other: &Standing) -> bool {
        let is_new = Pair::new(one.person, other.person)
            .is_some_and(|pair| !self.paired.contains(&pair) && self.typed != Some(pair));
        is_new && !other.is_exhausted && one.depth + other.depth < self.hops_max
    }

    fn worth_alone(&self, side: Side, one: &Standing) -> f64 {
        one.fresh * self.worth_of_photo(side, one)
    }

    /// Returns the worth of one more photo of somebody, which may show anybody of the other side.
    fn worth_of_photo(&self, side: Side, one: &Standing) -> f64 {
        CHANCE_MEETING * self.mass(side.other()) / hop_loss(one.depth)
    }

    /// Returns the worth of a photo that shows one of these people, on whichever sides they are.
    pub fn worth_of_photo_of(&self, people: &[PersonIndex]) -> f64 {
        let worth = |side: Side| -> f64 {
            let standings = self.side(side).iter();
            let meant = standings.filter(|one| people.contains(&one.person));
            meant.map(|one| self.worth_of_photo(side, one)).sum()
        };
        let count = u32::try_from(people.len().max(1)).unwrap_or(u32::MAX);
        (worth(Side::A) + worth(Side::B)) / f64::from(count)
    }

    fn worth_together(&self, side: Side, one: &Standing, other: &Standing) -> f64 {
        let fresh = (one.fresh + other.fresh).min(self.photos_per_search);
        let share = one.unseen_weighted / (one.unseen_weighted + other.unseen_weighted);
        let met = share * self.mass(side.other()) + (1.0 - share) * self.mass(side);
        let chance = CHANCE_MEETING * fresh * met;
        (one.unseen_weighted * other.unseen_weighted + chance) / hop_loss(one.depth + other.depth)
    }
}

fn hop_loss(hops: u32) -> f64 {
    1.0 + HOP_LOSS * f64::from(hops)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(person: u32, depth: u32, unseen: f64) -> Standing {
        Standing {
            person: PersonIndex(person),
            depth,
            unseen_estimate: unseen,
            unseen_weighted: unseen,
            fresh: unseen.min(5.0),
            is_asked: false,
            is_exhausted: false,
        }
    }

    fn sides(of: [Vec<Standing>; 2], mass: [f64; 2], paired: &SortedSet<Pair>) -> Sides<'_> {
        Sides {
            mass,
            ..Sides::new(of, (5, 6), paired, None)
        }
    }

    /// Checks which person of B's side, here numbers from 10, is named beside the first of A's
    /// side.
    #[track_caller]
    fn check(of: [Vec<Standing>; 2], paired: &[(u32, u32)], expect: Option<u32>) {
        let pairs = paired.iter();
        let pairs =
            pairs.filter_map(|(one, other)| Pair::new(PersonIndex(*one), PersonIndex(*other)));
        let paired = pairs.collect();
        let sides = sides(of, [1.0, 1.0], &paired);
        let best = sides
            .best_for(Side::A, &sides.of[0][0], true, &sides.of[1])
            .unwrap();
        assert_eq!(best.partner.map(|partner| partner.person.0), expect);
    }

    #[test]
    fn the_best_known_are_named_together_and_once_only() {
        let of = || {
            [
                vec![standing(0, 1, 20.0)],
                vec![standing(10, 1, 30.0), standing(11, 1, 9.0)],
            ]
        };
        check(of(), &[], Some(10));
        check(of(), &[(0, 10)], Some(11));
        check(of(), &[(0, 10), (0, 11)], None);
    }

    #[test]
    fn nearer_to_the_end_is_better_and_too_far_is_not_tried() {
        let of = |depth| {
            [
                vec![standing(0, 1, 9.0)],
                vec![standing(10, depth, 9.0), standing(11, 1, 8.0)],
            ]
        };
        check(of(1), &[], Some(10));
        check(of(2), &[], Some(11));
        check(of(5), &[(0, 11)], None);
    }

    #[test]
    fn of_whom_all_photos_are_known_nobody_needs_a_photo_with_another() {
        let mut known = standing(10, 1, 30.0);
        known.is_exhausted = true;
        check([vec![standing(0, 1, 9.0)], vec![known]], &[], None);
    }
    #[test]
    fn a_photo_near_an_end_that_faces_many_is_worth_most() {
        let of_a = vec![standing(0, 0, 9.0), standing(1, 2, 9.0)];
        let none = SortedSet::new();
        let sides = sides([of_a, vec![standing(10, 0, 9.0)]], [1.0, 3.0], &none);
        let worth = |people: &[u32]| {
            let people: Vec<PersonIndex> = people.iter().copied().map(PersonIndex).collect();
            sides.worth_of_photo_of(&people)
        };
        assert!(worth(&[0]) > worth(&[1]) && worth(&[0]) > worth(&[10]));
        // A photo of one of two people is worth what either is, on average.
        assert!((2.0 * worth(&[0, 10]) - worth(&[0]) - worth(&[10])).abs() < 1e-9);
        assert!(worth(&[99]).abs() < 1e-9, "who is on no side leads nowhere");
    }
}
