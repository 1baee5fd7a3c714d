//! The use of hints and remembered photos: which photos of an answer are looked at, which chain is worth checking, and
//! whose remembered photos are requested. What earlier runs paid for leads the search, and costs this run nothing.

use std::collections::BTreeSet;

use domain::{
    CONNECTED_PEOPLE_MAX, Hit, MemoryUse, Pace, PeopleToRecall, PersonIndex, PersonToConnect,
    PersonToRecall, RECALL_PEOPLE_MAX, RECALL_TOWARD_MAX, RECALLED_FETCHES_MAX, RECALLS_MAX, Reach,
    Side, SidesToConnect, fold,
};

use crate::machine::budget::CallKind;
use crate::machine::facts::{Facts, Frontier, ListKey, NameUse, Subject};
use crate::machine::hints::{HintedLink, Hints, Somebody, Spread};
use crate::machine::interface::{Action, PersonRef};
use crate::machine::states::{Move, State, View};
use crate::machine::telling::{Teller, counted, subject_ref};

use super::Memory;

/// A hinted chain's photos are looked at only if its chance is at least this, unless more recognitions remain than the
/// remaining searches would use.
const CHANCE_ENOUGH: f64 = 0.4;

/// A hinted chain's photos are looked at only if its chance is at least this, however many recognitions are left.
const CHANCE_MIN: f64 = 0.01;

/// If names decide, a hinted chain's photos are looked at if its chance is at least this. It is low, because a photo of a
/// hinted link proves as much as any other where the chain fails.
const CHANCE_READ_MIN: f64 = 0.02;

/// The next search waits for a chain's photos only if the chain's chance is at least this, however few searches are
/// left.
const CHANCE_AWAITED_MIN: f64 = 0.25;

/// If more searches than this remain, no search waits for a chain's photos, because a needless search then costs
/// little.
const SEARCHES_MANY: f64 = 20.0;

/// The worth of a photo that may be a link of a whole chain, relative to one that shows somebody new.
const CHAIN_WORTH: f64 = 20.0;

/// The number of a person's unseen photos above which further ones add no worth.
const PHOTOS_LEFT_MAX: usize = 5;

/// The worth of the people in a photo who are not named by the words beside it.
const UNNAMED_WORTH: f64 = 0.5;

/// The most requests for remembered photos before the first search.
const RECALLS_AT_FIRST: usize = 40;

/// The number of further requests for remembered photos that each search allows.
const RECALLS_PER_SEARCH: usize = 4;

/// The most requests for a chain of remembered photos before the first search; each search allows one more.
const CONNECTS_AT_FIRST: usize = 5;

/// A person's photos are requested only if the chance that the person is connected with a side is at least this.
const RECALL_CHANCE_MIN: f64 = 0.2;

/// Returns how many new photos a search wants of an answer. If names only order the photos, three in five are looked at
/// first, and the others only if a hint leads to them.
pub fn photos_per_answer(facts: &Facts) -> u32 {
    let photos = facts.limits().images_per_search;
    match facts.name_use() {
        NameUse::Order => photos.saturating_mul(3).div_ceil(5),
        NameUse::Nothing | NameUse::Decide => photos,
    }
}

/// The people whom hints connect with each side.
#[derive(Debug)]
pub struct HintedSides {
    sides: [Spread; 2],
}

impl HintedSides {
    /// Follows the hints from both sides, as far as they lead.
    pub fn of(facts: &Facts) -> Self {
        Self {
            sides: [Side::A, Side::B].map(|side| spread(facts, side)),
        }
    }

    /// Returns the worth of looking at a photo, as a number without a unit. The photo may be a link of a chain between
    /// both sides, and it may show new people together with somebody connected with a side. People who may be in other
    /// photos, too, are worth more.
    pub fn worth_of(&self, facts: &Facts, hit: &Hit) -> f64 {
        let hints = facts.knowledge().hints();
        let [of_a, of_b] = &self.sides;
        let shown: Vec<(Somebody, f64)> = hints.shown_at(&hit.image_url).collect();
        let (mut chain, mut connected, mut new) = (0.0_f64, 0.0_f64, UNNAMED_WORTH);
        for (place, (one, chance)) in shown.iter().enumerate() {
            let [from_a, from_b] = [of_a, of_b].map(|side| side.chance(*one) * chance);
            connected = connected.max(from_a).max(from_b);
            if from_a.max(from_b) < *chance {
                new += chance * hints.photos_left(*one).min(PHOTOS_LEFT_MAX) as f64;
            }
            for (_, (other, chance)) in shown.iter().enumerate().filter(|(at, _)| *at != place) {
                chain = chain.max(from_a * of_b.chance(*other) * chance);
            }
        }
        CHAIN_WORTH * chain + connected * new
    }
}

