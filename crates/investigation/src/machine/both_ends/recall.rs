//! Whose remembered photos are asked for: what this server paid for before leads the search, and costs nothing.

use domain::{
    CONNECTED_PEOPLE_MAX, MemoryUse, PeopleToRecall, PersonToConnect, PersonToRecall,
    RECALL_PEOPLE_MAX, RECALL_TOWARD_MAX, RECALLED_FETCHES_MAX, RECALLS_MAX, Side, SidesToConnect,
    fold,
};

use crate::machine::facts::Facts;
use crate::machine::hints::{Hints, Somebody};
use crate::machine::interface::Action;
use crate::machine::state::State;
use crate::machine::view::View;

use super::hinted::{Depths, connected, remembered_hops, spread};
use super::memory::Memory;

/// How often remembered photos are asked for before the first search.
const RECALLS_AT_FIRST: usize = 40;
/// How often more they are for each search.
const RECALLS_PER_SEARCH: usize = 4;
/// How often a chain of remembered photos is looked for before the first search; once more for each search.
const CONNECTS_AT_FIRST: usize = 5;
/// The least chance that somebody is connected with a side for which their photos are asked for.
const CHANCE_MIN: f64 = 0.2;

/// Returns what is asked of the memory now.
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

/// Returns the sides between whom a chain of remembered photos is looked for: at first, where new people are connected
/// with a side, and where a chain did not hold what the memory said.
fn sides_to_connect(memory: &mut Memory, view: View) -> Option<SidesToConnect> {
    let facts = view.facts();
    let photos = facts.knowledge().unseen_photos();
    let photos_max = RECALLED_FETCHES_MAX.saturating_sub(photos);
    let round = memory.recalls();
    let rounds_max = CONNECTS_AT_FIRST + memory.queries_begun();
    // What is looked at now says more.
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

/// Returns those who are connected with a side, the typed person first and then the nearest.
fn people_to_connect(facts: &Facts, side: Side) -> Vec<PersonToConnect> {
    let (depths, typed) = (Depths::of(facts, side), Hints::typed(side));
    let others = connected(facts, side).into_iter();
    let others = others.filter(|who| *who != typed);
    let people = std::iter::once(typed).chain(others).map(|who| {
        let hops = depths.of_start(facts, who);
        let person = to_recall(facts, who);
        PersonToConnect { person, hops }
    });
    let near = people.filter(|one| one.hops < facts.limits().hops);
    near.take(CONNECTED_PEOPLE_MAX).collect()
}

/// Returns whose remembered photos are asked for now: both typed people first, then those to whom hints lead, the
/// nearest first. Returns nobody where a chain is remembered and no shorter one can be.
fn people_to_recall(memory: &mut Memory, view: View) -> Option<PeopleToRecall> {
    let facts = view.facts();
    let recalls_max = RECALLS_AT_FIRST + RECALLS_PER_SEARCH * memory.queries_begun();
    if memory.recalls() >= recalls_max.min(RECALLS_MAX) {
        return None;
    }
    let mut typed = [Side::A, Side::B].map(Hints::typed).into_iter();
    let people = if let Some(who) = typed.find(|who| !memory.has_recalled(*who)) {
        // Each alone, with as many photos as there may be.
        vec![who]
    } else if view.scheduler().has_surveys() {
        // What is looked at now says more.
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

/// Returns the ids of those to whom hints lead from the other side, the nearest first.
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
    let near = hints.everybody().filter_map(|who| {
        let chance = other.chance(who);
        let id = hints.id(facts.people(), who)?;
        (chance >= CHANCE_MIN).then_some((other.links(who), chance, id))
    });
    let mut near: Vec<(u32, f64, &str)> = near.collect();
    near.sort_by(|left, right| {
        (left.0.cmp(&right.0))
            .then(right.1.total_cmp(&left.1))
            .then(left.2.cmp(right.2))
    });
    let near = near.into_iter().take(RECALL_TOWARD_MAX);
    near.map(|(_, _, id)| id.to_owned()).collect()
}

/// The people of a side whose photos were not asked for, as far as hints lead.
struct Unasked {
    /// The hops of the nearest from the side's start.
    hops: u32,
    /// These nearest people, the most likely first.
    nearest: Vec<Somebody>,
}

/// Returns those to whom hints lead and who were not asked for, the nearest of the side with fewer of them first. Returns
/// nobody where a chain is remembered and no shorter one can be.
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
        let is_meant = chance >= CHANCE_MIN
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
