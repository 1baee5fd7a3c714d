//! The both-ends plan's next search: whom to name, one person or one of each side.
//!
//! A search that names two people shows a photo of both first, if there is any, out of all their
//! photos. People who are in many photos are likely to be in one together: a pair is worth the
//! product of the photos of the two that were not seen yet, by estimate ([`Renown`]). What else
//! such a search finds is photos of either, of whom there are more of more often, so that naming
//! somebody of whom nothing is known wastes little. Each of these, as each photo that a search for
//! one person finds, may show somebody of the other side: it is worth the photos of that side.
//!
//! Hubs while far, and never far from the ends if near will do: West and Leskovec, WWW 2012.

use std::collections::BTreeSet;

use crate::domain::{Confidence, Pair, PersonIndex, Side, reach};

use super::both_ends::BothEnds;
use super::machine::{Investigation, Route};
use super::query;
use super::ranking::{Candidate, TABLE_ROWS_MAX};
use super::renown::Renown;
use super::subject::Subject;

/// What is not known yet may be better than it looks: who was not searched for counts so much more.
const HOPE: f64 = 4.0;
/// A photo of one person beside a photo of two, as a way to join the sides.
const CHANCE_MEETING: f64 = 0.3;
/// Each hop from the ends makes a search by so much less worth: shorter chains are better, and
/// people nearer to the ends were seen with more right.
const HOP_LOSS: f64 = 0.5;
/// So many people of a side are weighed against those of the other: who has most unseen photos.
const PARTNERS_MAX: usize = 32;
/// With nobody known on a side, photos of the other still find people.
const MASS_MIN: f64 = 1.0;

/// A search that may be made next.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    pub(super) query: String,
    pub(super) named: Vec<Subject>,
    /// In no unit: only to compare with others.
    pub(super) worth: f64,
    /// Why it is the best, in words for the user.
    pub(super) reason: String,
}

/// One person of a side, as the search values them.
#[derive(Debug, Clone, Copy)]
struct Standing {
    person: PersonIndex,
    depth: u32,
    /// Photos not seen yet, by estimate.
    likely: f64,
    /// The same, more if never searched for.
    unseen: f64,
    /// Of these, what one search would find.
    fresh: f64,
    is_asked: bool,
    is_exhausted: bool,
}

/// Both sides as they stand.
struct Sides<'plan> {
    /// The one with most unseen photos first; of equals who was seen first.
    of: [Vec<Standing>; 2],
    /// All unseen photos of each side's people.
    mass: [f64; 2],
    photos_per_search: f64,
    hops_max: u32,
    /// Two people who were named together.
    paired: &'plan BTreeSet<Pair>,
    /// A and B: S1 named them.
    typed: Option<Pair>,
}

/// The best that was found for somebody.
#[derive(Debug, Clone, Copy)]
struct Best {
    worth: f64,
    partner: Option<Standing>,
}

impl Investigation {
    /// The tables of both sides, A first, each with the most worthwhile person first.
    pub(super) fn both_ends_tables(&self) -> [Vec<Candidate>; 2] {
        let Route::BothEnds(route) = &self.route else {
            return [Vec::new(), Vec::new()];
        };
        let photos = self.request.limits.images_per_search;
        let renown = Renown::of(
            &self.knowledge,
            usize::try_from(photos).unwrap_or(usize::MAX),
        );
        let of = [Side::A, Side::B].map(|side| self.standings(side, route, &renown));
        let mass = |side: &Vec<Standing>| side.iter().map(|one| one.unseen).sum::<f64>();
        let sides = Sides {
            mass: [mass(&of[0]).max(MASS_MIN), mass(&of[1]).max(MASS_MIN)],
            of,
            photos_per_search: f64::from(photos),
            hops_max: self.request.limits.hops,
            paired: &route.paired,
            typed: self.typed_pair().and_then(|(a, b)| Pair::new(a, b)),
        };
        [Side::A, Side::B].map(|side| self.table(side, &sides, route))
    }

    /// Everybody connected to a side's start who is near enough.
    fn standings(&self, side: Side, route: &BothEnds, renown: &Renown) -> Vec<Standing> {
        let Some(start) = self.knowledge.people.bound(side) else {
            return Vec::new();
        };
        let other_start = self.knowledge.people.bound(side.other());
        let photos = f64::from(self.request.limits.images_per_search);
        let reached = reach(self.knowledge.together(), start, |person| {
            self.may_be_on_path(person)
        });
        let standing = |person: &PersonIndex| {
            let depth = reached.distance(*person)?;
            if depth >= self.request.limits.hops || Some(*person) == other_start {
                return None;
            }
            // S1 named the typed people.
            let is_asked = depth == 0 || route.times_asked(self.knowledge.subject_of(*person)) > 0;
            let likely = renown.unseen(*person);
            let hope = if is_asked { 1.0 } else { HOPE };
            Some(Standing {
                person: *person,
                depth,
                likely,
                unseen: hope * likely,
                fresh: renown.fresh(*person, photos),
                is_asked,
                is_exhausted: renown.is_exhausted(*person),
            })
        };
        let mut standings: Vec<Standing> = reached.order().iter().filter_map(standing).collect();
        standings.sort_by(|left, right| {
            (right.unseen.total_cmp(&left.unseen)).then(left.person.cmp(&right.person))
        });
        standings
    }