/// Follows the hints from all people connected with a side.
pub fn spread(facts: &Facts, side: Side) -> Spread {
    let hints = facts.knowledge().hints();
    hints.spread(&connected(facts, side), |person| {
        let neighbours = facts.together().neighbours(person);
        neighbours.filter(|one| facts.may_be_on_path(*one))
    })
}

/// Returns the people connected with a side. The side's person of the request, recognised or not, comes last.
pub fn connected(facts: &Facts, side: Side) -> Vec<Somebody> {
    let hints = facts.knowledge().hints();
    let reached = facts.people().bound(side).map(|start| facts.reach(start));
    let people = reached
        .iter()
        .flat_map(Reach::order)
        .filter_map(|person: &PersonIndex| hints.of_person(*person));
    people.chain([Hints::typed(side)]).collect()
}

/// Looks at the photos of the most likely hinted chain, if the chain is likely enough. The frugal pace looks at the
/// photo of the least certain link first, and at the photos of the other links only if that photo shows the hinted
/// people. Once all photos of the chain are requested, waits for them if the chain is remembered or if few searches are
/// left.
//= arXiv 1710.04101, lazy search: the edge that is least likely to be there is checked first
pub fn hinted_look(
    memory: &mut Memory,
    to: State,
    view: View,
    teller: &mut Teller,
) -> Option<Move> {
    let facts = view.facts();
    if facts.name_use() == NameUse::Nothing && !facts.knowledge().hints().has_recalled() {
        return None;
    }
    let (chance, links) =
        remembered_chain(facts).or_else(|| best_chain(facts, chance_enough(view)))?;
    let is_free = links.iter().all(|link| link.is_remembered);
    let mut left: Vec<&HintedLink> = links
        .iter()
        .filter(|link| !is_planned(view, link))
        .collect();
    if left.is_empty() {
        let is_awaited = is_free && view.scheduler().has_surveys();
        return (is_awaited || must_wait(chance, view)).then_some(Move::Rest);
    }
    if facts.limits().pace == Pace::Frugal {
        left.truncate(1);
    }
    let frontier = frontier_of(facts, &links);
    let free = left.iter().filter(|link| link.is_remembered).count();
    if !memory.begin_free_looks(free) {
        return None;
    }
    memory.look_on(frontier);
    teller.look_around(frontier.subject);
    teller.move_to(frontier);
    let photos = left.iter().filter_map(|link| hinted_photo(facts, link));
    teller.hints(photos.collect(), words_of(facts, &left));
    let mut photos: Vec<(ListKey, Vec<usize>)> = Vec::new();
    for (list, place) in left.into_iter().map(|link| link.at) {
        let key = facts.knowledge().numbered_list(list).map(|(key, _)| key);
        let photo = key.map(|key| (key.clone(), vec![place]));
        // One photo may show two links.
        photos.extend(photo.filter(|photo| !photos.contains(photo)));
    }
    (!photos.is_empty()).then_some(Move::LookOn { photos, to })
}

/// Looks at the photos of a remembered chain before anything is paid for.
pub fn remembered_look(
    memory: &mut Memory,
    to: State,
    view: View,
    teller: &mut Teller,
) -> Option<Move> {
    if remembered_chain(view.facts()).is_some() {
        hinted_look(memory, to, view, teller)
    } else {
        None
    }
}

/// Returns the least chance that a chain must have for its photos to be looked at. It is lower if more recognitions are
/// left than searches can use.
fn chance_enough(view: View) -> f64 {
    if view.facts().names_decide() {
        return CHANCE_READ_MIN;
    }
    let left = |kind| f64::from(view.budget().left_but_for_losses(kind));
    let photos = left(CallKind::Search) * f64::from(view.facts().limits().images_per_search);
    let plenty = (left(CallKind::Recognition) / photos.max(1.0)).max(1.0);
    (CHANCE_ENOUGH / (plenty * plenty)).max(CHANCE_MIN)
}

/// Returns whether to wait for the photos of a chain with this chance. The fewer searches are left, the smaller the
/// chance may be.
fn must_wait(chance: f64, view: View) -> bool {
    let searches = f64::from(view.budget().left_but_for_losses(CallKind::Search));
    let is_likely = chance >= (searches / SEARCHES_MANY).max(CHANCE_AWAITED_MIN);
    is_likely && view.scheduler().has_surveys()
}

