//! The people of both sides, and the worth of a search that names them.
//!
//! The results of a search that names two people begin with photos of both, if there are any. People in many photos are
//! likely to be in one together. So a pair is worth the product of their estimated unseen photos. If there is no photo
//! of both, such a search finds photos of either, mostly of the one with more photos; so naming a person of whom
//! nothing is known wastes little. Each photo of one person may also show somebody of the other side, so its worth
//! depends on the unseen photos of that side.
//!
//! The weighing follows West and Leskovec, WWW 2012: it prefers hubs while the sides are far apart, and avoids people
//! far from the ends if near ones will do.

use std::collections::BTreeMap;

use domain::{PersonIndex, Side, Wording};

use crate::machine::advice::Candidate;
use crate::machine::facts::{AskedQuery, Facts, Frontier, ListKey, NameUse, Query, Subject, query};
use crate::machine::states::{Move, State, View};
use crate::machine::telling::{Teller, counted};

use super::Memory;
use super::hints::{HintedSides, photos_per_answer};
use super::next_search::SingleSearch;

/// How much a photo of one person is worth for joining the sides, relative to a photo that shows a person of each side.
const CHANCE_MEETING: f64 = 0.3;
/// A search's worth is divided by 1 plus this number times the hops from the ends. Shorter chains are better, and
/// people nearer to the ends are more surely connected with them.
const HOP_LOSS: f64 = 0.5;
/// The least number of unseen photos that a side counts as having. It is not 0, because photos of the other side's
/// people may show somebody of this side even if nobody of it is known yet.
const MASS_MIN: f64 = 1.0;
/// The largest number of people of each side who are considered for a search that names two: those with the most unseen
/// photos.
pub const PARTNERS_MAX: usize = 16;

/// The people of both sides who are weighed for the next search.
pub struct Sides<'plan> {
    /// The people of both sides. Those with the most unseen photos come first; among equals, those who were seen first.
    of: [Vec<Standing>; 2],
    /// For each side, the sum of its people's unseen photos, at least [`MASS_MIN`].
    mass: [f64; 2],
    photos_per_search: f64,
    hops_max: u32,
    /// Returns a search that names these two people and was not made yet, if there is one.
    pair_search: &'plan dyn Fn(Subject, Subject) -> Option<PairSearch>,
}

/// A search that names two people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairSearch {
    pub source: usize,
    pub wording: Wording,
    /// The share of the photos with both people together that the search is expected to find, 0 to 1.
    pub both: f64,
    /// The share of the photos with one of the two people that the search is expected to find, 0 to 1.
    pub either: f64,
}

/// The best search found for a person.
#[derive(Debug, Clone, Copy)]
pub struct Best {
    pub worth: f64,
    pub partner: Option<(Standing, PairSearch)>,
}

