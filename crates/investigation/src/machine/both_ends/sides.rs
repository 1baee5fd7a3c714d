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

use domain::{Pair, PersonIndex, Side, Wording};

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
pub struct Sides<'plan> {
    /// The people of both sides. The one with most unseen photos comes first, and of equals the one
    /// seen first.
    of: [Vec<Standing>; 2],
    /// The sum of all unseen photos of each side's people.
    mass: [f64; 2],
    photos_per_search: f64,
    hops_max: u32,
    /// The search that may name two people, if there is one that was not made.
    pair_search: &'plan dyn Fn(Pair) -> Option<PairSearch>,
}

/// A search that names two people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairSearch {
    pub source: usize,
    pub wording: Wording,
    /// The part of a photo of both that is expected of it, if there is one, 0 to 1.
    pub both: f64,
    /// The part of the photos of either that is expected of it, 0 to 1.
    pub either: f64,
}

/// The best search that was found for somebody.
#[derive(Debug, Clone, Copy)]
pub struct Best {
    pub worth: f64,
    pub partner: Option<(Standing, PairSearch)>,
}

impl<'plan> Sides<'plan> {
    /// Makes both sides, A first, for searches of this many photos and chains of this many hops.
    pub fn new(
        of: [Vec<Standing>; 2],
        (photos_per_search, hops_max): (u32, u32),
        pair_search: &'plan dyn Fn(Pair) -> Option<PairSearch>,
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
            pair_search,
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

    /// Returns the best search that names this person. `single` is the part of what a search for the
    /// person alone might bring that it is expected to bring; `None` where each was made.
    pub fn best_for(
        &self,
        side: Side,
        one: &Standing,
        single: Option<f64>,
        partners: &[Standing],
    ) -> Option<Best> {
        let mut best = single.map(|expected| Best {
            worth: expected * self.worth_alone(side, one),
            partner: None,
        });
        if one.is_exhausted {
            return best;
        }
        for other in partners.iter().take(PARTNERS_MAX) {
            let may_join = !other.is_exhausted && one.depth + other.depth < self.hops_max;
            let pair = Pair::new(one.person, other.person).filter(|_| may_join);
            let Some(search) = pair.and_then(self.pair_search) else {
                continue;
            };
            let worth = self.worth_together(side, one, other, search);
            if best.is_none_or(|best| worth > best.worth) {
                best = Some(Best {
                    worth,
                    partner: Some((*other, search)),
                });
            }
        }
        best
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

    fn worth_together(
        &self,
        side: Side,
        one: &Standing,
        other: &Standing,
        search: PairSearch,
    ) -> f64 {
        let fresh = (one.fresh + other.fresh).min(self.photos_per_search);
        let share = one.unseen_weighted / (one.unseen_weighted + other.unseen_weighted);
        let met = share * self.mass(side.other()) + (1.0 - share) * self.mass(side);
        let chance = search.either * CHANCE_MEETING * fresh * met;
        let both = search.both * one.unseen_weighted * other.unseen_weighted;
        (both + chance) / hop_loss(one.depth + other.depth)
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

    const IN_COMPANY: PairSearch = PairSearch {
        source: 0,
        wording: Wording::InCompany,
        both: 1.0,
        either: 1.0,
    };

    fn sides(
        of: [Vec<Standing>; 2],
        mass: [f64; 2],
        pair_search: &dyn Fn(Pair) -> Option<PairSearch>,
    ) -> Sides<'_> {
        Sides {
            mass,
            ..Sides::new(of, (5, 6), pair_search)
        }
    }

    /// Checks which person of B's side, here numbers from 10, is named beside the first of A's
    /// side.
    #[track_caller]
    fn check(of: [Vec<Standing>; 2], paired: &[(u32, u32)], expect: Option<u32>) {
        let pairs = paired.iter();
        let pairs =
            pairs.filter_map(|(one, other)| Pair::new(PersonIndex(*one), PersonIndex(*other)));
        let paired: Vec<Pair> = pairs.collect();
        let unasked = |pair| (!paired.contains(&pair)).then_some(IN_COMPANY);
        let sides = sides(of, [1.0, 1.0], &unasked);
        let best = sides
            .best_for(Side::A, &sides.of[0][0], Some(1.0), &sides.of[1])
            .unwrap();
        assert_eq!(best.partner.map(|(partner, _)| partner.person.0), expect);
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
        let any = |_| Some(IN_COMPANY);
        let sides = sides([of_a, vec![standing(10, 0, 9.0)]], [1.0, 3.0], &any);
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