/// Returns the most likely chain whose unproven links are all remembered, if it is short enough.
fn remembered_chain(facts: &Facts) -> Option<(f64, Vec<HintedLink>)> {
    remembered_hops(facts).filter(|hops| *hops <= facts.limits().hops)?;
    best_chain(facts, CHANCE_MIN)
}

/// Returns the hops of the most likely chain, if its unproven links are all remembered.
pub fn remembered_hops(facts: &Facts) -> Option<u32> {
    if !facts.knowledge().hints().has_recalled() {
        return None;
    }
    let (_, links) = best_chain(facts, CHANCE_MIN)?;
    if !links.iter().all(|link| link.is_remembered) {
        return None;
    }
    let from_a = spread(facts, Side::A);
    let (_, end) = best_end(facts, &from_a, CHANCE_MIN)?;
    let of_a = Depths::of(facts, Side::A).of_start(facts, from_a.start(end));
    let of_b = Depths::of(facts, Side::B).of_start(facts, end);
    Some(of_a + from_a.links(end) + of_b)
}

/// The proven distances of a side's people from its start.
pub struct Depths(Option<Reach>);

impl Depths {
    pub fn of(facts: &Facts, side: Side) -> Self {
        let start = facts.people().bound(side);
        Self(start.map(|start| facts.reach(start)))
    }

    /// Returns the hops from the side's start to a person from whom hints are followed; 0 for the side's person of the
    /// request.
    pub fn of_start(&self, facts: &Facts, who: Somebody) -> u32 {
        let person = facts.knowledge().hints().person(who);
        let reached = self.0.as_ref().zip(person);
        let hops = reached.and_then(|(reached, person)| reached.distance(person));
        hops.unwrap_or(0)
    }
}

/// Returns the most likely chain of hints: its chance, and its unproven links, the least certain first.
fn best_chain(facts: &Facts, chance_min: f64) -> Option<(f64, Vec<HintedLink>)> {
    let hints = facts.knowledge().hints();
    let from_a = spread(facts, Side::A);
    let (chance, end) = best_end(facts, &from_a, chance_min)?;
    let mut links = hints.links_to(end, &from_a);
    links.sort_by(|left, right| left.chance.total_cmp(&right.chance));
    (!links.is_empty()).then_some((chance, links))
}

/// Returns the person of B's side who is most likely connected with A's side, and the chance of that.
fn best_end(facts: &Facts, from_a: &Spread, chance_min: f64) -> Option<(f64, Somebody)> {
    let mut best: Option<(f64, Somebody)> = None;
    for end in connected(facts, Side::B) {
        let chance = from_a.chance(end);
        if chance >= chance_min && best.is_none_or(|(known, _)| chance > known) {
            best = Some((chance, end));
        }
    }
    best
}

/// Returns the address of a link's photo, and the people whom it may show.
fn hinted_photo(facts: &Facts, link: &HintedLink) -> Option<(String, [PersonRef; 2])> {
    let (list, place) = link.at;
    let (_, asked) = facts.knowledge().numbered_list(list)?;
    let hit = asked.hits().get(place)?;
    let two = [link.from, link.to].map(|who| somebody_ref(facts, who));
    Some((hit.image_url.clone(), two))
}

fn somebody_ref(facts: &Facts, who: Somebody) -> PersonRef {
    subject_ref(facts, facts.knowledge().subject_of_somebody(who))
}

fn is_planned(view: View, link: &HintedLink) -> bool {
    let (list, place) = link.at;
    let asked = view.facts().knowledge().numbered_list(list);
    let hit = asked.and_then(|(_, asked)| asked.hits().get(place));
    hit.is_some_and(|hit| view.scheduler().is_planned(hit))
}

/// Returns the place in the search of a hinted chain: the chain's first recognised person.
fn frontier_of(facts: &Facts, links: &[HintedLink]) -> Frontier {
    let hints = facts.knowledge().hints();
    let mut people = links.iter().flat_map(|link| [link.from, link.to]);
    let person = people.find_map(|who| hints.person(who));
    let subject = person.map_or(Subject::Typed(Side::A), |person| {
        facts.knowledge().subject_of(person)
    });
    let on = |side: Side| {
        let reached = facts.people().bound(side).map(|start| facts.reach(start))?;
        Some((side, reached.distance(person?)?))
    };
    let (side, depth) = on(Side::A).or_else(|| on(Side::B)).unwrap_or((Side::A, 0));
    Frontier {
        side,
        subject,
        depth,
    }
}