impl<'plan> Sides<'plan> {
    /// Creates both sides, A first, for searches of this many photos and chains of this many hops.
    pub fn new(
        of: [Vec<Standing>; 2],
        (photos_per_search, hops_max): (u32, u32),
        pair_search: &'plan dyn Fn(Subject, Subject) -> Option<PairSearch>,
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

    /// Returns the best search that names this person, if there is one. `single` is the expected share of the best
    /// search for the person alone; `None` if no such search is left.
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
            if !may_join || one.subject == other.subject {
                continue;
            }
            let Some(search) = (self.pair_search)(one.subject, other.subject) else {
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

    /// Returns the worth of one more photo of a person, which may show anybody of the other side.
    fn worth_of_photo(&self, side: Side, one: &Standing) -> f64 {
        CHANCE_MEETING * self.mass(side.other()) / hop_loss(one.depth)
    }

    /// Returns the worth of a photo that shows one of these people, if it is unknown which one. They may be on either
    /// side.
    pub fn worth_of_photo_of(&self, people: &[Subject]) -> f64 {
        let worth = |side: Side| -> f64 {
            let standings = self.side(side).iter();
            let meant = standings.filter(|one| people.contains(&one.subject));
            meant.map(|one| self.worth_of_photo(side, one)).sum()
        };
        let count = u32::try_from(people.len().max(1)).unwrap_or(u32::MAX);
        (worth(Side::A) + worth(Side::B)) / f64::from(count)
    }

    /// Returns, for each person, the place on a side where one more photo of the person is worth most, with that worth
    /// times the chance that the person is there.
    pub fn best_places(&self) -> BTreeMap<Subject, (f64, Frontier)> {
        let mut places: BTreeMap<Subject, (f64, Frontier)> = BTreeMap::new();
        for side in [Side::A, Side::B] {
            for one in self.side(side) {
                let frontier = Frontier {
                    side,
                    subject: one.subject,
                    depth: one.depth,
                };
                let place = (one.chance * self.worth_of_photo(side, one), frontier);
                let known = places.entry(one.subject).or_insert(place);
                if place.0 > known.0 {
                    *known = place;
                }
            }
        }
        places
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

/// Searches for a person of the request, recognised or not.
pub fn expand_start(
    memory: &mut Memory,
    side: Side,
    search: SingleSearch,
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    let subject = Subject::Typed(side);
    let frontier = Frontier {
        side,
        subject,
        depth: 0,
    };
    let part = (search.source, search.page);
    let name = facts.knowledge().name_of(subject);
    let question = (query::single(name, search.wording), vec![subject]);
    expand(memory, frontier, part, question, facts, teller)
}

/// Searches for a candidate of a side, with the planner's query if there is one, or else with the best search.
pub fn expand_candidate(
    memory: &mut Memory,
    ranked: RankedCandidate,
    planned: Option<Query>,
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let candidate = &ranked.candidate;
    let subject = candidate.subject;
    let frontier = Frontier {
        side: candidate.side,
        subject,
        depth: candidate.depth,
    };
    let probe = ranked.probe;
    match (planned, probe.lookup) {
        (Some(query), _) => {
            let named = subjects_named(facts, &query, subject);
            expand(memory, frontier, (0, 0), (query, named), facts, teller)
        }
        (None, Lookup::Search { source, page }) => {
            let question = (probe.query, probe.named);
            expand(memory, frontier, (source, page), question, facts, teller)
        }
        (None, Lookup::LookOn { list }) => {
            let photos = facts.limits().images_per_search;
            look_on(memory, frontier, (list, photos), view, teller)
        }
    }
}

/// Looks at the photos that a list has left over, except those that were looked at in the meantime.
pub fn look_on(
    memory: &mut Memory,
    frontier: Frontier,
    (list, photos): (ListKey, u32),
    view: View,
    teller: &mut Teller,
) -> Move {
    let facts = view.facts();
    let asked = facts.knowledge().list(&list);
    let places = asked
        .map(|asked| best_left(asked, photos, view))
        .unwrap_or_default();
    if places.is_empty() {
        return Move::go(State::CHOICE);
    }
    memory.look_on(frontier);
    teller.look_around(frontier.subject);
    if facts.names_decide() {
        let count = counted(places.len(), "photo", "photos");
        teller.status(format!(
            "Looking at {count} that “{}” has found.",
            list.query
        ));
    }
    Move::LookOn {
        photos: vec![(list, places)],
        to: State::Discovery,
    }
}

/// Returns the places of the list's left-over photos that are worth the most according to hints, or the first ones if
/// names are not used.
fn best_left(asked: &AskedQuery, photos_max: u32, view: View) -> Vec<usize> {
    let facts = view.facts();
    let size = |photos| usize::try_from(photos).unwrap_or(usize::MAX);
    let photos = match facts.name_use() {
        NameUse::Nothing => return view.scheduler().leftovers_of(asked, size(photos_max)),
        NameUse::Order => size(photos_per_answer(facts)),
        NameUse::Decide => size(photos_max),
    };
    let sides = HintedSides::of(facts);
    let worth = |place: usize| {
        asked
            .hits()
            .get(place)
            .map_or(0.0, |hit| sides.worth_of(facts, hit))
    };
    let mut left: Vec<(f64, usize)> = view
        .scheduler()
        .leftovers_of(asked, usize::MAX)
        .into_iter()
        .map(|place| (worth(place), place))
        .collect();
    left.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    left.into_iter()
        .take(photos)
        .map(|(_, place)| place)
        .collect()
}

fn expand(
    memory: &mut Memory,
    frontier: Frontier,
    (source, page): (usize, u32),
    (query, named): (Query, Vec<Subject>),
    facts: &Facts,
    teller: &mut Teller,
) -> Move {
    // Unless names decide, two people count as named together only if both are recognised.
    let is_meant =
        |one: &Subject| facts.names_decide() || facts.knowledge().person_of(*one).is_some();
    let people = match named.as_slice() {
        [one, other] if named.iter().all(is_meant) => Some([*one, *other]),
        _ => None,
    };
    let list = ListKey {
        query: query.text().to_owned(),
        source,
    };
    memory.expand(frontier, list, &named, people);
    teller.look_around(frontier.subject);
    Move::search_at((source, page), query, named, State::Discovery)
}

/// Returns the people whom the query names: `subject`, and a person of the request if the query consists of both names.
fn subjects_named(facts: &Facts, query: &Query, subject: Subject) -> Vec<Subject> {
    let mut named = vec![subject];
    let name = facts.knowledge().name_of(subject);
    for side in [Side::A, Side::B] {
        if *query == query::pair(name, facts.typed_name(side)) {
            named.push(Subject::Typed(side));
        }
    }
    named
}

/// A person of a side, with their value to the search.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub subject: Subject,
    /// The recognised person; `None` for somebody who is only named by words beside photos.
    pub person: Option<PersonIndex>,
    /// The number of edges from the side's start.
    pub depth: u32,
    /// The chance that the person is connected with the side.
    pub chance: f64,
    /// The estimated number of their photos that were not seen yet.
    pub unseen_estimate: f64,
    /// The estimate, raised if the person was never searched for, and lowered if the person was often searched for. If
    /// only hints connect the person with the side, it is multiplied by their chance, and so is the next number.
    pub unseen_weighted: f64,
    /// The estimated number of unseen photos that one search for the person would find.
    pub fresh: f64,
    pub is_asked: bool,
    pub is_exhausted: bool,
}

impl Standing {
    /// Returns, in words for the user, how many photos of the person may be unseen.
    pub fn words(&self) -> String {
        let before = if self.is_asked {
            ""
        } else {
            ", not searched for yet"
        };
        // The number shown is never 0, because a person under consideration may be in one more photo.
        let photos = self.unseen_estimate.max(1.0);
        let noun = if photos < 1.5 { "photo" } else { "photos" };
        format!("about {photos:.0} {noun} unseen{before}")
    }

    /// Returns, in words for the user, how many photos of the partner may be unseen.
    pub fn words_of_partner(&self, name: &str) -> String {
        format!("and about {:.0} of {name}", self.unseen_estimate.max(1.0))
    }
}

/// A way to get more photos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// Ask an image search, by its place, for a page of its list.
    Search { source: usize, page: u32 },
    /// Look at what a list has left over.
    LookOn { list: ListKey },
}

/// A possible next search.
#[derive(Debug, Clone)]
pub struct Probe {
    pub query: Query,
    pub named: Vec<Subject>,
    /// The search's unitless worth, only for comparison.
    pub worth: f64,
    pub one: Standing,
    /// The person of the other side whom the search also names; `None` if the search names only one person.
    pub partner: Option<Standing>,
    pub lookup: Lookup,
}

/// A candidate, with the best search that names the candidate.
#[derive(Debug, Clone)]
pub struct RankedCandidate {
    pub candidate: Candidate,
    pub probe: Probe,
}

/// Returns the candidates alone, in the same order.
pub fn candidates_of(table: &[RankedCandidate]) -> Vec<&Candidate> {
    table.iter().map(|row| &row.candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(person: u32, depth: u32, unseen: f64) -> Standing {
        Standing {
            subject: Subject::Person(PersonIndex(person)),
            person: Some(PersonIndex(person)),
            depth,
            chance: 1.0,
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
        pair_search: &dyn Fn(Subject, Subject) -> Option<PairSearch>,
    ) -> Sides<'_> {
        Sides {
            mass,
            ..Sides::new(of, (5, 6), pair_search)
        }
    }

    /// Checks which person of B's side (numbers from 10) is named with the first of A's side.
    #[track_caller]
    fn check(of: [Vec<Standing>; 2], paired: &[(u32, u32)], expect: Option<u32>) {
        let unasked = |one: Subject, other: Subject| {
            let is_paired = |(left, right): &(u32, u32)| {
                let pair = [left, right].map(|person| Subject::Person(PersonIndex(*person)));
                pair == [one, other] || pair == [other, one]
            };
            (!paired.iter().any(is_paired)).then_some(IN_COMPANY)
        };
        let sides = sides(of, [1.0, 1.0], &unasked);
        let best = sides
            .best_for(Side::A, &sides.of[0][0], Some(1.0), &sides.of[1])
            .unwrap();
        let partner = best.partner.and_then(|(partner, _)| partner.person);
        assert_eq!(partner.map(|person| person.0), expect);
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
        let any = |_, _| Some(IN_COMPANY);
        let sides = sides([of_a, vec![standing(10, 0, 9.0)]], [1.0, 3.0], &any);
        let worth = |people: &[u32]| {
            let people: Vec<Subject> = (people.iter().copied())
                .map(|person| Subject::Person(PersonIndex(person)))
                .collect();
            sides.worth_of_photo_of(&people)
        };
        assert!(worth(&[0]) > worth(&[1]) && worth(&[0]) > worth(&[10]));
        // If it is not known which of two people a photo shows, its worth is the average for the two.
        assert!((2.0 * worth(&[0, 10]) - worth(&[0]) - worth(&[10])).abs() < 1e-9);
        assert!(worth(&[99]).abs() < 1e-9, "who is on no side leads nowhere");
    }
}