    /// A side's people with the best search for each, the best first; no more of them than a
    /// planner may see.
    fn table(&self, side: Side, sides: &Sides, route: &BothEnds) -> Vec<Candidate> {
        let best = |(position, one): (usize, &Standing)| {
            let partners = if position < PARTNERS_MAX {
                sides.side(side.other())
            } else {
                &[]
            };
            let subject = self.knowledge.subject_of(one.person);
            let has_single = !one.is_asked || self.next_single(subject, route).is_some();
            Some((*one, sides.best_for(side, one, has_single, partners)?))
        };
        let mut table: Vec<(Standing, Best)> = sides
            .side(side)
            .iter()
            .enumerate()
            .filter_map(best)
            .collect();
        // Stable: of equals who was seen first.
        table.sort_by(|(_, left), (_, right)| right.worth.total_cmp(&left.worth));
        // One more than the planner's rows: the typed person is not its to choose.
        table
            .iter()
            .take(TABLE_ROWS_MAX + 1)
            .filter_map(|(one, best)| self.candidate(side, one, *best, route))
            .collect()
    }

    fn candidate(
        &self,
        side: Side,
        one: &Standing,
        best: Best,
        route: &BothEnds,
    ) -> Option<Candidate> {
        Some(Candidate {
            person: one.person,
            side,
            depth: one.depth,
            count: self.knowledge.times_found_in_others(one.person),
            degree: self.knowledge.together().degree(one.person),
            best_confidence: self.best_confidence(one.person),
            name: self.knowledge.people.name(one.person).to_owned(),
            probe: Some(self.probe(side, one, best, route)?),
        })
    }

    fn probe(&self, side: Side, one: &Standing, best: Best, route: &BothEnds) -> Option<Probe> {
        let subject = self.knowledge.subject_of(one.person);
        let Some(partner) = best.partner else {
            return Some(Probe {
                query: self.next_single(subject, route)?,
                named: vec![subject],
                worth: best.worth,
                reason: format!(
                    "{}, and each may show somebody of the other side",
                    one.told()
                ),
            });
        };
        let name = self.knowledge.people.name(one.person);
        let other_name = self.knowledge.people.name(partner.person);
        let (first, second) = match side {
            Side::A => (name, other_name),
            Side::B => (other_name, name),
        };
        Some(Probe {
            query: query::pair(first, second),
            named: vec![subject, self.knowledge.subject_of(partner.person)],
            worth: best.worth,
            reason: format!(
                "{}; of {other_name} on the other side {}; one may show both",
                one.told(),
                partner.told()
            ),
        })
    }

    /// The first query about one person that was neither asked nor begun.
    pub(super) fn next_single(&self, subject: Subject, route: &BothEnds) -> Option<String> {
        let name = self.knowledge.name_of(subject);
        (0..query::DISCOVERY.len())
            .filter_map(|template| query::discovery(name, template))
            .find(|query| self.knowledge.asked(query).is_none() && !route.begun.contains(query))
    }

    fn best_confidence(&self, person: PersonIndex) -> Confidence {
        let together = self.knowledge.together();
        together
            .neighbours(person)
            .filter_map(|neighbour| Some(together.edge(person, neighbour)?.confidence()))
            .max()
            .unwrap_or(Confidence::ZERO)
    }
}

impl Standing {
    /// What is thought of their photos, in words for the user.
    fn told(&self) -> String {
        let before = if self.is_asked {
            ""
        } else {
            " and nobody has searched for them yet"
        };
        // Never "about 0": whoever is weighed may be in one more.
        let photos = self.likely.max(1.0);
        let noun = if photos < 1.5 { "photo" } else { "photos" };
        format!("about {photos:.0} {noun} may still be unseen{before}")
    }
}

impl Sides<'_> {
    fn side(&self, side: Side) -> &[Standing] {
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

    /// The best search that names this person; none where each was made.
    fn best_for(
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

    /// With a photo of both the chain must still fit.
    fn may_be_named_together(&self, one: &Standing, other: &Standing) -> bool {
        let is_new = Pair::new(one.person, other.person)
            .is_some_and(|pair| !self.paired.contains(&pair) && self.typed != Some(pair));
        is_new && !other.is_exhausted && one.depth + other.depth < self.hops_max
    }

    fn worth_alone(&self, side: Side, one: &Standing) -> f64 {
        let chance = CHANCE_MEETING * one.fresh * self.mass(side.other());
        chance / hop_loss(one.depth)
    }

    fn worth_together(&self, side: Side, one: &Standing, other: &Standing) -> f64 {
        let fresh = (one.fresh + other.fresh).min(self.photos_per_search);
        let share = one.unseen / (one.unseen + other.unseen);
        let met = share * self.mass(side.other()) + (1.0 - share) * self.mass(side);
        let chance = CHANCE_MEETING * fresh * met;
        (one.unseen * other.unseen + chance) / hop_loss(one.depth + other.depth)
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
            likely: unseen,
            unseen,
            fresh: unseen.min(5.0),
            is_asked: false,
            is_exhausted: false,
        }
    }

    /// Who of B's side, here numbers from 10, is named beside the first of A's side.
    #[track_caller]
    fn check(of: [Vec<Standing>; 2], paired: &[(u32, u32)], expect: Option<u32>) {
        let pairs = paired.iter();
        let pairs =
            pairs.filter_map(|(one, other)| Pair::new(PersonIndex(*one), PersonIndex(*other)));
        let sides = Sides {
            mass: [1.0, 1.0],
            of,
            photos_per_search: 5.0,
            hops_max: 6,
            paired: &pairs.collect(),
            typed: None,
        };
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
}