/// Returns, in words for the user, why photos are looked at.
fn words_of(facts: &Facts, links: &[&HintedLink]) -> String {
    let hints = facts.knowledge().hints();
    let two = |link: &&HintedLink| format!("{} and {}", hints.name(link.from), hints.name(link.to));
    let pairs: Vec<String> = links.iter().map(two).collect();
    let is_remembered = links.iter().all(|link| link.is_remembered);
    if facts.names_decide() && !is_remembered {
        let photos: BTreeSet<(usize, usize)> = links.iter().map(|link| link.at).collect();
        return format!(
            "Looking at {} of {} found so far: as captions or searches say, {} may show {}.",
            photos.len(),
            counted(facts.knowledge().photos_found(), "photo", "photos"),
            if photos.len() == 1 { "it" } else { "they" },
            pairs.join(", ")
        );
    }
    match (pairs.as_slice(), is_remembered) {
        ([one], true) => format!("A photo showed {one} in an earlier run."),
        (_, true) => format!("Photos showed {} in earlier runs.", pairs.join(", ")),
        ([one], false) => format!("A photo may show {one}, as its caption or its search says."),
        (_, false) => format!(
            "Photos may show {}, as their captions or their searches say.",
            pairs.join(", ")
        ),
    }
}

/// Returns the next request to the memory.
pub fn next_recall(memory: &mut Memory, state: &State, view: View) -> Option<Action> {
    let may_ask = matches!(
        state,
        State::Direct { .. } | State::Discovery | State::Choice { .. }
    );
    if !may_ask || view.budget().time_left_ms() == 0 {
        return None;
    }
    match view.facts().limits().memory {
        MemoryUse::Off => None,
        MemoryUse::On => people_to_recall(memory, view).map(Action::Recall),
        MemoryUse::Shown => {
            sides_to_connect(memory, view).map(|sides| Action::Connect(Box::new(sides)))
        }
    }
}

/// Returns the sides between which to look for a chain of remembered photos; `None` if no request is allowed now, or if
/// it would be the same as the last one.
fn sides_to_connect(memory: &mut Memory, view: View) -> Option<SidesToConnect> {
    let facts = view.facts();
    let photos = facts.knowledge().unseen_photos();
    let photos_max = RECALLED_FETCHES_MAX.saturating_sub(photos);
    let round = memory.recalls();
    let rounds_max = CONNECTS_AT_FIRST + memory.queries_begun();
    // The photos being looked at now may change the sides, so the request waits for them.
    if view.scheduler().has_surveys() || photos_max == 0 || round >= rounds_max.min(RECALLS_MAX) {
        return None;
    }
    let sides = [Side::A, Side::B].map(|side| people_to_connect(facts, side));
    memory
        .begin_connecting(&sides, photos)
        .then(|| SidesToConnect {
            sides,
            hops_max: facts.limits().hops,
            threshold_percent: facts.limits().threshold_percent,
            avoid: facts.avoided(),
            photos_max,
            round,
        })
}

/// Returns the people connected with a side: first its person of the request, then the nearest people.
fn people_to_connect(facts: &Facts, side: Side) -> Vec<PersonToConnect> {
    let (depths, typed) = (Depths::of(facts, side), Hints::typed(side));
    let others = connected(facts, side)
        .into_iter()
        .filter(|who| *who != typed);
    let people = std::iter::once(typed).chain(others).map(|who| {
        let hops = depths.of_start(facts, who);
        let person = to_recall(facts, who);
        PersonToConnect { person, hops }
    });
    let near = people.filter(|one| one.hops < facts.limits().hops);
    near.take(CONNECTED_PEOPLE_MAX).collect()
}

/// Returns the people whose remembered photos to request next. Both people of the request come first, then the people
/// whom hints connect with a side, the nearest first. `None` if nobody's photos are to be requested now.
fn people_to_recall(memory: &mut Memory, view: View) -> Option<PeopleToRecall> {
    let facts = view.facts();
    let recalls_max = RECALLS_AT_FIRST + RECALLS_PER_SEARCH * memory.queries_begun();
    if memory.recalls() >= recalls_max.min(RECALLS_MAX) {
        return None;
    }
    let mut typed = [Side::A, Side::B].map(Hints::typed).into_iter();
    let people = if let Some(who) = typed.find(|who| !memory.has_recalled(*who)) {
        // A request for a person of the request names nobody else, to get as many photos as possible.
        vec![who]
    } else if view.scheduler().has_surveys() {
        // The photos being looked at now may change whom to request, so the request waits for them.
        return None;
    } else {
        next_people(memory, facts)
    };
    if people.is_empty() {
        return None;
    }
    memory.note_recalled(people.iter().copied());
    Some(PeopleToRecall {
        toward: toward(facts, &people),
        people: people
            .into_iter()
            .map(|who| to_recall(facts, who))
            .collect(),
    })
}

/// Returns the ids of the people whom hints connect with the side opposite to that of `people`, the nearest first.
fn toward(facts: &Facts, people: &[Somebody]) -> Vec<String> {
    let hints = facts.knowledge().hints();
    let spreads = [Side::A, Side::B].map(|side| spread(facts, side));
    let [of_a, of_b] = &spreads;
    let is_of_a = |who: &Somebody| of_a.chance(*who) >= of_b.chance(*who);
    let other = if people.iter().all(is_of_a) {
        of_b
    } else {
        of_a
    };
    let mut near: Vec<(u32, f64, &str)> = hints
        .everybody()
        .filter_map(|who| {
            let chance = other.chance(who);
            let id = hints.id(facts.people(), who)?;
            (chance >= RECALL_CHANCE_MIN).then_some((other.links(who), chance, id))
        })
        .collect();
    near.sort_by(|left, right| {
        (left.0.cmp(&right.0))
            .then(right.1.total_cmp(&left.1))
            .then(left.2.cmp(right.2))
    });
    let near = near.into_iter().take(RECALL_TOWARD_MAX);
    near.map(|(_, _, id)| id.to_owned()).collect()
}

/// The people whom hints connect with a side and whose photos were not requested.
struct Unasked {
    /// The hops from the side's start to the nearest of these people.
    hops: u32,
    /// The nearest of these people, the most likely first.
    nearest: Vec<Somebody>,
}

/// Returns each side's nearest people whom hints connect with the side and whose photos were not requested. The side
/// with fewer such people comes first. Empty if a chain is remembered and no shorter one is possible.
fn next_people(memory: &Memory, facts: &Facts) -> Vec<Somebody> {
    let [of_a, of_b] = [Side::A, Side::B].map(|side| unasked(memory, facts, side));
    if let Some(hops) = remembered_hops(facts)
        && hops <= of_a.hops.saturating_add(of_b.hops).saturating_add(1)
    {
        return Vec::new();
    }
    let (first, then) = if of_b.nearest.is_empty()
        || (!of_a.nearest.is_empty() && of_a.nearest.len() <= of_b.nearest.len())
    {
        (of_a.nearest, of_b.nearest)
    } else {
        (of_b.nearest, of_a.nearest)
    };
    let mut people: Vec<Somebody> = Vec::new();
    for who in first.into_iter().chain(then) {
        if people.len() < RECALL_PEOPLE_MAX && !people.contains(&who) {
            people.push(who);
        }
    }
    people
}

fn unasked(memory: &Memory, facts: &Facts, side: Side) -> Unasked {
    let hints = facts.knowledge().hints();
    let spread = spread(facts, side);
    let depths = Depths::of(facts, side);
    let everybody = hints.everybody().filter_map(|who| {
        let chance = spread.chance(who);
        let hops = depths.of_start(facts, spread.start(who)) + spread.links(who);
        let is_meant = chance >= RECALL_CHANCE_MIN
            && !memory.has_recalled(who)
            && hops < facts.limits().hops
            && !facts.is_avoided(&fold(hints.name(who)));
        is_meant.then_some((hops, chance, who))
    });
    let mut people: Vec<(u32, f64, Somebody)> = everybody.collect();
    people.sort_by(|left, right| {
        (left.0.cmp(&right.0))
            .then(right.1.total_cmp(&left.1))
            .then(left.2.cmp(&right.2))
    });
    let hops = people.first().map_or(u32::MAX, |(hops, _, _)| *hops);
    let nearest = people.into_iter().take_while(|(at, _, _)| *at == hops);
    Unasked {
        hops,
        nearest: nearest.map(|(_, _, who)| who).collect(),
    }
}

fn to_recall(facts: &Facts, who: Somebody) -> PersonToRecall {
    let hints = facts.knowledge().hints();
    let typed = [Side::A, Side::B]
        .into_iter()
        .find(|side| Hints::typed(*side) == who);
    let given = typed.and_then(|side| facts.people().given_number(side));
    PersonToRecall {
        id: hints.id(facts.people(), who).map(str::to_owned),
        name: hints.name(who).to_owned(),
        wikidata: given.map(ToString::to_string),
    }
}
